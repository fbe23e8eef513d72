//! Mirror of `std::thread`; what threads mean to the engine is in `engine/objects/thread.rs`.

mod builder;
mod handle;
mod join;
mod local;
mod scoped;
mod wait;

pub use builder::{Builder, spawn};
pub use handle::{Thread, ThreadId, current};
pub use join::JoinHandle;
#[doc(hidden)]
pub use local::local_impl;
pub use local::{AccessError, LocalKey};
pub use real::thread::Result;
pub use scoped::{Scope, ScopedJoinHandle, scope};
pub use wait::{available_parallelism, panicking, park, park_timeout, sleep, yield_now};
#[expect(deprecated, reason = "std still has them")]
pub use wait::{park_timeout_ms, sleep_ms};
