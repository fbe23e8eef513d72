//! Mirror of `std::time`: inside a controlled execution both clocks are virtual.
//!
//! What the virtual clock shows and when it moves on is up to `engine/time.rs`; it begins at zero
//! with each execution. [`Instant`] and [`SystemTime`] are points on it that keep the
//! representation of the real ones, so that times taken outside of an execution can be compared
//! with times taken inside.

mod instant;
mod system;

pub use instant::Instant;
pub use real::time::{Duration, SystemTimeError, TryFromFloatSecsError};
pub use system::SystemTime;

/// The beginning of 1970 in UTC, which system times are counted from; see
/// [`std::time::UNIX_EPOCH`].
pub const UNIX_EPOCH: SystemTime = SystemTime::UNIX_EPOCH;
