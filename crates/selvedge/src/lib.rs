//! Find, explain and reproduce concurrency bugs in Rust tests.
//!
//! A test that uses [`sync`], [`thread`], [`time`] and [`hint`] of this crate instead of those of
//! `std` can be run under control: many times, each time in another interleaving, until something
//! goes wrong, and then again, exactly as it went wrong.
//!
//! ```should_panic
//! use selvedge::sync::Arc;
//! use selvedge::sync::atomic::{AtomicU32, Ordering::SeqCst};
//! use selvedge::thread;
//!
//! selvedge::check(|| {
//!     let hits = Arc::new(AtomicU32::new(0));
//!     let other = Arc::clone(&hits);
//!     let visitor = thread::spawn(move || other.store(other.load(SeqCst) + 1, SeqCst));
//!     hits.store(hits.load(SeqCst) + 1, SeqCst);
//!     visitor.join().unwrap();
//!     assert_eq!(hits.load(SeqCst), 2, "a visit was lost");
//! });
//! ```
//!
//! Outside of a controlled test these modules behave exactly like those of `std`.
#![forbid(unsafe_code)]

mod builder;
pub mod coverage;
mod explain;
#[doc(hidden)]
pub mod private;
mod replay;
pub mod schedule;

pub use builder::{Builder, SettingsError};
pub use replay::replay;
pub use selvedge_macros::test;
pub use selvedge_model::{
    Choice, Confidence, Config, Decision, DetectorName, Effect, Fault, Finding, FindingKind,
    Guidance, GuidedMetric, LeakedThreads, LeftOut, OperationKind, Place, Rate, Replayed, Report,
    Role, Schedule, Step, Stopped, StrategyName, Toggle, Treatment, Trouble, Verdict, Warning,
};
pub use selvedge_report as report;
pub use selvedge_std::declare::{Shared, atomically, belong_together};
pub use selvedge_std::{future, hint, noise, sync, thread, thread_local, time};

/// For tests of futures: an executor, and wrappers that poll a future as a correct one must be able
/// to bear.
///
/// ```
/// use selvedge::task::{block_on, cancellable, unruly};
///
/// selvedge::check(|| {
///     let sum = block_on(async {
///         let one = unruly(async { 1 }).await;
///         // None if the strategy has dropped it.
///         one + cancellable(async { 2 }).await.unwrap_or(2)
///     });
///     assert_eq!(sum, 3);
/// });
/// ```
pub mod task {
    pub use selvedge_std::task::{Cancellable, Unruly, block_on, cancellable, unruly};
}

/// Runs a test in many interleavings and panics with an explanation if one of them goes wrong.
///
/// Settings come from `selvedge.toml` and the environment; use a [`Builder`] to set them in code.
///
/// # Panics
///
/// Panics if the test fails in any interleaving that was tried: it panics, deadlocks, waits for
/// ever, spins for ever or leaves threads behind.
#[track_caller]
pub fn check(test: impl Fn() + Send + Sync + 'static) {
    Builder::new().check(test);
}
