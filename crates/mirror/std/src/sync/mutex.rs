//! Mirror of `std::sync::Mutex`; what it means to the engine is in `engine/objects/mutex.rs`.

use super::poison::{Entered, Poison};
use crate::noise;
use real::cell::UnsafeCell;
use real::fmt;
use real::marker::PhantomData;
use real::mem::{self, ManuallyDrop};
use real::ops::{Deref, DerefMut};
use real::panic::{RefUnwindSafe, UnwindSafe};
use real::sync::{LockResult, PoisonError, TryLockError, TryLockResult};
use selvedge_engine::{Controlled, Object, OutsideUse, Telling, Written};
use selvedge_model::{AccessKind, Site};

/// A mutual exclusion primitive; see [`std::sync::Mutex`].
pub struct Mutex<T: ?Sized> {
    pub(crate) object: Object,
    /// Protects the data outside of controlled executions.
    pub(crate) outside: real::sync::Mutex<()>,
    /// What the holder of the lock has to remember. It lies here and not in the guard, which is
    /// so no more than a reference and travels in a register.
    hold: UnsafeCell<Hold>,
    poison: Poison,
    data: UnsafeCell<T>,
}

/// What the holder of a lock remembers until it gives the lock back. Others overwrite it while a
/// holder has given the lock up to wait.
pub(crate) struct Hold {
    pub(crate) side: Side,
    pub(crate) entered: Entered,
    /// Whether a mutable reference was handed out since the lock was taken.
    pub(crate) written: Written,
    /// Where the lock was taken.
    pub(crate) site: Option<Site>,
}

/// On which side a lock is held.
pub(crate) enum Side {
    /// Not at all, or by a guard that has given it up to wait.
    Nowhere,
    /// By the engine's leave; whether somebody wants to know of accesses to the data.
    Controlled(Telling),
    /// By the real lock. Never dropped with the mutex: a guard that was forgotten leaves it
    /// behind, and then nobody may touch it again.
    Outside(ManuallyDrop<OutsideHold>),
}

/// Holding the real lock. The lifetimes are those of the borrow of the mutex by the guard, which
/// takes this out before it ends. Dropped in this order.
pub(crate) struct OutsideHold {
    pub(crate) real: real::sync::MutexGuard<'static, ()>,
    pub(crate) in_use: OutsideUse<'static>,
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
    not_send: PhantomData<*const ()>,
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
            hold: UnsafeCell::new(Hold {
                side: Side::Nowhere,
                entered: Entered::Calm,
                written: Written::No,
                site: None,
            }),
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
    // In the caller: every return after a switch of stacks is mispredicted.
    #[cfg_attr(selvedge_kit, inline)]
    #[cfg_attr(not(selvedge_kit), inline(always))]
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let site = Site::caller();
        match Controlled::current() {
            Some(controlled) => {
                controlled.mutex_lock(&self.object, site);
                self.taken(Side::Controlled(controlled.telling()), site)
            }
            None => self.lock_outside(site),
        }
    }

    #[cold]
    #[inline(never)]
    fn lock_outside(&self, site: Site) -> LockResult<MutexGuard<'_, T>> {
        noise::before_operation();
        let in_use = self.object.use_outside();
        let real = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
        noise::lock_taken(&self.object, &in_use, site);
        self.taken(outside(real, in_use), site)
    }

    /// Attempts to acquire this lock.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let site = Site::caller();
        let side = match Controlled::current() {
            Some(controlled) => {
                let taken = controlled.mutex_try_lock(&self.object, site);
                taken.then(|| Side::Controlled(controlled.telling()))
            }
            None => {
                noise::before_operation();
                let in_use = self.object.use_outside();
                let real = match self.outside.try_lock() {
                    Ok(real) => Some(real),
                    Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
                    Err(TryLockError::WouldBlock) => None,
                };
                real.map(|real| {
                    noise::lock_taken(&self.object, &in_use, site);
                    outside(real, in_use)
                })
            }
        };
        match side {
            Some(side) => Ok(self.taken(side, site)?),
            None => Err(TryLockError::WouldBlock),
        }
    }

    /// The caller has got the lock.
    #[inline]
    fn taken(&self, side: Side, site: Site) -> LockResult<MutexGuard<'_, T>> {
        // SAFETY: The caller holds the lock.
        let hold = unsafe { &mut *self.hold.get() };
        hold.side = side;
        hold.entered = Entered::now();
        hold.written = Written::No;
        hold.site = Some(site);
        self.poison.wrap(MutexGuard { lock: self, not_send: PhantomData })
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
            Ok(guard) => d.field("data", &guard.data()),
            Err(TryLockError::Poisoned(error)) => d.field("data", &error.get_ref().data()),
            Err(TryLockError::WouldBlock) => d.field("data", &format_args!("<locked>")),
        };
        d.field("poisoned", &self.is_poisoned());
        d.finish_non_exhaustive()
    }
}

