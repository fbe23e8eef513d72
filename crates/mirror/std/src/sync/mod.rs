//! Mirror of `std::sync`.

mod condvar;
mod mutex;
mod poison;

pub use condvar::{Condvar, WaitTimeoutResult};
pub use mutex::{Mutex, MutexGuard};
pub use real::sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak};
