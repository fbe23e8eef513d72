//! All executions of one controlled test.
//!
//! [`explore`] runs a test under a strategy until the budget is used up or something is found;
//! what is found is run again (`replay`), made short (`shrink`) and handed back as data. What
//! detectors predict is tried to be brought about (`steer`).
//! [`watched`] keeps an eye on it from another thread, so that a test that blocks in real I/O
//! does not block its caller.
#![forbid(unsafe_code)]

mod bounds;
mod clock;
mod confirm;
mod cuts;
mod determinism;
mod exchange;
mod explore;
mod guided;
mod isolation;
mod own_memory;
mod patience;
mod relocate;
mod replay;
mod saturation;
mod shrink;
mod steer;
mod trace;
mod watched;

pub use exchange::{Exchange, Exploring};
pub use explore::explore;
pub use watched::{Explored, Watched, watched};

/// A test: run once for each execution.
pub type Test<'a> = &'a (dyn Fn() + Sync);

/// Makes a metric for a campaign.
pub type MakeMetric = fn() -> Box<dyn selvedge_observe::coverage::Metric>;