/// Holds the real lock.
fn outside<'a>(real: real::sync::MutexGuard<'a, ()>, in_use: OutsideUse<'a>) -> Side {
    // SAFETY: Only the lifetimes change. What is stored is taken out by the guard that borrows
    // the mutex, so before `'a` ends, or never: it is not dropped with the mutex.
    let hold = unsafe {
        OutsideHold {
            real: mem::transmute::<
                real::sync::MutexGuard<'a, ()>,
                real::sync::MutexGuard<'static, ()>,
            >(real),
            in_use: mem::transmute::<OutsideUse<'a>, OutsideUse<'static>>(in_use),
        }
    };
    Side::Outside(ManuallyDrop::new(hold))
}

impl<T: ?Sized> MutexGuard<'_, T> {
    /// What the holder remembers.
    #[inline]
    pub(crate) fn hold(&mut self) -> &mut Hold {
        // SAFETY: The guard holds the lock and is borrowed mutably.
        unsafe { &mut *self.lock.hold.get() }
    }

    /// The data.
    #[inline]
    fn data(&self) -> &T {
        // SAFETY: The guard holds the lock.
        unsafe { &*self.lock.data.get() }
    }

    /// Whether somebody wants to know of accesses to the data.
    #[inline]
    fn is_told(&self) -> bool {
        // SAFETY: The guard holds the lock; only a mutable borrow of it writes there.
        matches!(unsafe { &(*self.lock.hold.get()).side }, Side::Controlled(Telling::Yes))
    }

    /// Tells of an access to the data.
    #[track_caller]
    fn tell(&self, kind: AccessKind) {
        if let Some(controlled) = Controlled::current() {
            controlled.data_access(&self.lock.object, kind, Site::caller());
        }
    }

    /// Whether the lock is poisoned, as the result of a wait says.
    pub(crate) fn wrap(self) -> LockResult<Self> {
        self.lock.poison.wrap(self)
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    #[track_caller]
    fn deref(&self) -> &T {
        if self.is_told() {
            self.tell(AccessKind::Read);
        }
        self.data()
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    #[track_caller]
    fn deref_mut(&mut self) -> &mut T {
        if self.is_told() {
            self.tell(AccessKind::Write);
        }
        self.hold().written = Written::Yes;
        // SAFETY: The guard holds the lock, and is borrowed mutably.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        let lock = self.lock;
        let hold = self.hold();
        if !matches!(hold.side, Side::Nowhere) {
            lock.poison.leave(hold.entered);
        }
        match mem::replace(&mut hold.side, Side::Nowhere) {
            Side::Nowhere => {}
            Side::Controlled(_) => {
                let (site, written) = (hold.site, hold.written);
                if let (Some(controlled), Some(site)) = (Controlled::current(), site) {
                    controlled.mutex_unlock(&lock.object, site, written);
                }
            }
            Side::Outside(outside) => drop(ManuallyDrop::into_inner(outside)),
        }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data().fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data().fmt(f)
    }
}
