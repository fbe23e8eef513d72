//! Files, pipes, sockets and processes; what waiting for them means is in `engine/objects/io.rs`.
//!
//! What does not block is done by the C library, on the real file.

use crate::errno::keeping_errno;
use selvedge_engine::{Controlled, Io, Readiness};
use selvedge_model::Site;

mod child;
mod file;
mod input;
pub(crate) mod lock;
mod output;
pub(crate) mod ready;
mod transfer;

/// Makes the linker take the functions along, and finds the C library's own ones.
pub(crate) fn install() {
    child::install();
    input::install();
    lock::install();
    output::install();
    ready::install();
    transfer::install();
}

/// Carries an operation out when it does not block. What it failed for is what the caller finds.
fn carry_out(
    controlled: Controlled,
    io: Io<'_>,
    site: Site,
    act: impl FnOnce(Readiness) -> i64,
) -> i64 {
    let mut errno = None;
    let result = controlled.io(io, site, |readiness| {
        let result = act(readiness);
        errno = Some(keeping_errno());
        result
    });
    drop(errno);
    result
}
