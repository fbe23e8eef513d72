//! Mirror of `std::sync::LazyLock`: a [`Once`], and in turn the initialiser and what it made.

use super::once::{IfPoisoned, Once};
use real::cell::UnsafeCell;
use real::fmt;
use real::mem;
use real::ops::{Deref, DerefMut};
use real::panic::{RefUnwindSafe, UnwindSafe};
use selvedge_engine::OnceExit;

/// A value that is made on first use; see [`std::sync::LazyLock`].
pub struct LazyLock<T, F = fn() -> T> {
    once: Once,
    /// Written to in the initialisation only. It is `Ready` when that is done.
    slot: UnsafeCell<Slot<T, F>>,
}

enum Slot<T, F> {
    /// Nobody has needed the value yet.
    Waiting(F),
    /// The initialiser runs, has panicked, or was given up with its execution.
    Taken,
    Ready(T),
}

impl<T, F: FnOnce() -> T> Slot<T, F> {
    /// Runs the initialiser.
    #[cold]
    fn make_ready(&mut self) {
        match mem::replace(self, Self::Taken) {
            Self::Waiting(f) => *self = Self::Ready(f()),
            // The initialiser is gone and can not be run again.
            Self::Taken => panic!(
                "selvedge: an earlier execution was given up while it initialised this LazyLock; \
                 it is probably a static. Run the test in a process of its own"
            ),
            Self::Ready(_) => unreachable!("a value that is ready is not initialised again"),
        }
    }
}

// SAFETY: As with the real one: threads that share it share the value (`T: Sync`), and one may
// have made it, by calling the initialiser (`F: Send`), that another drops (`T: Send`). The slot
// is written to only in the initialisation, where only one thread is at a time on either side,
// and `Object` sees to it that the two sides do not initialise at the same time. It is read only
// when that is done.
unsafe impl<T: Sync + Send, F: Send> Sync for LazyLock<T, F> {}

impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F> {}

const POISONED: &str = "LazyLock instance has previously been poisoned";

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// Creates a value that `f` will make.
    #[inline]
    #[track_caller]
    pub const fn new(f: F) -> Self {
        Self { once: Once::new(), slot: UnsafeCell::new(Slot::Waiting(f)) }
    }

    /// The value, which is made now if this is its first use.
    #[inline]
    #[track_caller]
    pub fn force(this: &Self) -> &T {
        this.once.call(IfPoisoned::Panic(POISONED), |_| {
            // SAFETY: Only one thread is in the initialisation, and others look into the slot
            // only when that is done. An initialiser that comes back here is stopped before: it
            // waits for itself.
            unsafe { (*this.slot.get()).make_ready() };
        });
        this.value().expect(INITIALISED)
    }

    /// The value, which is made now if this is its first use. Nobody else can reach it.
    #[inline]
    pub fn force_mut(this: &mut Self) -> &mut T {
        if let Slot::Waiting(_) | Slot::Taken = this.slot.get_mut() {
            if this.once.is_poisoned_mut() {
                panic!("{POISONED}");
            }
            let unwinding = PoisonOnDrop { once: &mut this.once };
            this.slot.get_mut().make_ready();
            mem::forget(unwinding);
            this.once.finish_mut(OnceExit::Done);
        }
        Self::get_mut(this).expect(INITIALISED)
    }
}

const INITIALISED: &str = "an initialised slot has a value";

/// The initialiser panics when this is dropped.
struct PoisonOnDrop<'a> {
    once: &'a mut Once,
}

impl Drop for PoisonOnDrop<'_> {
    fn drop(&mut self) {
        self.once.finish_mut(OnceExit::Poisoned);
    }
}

impl<T, F> LazyLock<T, F> {
    /// The value, if it has been made already. Does not wait.
    #[inline]
    #[track_caller]
    pub fn get(this: &Self) -> Option<&T> {
        match this.once.is_completed() {
            true => this.value(),
            false => None,
        }
    }

    /// The value, if it has been made already. Nobody else can reach it.
    #[inline]
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        match this.slot.get_mut() {
            Slot::Ready(value) => Some(value),
            Slot::Waiting(_) | Slot::Taken => None,
        }
    }

    /// The value, once the initialisation is known to be done.
    #[inline]
    fn value(&self) -> Option<&T> {
        // SAFETY: Nobody writes to the slot any more until it is borrowed mutably.
        match unsafe { &*self.slot.get() } {
            Slot::Ready(value) => Some(value),
            Slot::Waiting(_) | Slot::Taken => None,
        }
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[inline]
    #[track_caller]
    fn deref(&self) -> &T {
        Self::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        Self::force_mut(self)
    }
}

impl<T: Default> Default for LazyLock<T> {
    #[track_caller]
    fn default() -> Self {
        Self::new(T::default)
    }
}

impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_tuple("LazyLock");
        match Self::get(self) {
            Some(value) => d.field(value),
            None => d.field(&format_args!("<uninit>")),
        };
        d.finish()
    }
}
