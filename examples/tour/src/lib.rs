//! What a small service has behind its handlers.
//!
//! - [`Limiter`] lets so many requests through in each window of time.
//! - [`Pool`] lends connections to whoever needs one.
//! - [`Cache`] keeps the answers that were asked for most recently.
//! - [`Queue`] hands jobs to workers until it is closed.
//! - [`Meter`] adds up latencies between two reports.
#![forbid(unsafe_code)]

mod cache;
mod limiter;
mod meter;
mod pool;
mod queue;

pub use cache::Cache;
pub use limiter::Limiter;
pub use meter::{Meter, Report};
pub use pool::{Lease, Pool};
pub use queue::{Closed, Queue};
