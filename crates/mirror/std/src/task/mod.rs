//! Pollers that do to a future what it has to live with. There is nothing of the kind in `std`.
//!
//! [`unruly`] and [`cancellable`] wrap a future; outside of a controlled execution they only pass its
//! polls on. [`block_on`] is a small executor that is under control.

mod block_on;
mod cancellable;
mod poller;
mod unruly;

pub use block_on::block_on;
pub use cancellable::{Cancellable, cancellable};
pub(crate) use poller::poll;
pub use unruly::{Unruly, unruly};
