//! Poisoning: a lock remembers that a thread panicked while it held it.

use real::sync::atomic::{AtomicBool, Ordering};
use real::sync::{LockResult, PoisonError};
use selvedge_engine::Controlled;

/// Whether a lock is poisoned.
#[derive(Debug)]
pub(crate) struct Poison(AtomicBool);

/// Whether the thread was panicking already when it took the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entered {
    Calm,
    Panicking,
}

impl Entered {
    #[inline]
    pub(crate) fn now() -> Self {
        if panicking() { Self::Panicking } else { Self::Calm }
    }
}

impl Poison {
    pub(crate) const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Wraps what a lock hands out.
    #[inline]
    pub(crate) fn wrap<G>(&self, guard: G) -> LockResult<G> {
        if self.is_set() { Err(PoisonError::new(guard)) } else { Ok(guard) }
    }

    /// A guard is dropped: poisons the lock if a panic began while it was held.
    #[inline]
    pub(crate) fn leave(&self, entered: Entered) {
        if entered == Entered::Calm && panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Whether the calling thread unwinds because of a panic.
#[inline]
pub(crate) fn panicking() -> bool {
    real::thread::panicking()
        && match Controlled::current() {
            Some(controlled) => controlled.panicking(),
            None => true,
        }
}
