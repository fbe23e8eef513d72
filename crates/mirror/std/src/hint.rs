//! Mirror of `std::hint`: everything is the real thing, except for waiting in a loop, which lets
//! the other threads of a controlled execution go first.

pub use real::hint::*;

use selvedge_engine::Controlled;
use selvedge_model::{OperationKind, Site};

/// Says that the caller waits in a loop for another thread; see [`std::hint::spin_loop`].
#[inline]
#[track_caller]
pub fn spin_loop() {
    match Controlled::current() {
        Some(controlled) => controlled.yield_now(OperationKind::Yield, Site::caller()),
        None => real::hint::spin_loop(),
    }
}
