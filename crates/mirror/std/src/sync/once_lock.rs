//! Mirror of `std::sync::OnceLock`: a [`Once`] and what it initialises.

use super::once::{IfPoisoned, Once};
use real::cell::UnsafeCell;
use real::fmt;
use real::panic::{RefUnwindSafe, UnwindSafe};

/// A cell that is written to once; see [`std::sync::OnceLock`].
pub struct OnceLock<T> {
    once: Once,
    /// Written to in the initialisation only. It is `Some` when that is done.
    value: UnsafeCell<Option<T>>,
}

// SAFETY: As with the real one: threads that share the cell share the value (`T: Sync`), and one
// may have put it in that another takes out or drops (`T: Send`). The value is written to only in
// the initialisation, where only one thread is at a time on either side, and `Object` sees to it
// that the two sides do not initialise at the same time. It is read only when that is done.
unsafe impl<T: Sync + Send> Sync for OnceLock<T> {}

impl<T: RefUnwindSafe + UnwindSafe> RefUnwindSafe for OnceLock<T> {}

impl<T> OnceLock<T> {
    /// Creates an empty cell.
    #[inline]
    #[must_use]
    #[track_caller]
    pub const fn new() -> Self {
        Self { once: Once::new(), value: UnsafeCell::new(None) }
    }

    /// The value, if there is one already. Does not wait.
    #[inline]
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        match self.once.is_completed() {
            true => self.value(),
            false => None,
        }
    }

    /// The value, once the initialisation is known to be done.
    #[inline]
    fn value(&self) -> Option<&T> {
        // SAFETY: Nobody writes to the value any more until the cell is borrowed mutably.
        unsafe { (*self.value.get()).as_ref() }
    }

    /// Puts the value in that `make` returns, unless there is one.
    #[inline]
    #[track_caller]
    fn initialise(&self, make: impl FnOnce() -> T) {
        self.once.call(IfPoisoned::Ignore, |_| {
            let value = make();
            // SAFETY: Only one thread is in the initialisation, and others read the value only
            // when that is done.
            unsafe { *self.value.get() = Some(value) };
        });
    }

    /// Gives access to the value without an operation: nobody else can reach it.
    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.get_mut().as_mut()
    }

    /// Waits until there is a value.
    #[inline]
    #[track_caller]
    pub fn wait(&self) -> &T {
        self.once.wait_force();
        self.value().expect(INITIALISED)
    }

    /// Puts a value in, or gives it back if there is one already. Waits for whoever is about to
    /// put one in.
    #[inline]
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.initialise(|| value.take().expect("an initialiser is run once"));
        match value {
            None => Ok(()),
            Some(value) => Err(value),
        }
    }

    /// The value, after putting in what `f` returns if there was none. Waits for whoever is about
    /// to put one in.
    #[inline]
    #[track_caller]
    pub fn get_or_init<F>(&self, f: F) -> &T
    where
        F: FnOnce() -> T,
    {
        self.initialise(f);
        self.value().expect(INITIALISED)
    }

    /// Consumes the cell and returns the value.
    #[inline]
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }

    /// Takes the value out and leaves the cell as if it were new.
    #[inline]
    pub fn take(&mut self) -> Option<T> {
        let value = self.value.get_mut().take();
        if value.is_some() {
            self.once.reset();
        }
        value
    }
}

const INITIALISED: &str = "an initialised cell has a value";

impl<T> Default for OnceLock<T> {
    #[track_caller]
    fn default() -> Self {
        Self::new()
    }
}

impl<T> From<T> for OnceLock<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Self { once: Once::completed(), value: UnsafeCell::new(Some(value)) }
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        match self.get() {
            Some(value) => Self::from(value.clone()),
            None => Self::new(),
        }
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for OnceLock<T> {}

impl<T: fmt::Debug> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_tuple("OnceLock");
        match self.get() {
            Some(value) => d.field(value),
            None => d.field(&format_args!("<uninit>")),
        };
        d.finish()
    }
}
