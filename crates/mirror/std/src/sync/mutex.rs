//! Mirror of `std::sync::Mutex`; what it means to the engine is in `engine/objects/mutex.rs`.

use super::poison::{Entered, Poison};
use real::cell::{Cell, UnsafeCell};
use real::fmt;
use real::marker::PhantomData;
use real::ops::{Deref, DerefMut};
use real::panic::{RefUnwindSafe, UnwindSafe};
use real::sync::{LockResult, PoisonError, TryLockError, TryLockResult};
use selvedge_engine::{Controlled, Object, OutsideUse, Written};
use selvedge_model::Site;

/// A mutual exclusion primitive; see [`std::sync::Mutex`].
pub struct Mutex<T: ?Sized> {
    pub(crate) object: Object,
    /// Protects the data outside of controlled executions.
    pub(crate) outside: real::sync::Mutex<()>,
    poison: Poison,
    data: UnsafeCell<T>,
}

// SAFETY: The data is reached only by the holder of the lock, as with the real mutex: outside of
// executions the real lock sees to that, inside the engine does, and `Object` sees to it that both
// are never in use at the same time.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: As above.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

impl<T: ?Sized> UnwindSafe for Mutex<T> {}
impl<T: ?Sized> RefUnwindSafe for Mutex<T> {}

/// An RAII lock guard; see [`std::sync::MutexGuard`].
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, T: ?Sized + 'a> {
    pub(crate) lock: &'a Mutex<T>,
    pub(crate) holding: Holding<'a>,
    entered: Entered,
    /// Whether a mutable reference was handed out since the lock was taken.
    pub(crate) written: Cell<Written>,
    /// Where the lock was taken.
    site: Site,
    not_send: PhantomData<*const ()>,
}

/// On which side the lock is held.
pub(crate) enum Holding<'a> {
    /// By the engine's leave.
    Controlled,
    /// By the real lock. Dropped in this order.
    Outside { real: real::sync::MutexGuard<'a, ()>, in_use: OutsideUse<'a> },
    /// Not at all: the guard gave the lock up to wait.
    Nothing,
}

// SAFETY: As for the real guard: it gives shared access to the data and nothing else.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<T> Mutex<T> {
    /// Creates a new mutex in an unlocked state ready for use.
    #[inline]
    #[track_caller]
    pub const fn new(value: T) -> Self {
        Self {
            object: Object::new(Site::caller()),
            outside: real::sync::Mutex::new(()),
            poison: Poison::new(),
            data: UnsafeCell::new(value),
        }
    }

    /// Consumes this mutex, returning the underlying data.
    pub fn into_inner(self) -> LockResult<T> {
        let Self { poison, data, .. } = self;
        poison.wrap(data.into_inner())
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Acquires the mutex, blocking the current thread until it is able to do so.
    #[inline]
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let site = Site::caller();
        let holding = match Controlled::current() {
            Some(controlled) => {
                controlled.mutex_lock(&self.object, site);
                Holding::Controlled
            }
            None => self.lock_outside(),
        };
        self.poison.wrap(MutexGuard::new(self, holding, site))
    }

    fn lock_outside(&self) -> Holding<'_> {
        let in_use = self.object.use_outside();
        let real = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
        Holding::Outside { real, in_use }
    }

    /// Attempts to acquire this lock.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let site = Site::caller();
        let holding = match Controlled::current() {
            Some(controlled) => {
                controlled.mutex_try_lock(&self.object, site).then_some(Holding::Controlled)
            }
            None => {
                let in_use = self.object.use_outside();
                match self.outside.try_lock() {
                    Ok(real) => Some(Holding::Outside { real, in_use }),
                    Err(TryLockError::Poisoned(error)) => {
                        Some(Holding::Outside { real: error.into_inner(), in_use })
                    }
                    Err(TryLockError::WouldBlock) => None,
                }
            }
        };
        match holding {
            Some(holding) => Ok(self.poison.wrap(MutexGuard::new(self, holding, site))?),
            None => Err(TryLockError::WouldBlock),
        }
    }

    /// Determines whether the mutex is poisoned.
    #[inline]
    pub fn is_poisoned(&self) -> bool {
        self.poison.is_set()
    }

    /// Clears the poisoned state from a mutex.
    #[inline]
    pub fn clear_poison(&self) {
        self.poison.clear();
    }

    /// Returns a mutable reference to the underlying data.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let Self { poison, data, .. } = self;
        poison.wrap(data.get_mut())
    }
}

impl<T> From<T> for Mutex<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Default> Default for Mutex<T> {
    #[track_caller]
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_struct("Mutex");
        match self.try_lock() {
            Ok(guard) => d.field("data", &&*guard),
            Err(TryLockError::Poisoned(error)) => d.field("data", &&**error.get_ref()),
            Err(TryLockError::WouldBlock) => d.field("data", &format_args!("<locked>")),
        };
        d.field("poisoned", &self.is_poisoned());
        d.finish_non_exhaustive()
    }
}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    #[inline]
    pub(crate) fn new(lock: &'a Mutex<T>, holding: Holding<'a>, site: Site) -> Self {
        let (entered, written) = (Entered::now(), Cell::new(Written::No));
        Self { lock, holding, entered, written, site, not_send: PhantomData }
    }
}

impl<T: ?Sized> MutexGuard<'_, T> {
    /// Whether the lock is poisoned, as the result of a wait says.
    pub(crate) fn wrap(self) -> LockResult<Self> {
        self.lock.poison.wrap(self)
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: The guard holds the lock.
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.written.set(Written::Yes);
        // SAFETY: The guard holds the lock, and is borrowed mutably.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        match &self.holding {
            Holding::Nothing => {}
            Holding::Outside { .. } => self.lock.poison.leave(self.entered),
            Holding::Controlled => {
                self.lock.poison.leave(self.entered);
                if let Some(controlled) = Controlled::current() {
                    controlled.mutex_unlock(&self.lock.object, self.site, self.written.get());
                }
            }
        }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
