//! Mirror of `std::sync::RwLock`; what it means to the engine is in `engine/objects/rwlock.rs`.

use super::poison::{Entered, Poison};
use crate::noise;
use real::cell::UnsafeCell;
use real::fmt;
use real::marker::PhantomData;
use real::mem::ManuallyDrop;
use real::ops::{Deref, DerefMut};
use real::panic::{RefUnwindSafe, UnwindSafe};
use real::ptr::{self, NonNull};
use real::sync::{LockResult, PoisonError, TryLockError, TryLockResult};
use selvedge_engine::{Controlled, Object, OutsideUse, Telling, Written};
use selvedge_model::{AccessKind, Site};

/// A lock for many readers or one writer; see [`std::sync::RwLock`].
pub struct RwLock<T: ?Sized> {
    pub(crate) object: Object,
    /// Protects the data outside of controlled executions.
    outside: real::sync::RwLock<()>,
    poison: Poison,
    data: UnsafeCell<T>,
}

// SAFETY: As with the real lock, the data is reached mutably only by the one writer and otherwise
// by readers: outside of executions the real lock sees to that, inside the engine does, and
// `Object` sees to it that both are never in use at the same time.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: As above; several readers may have the data at a time, hence `T: Sync`.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}

impl<T: ?Sized> UnwindSafe for RwLock<T> {}
impl<T: ?Sized> RefUnwindSafe for RwLock<T> {}

/// Shared access to the data of a lock; see [`std::sync::RwLockReadGuard`].
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockReadGuard<'a, T: ?Sized + 'a> {
    /// The data. Not a reference to the lock, which would make the guard invariant in `T`; not a
    /// reference to the data, which would have to stay valid until the end of the guard's drop.
    data: NonNull<T>,
    object: &'a Object,
    holding: Holding<'a, real::sync::RwLockReadGuard<'a, ()>>,
    /// Where the lock was taken.
    site: Site,
}

/// Exclusive access to the data of a lock; see [`std::sync::RwLockWriteGuard`].
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockWriteGuard<'a, T: ?Sized + 'a> {
    lock: &'a RwLock<T>,
    holding: Holding<'a, real::sync::RwLockWriteGuard<'a, ()>>,
    entered: Entered,
    /// Whether a mutable reference was handed out since the lock was taken.
    written: Written,
    /// Where the lock was taken.
    site: Site,
    not_send: PhantomData<*const ()>,
}

/// On which side the lock is held.
enum Holding<'a, G> {
    /// By the engine's leave; whether somebody wants to know of accesses to the data.
    Controlled(Telling),
    /// By the real lock. Dropped in this order.
    Outside { real: G, in_use: OutsideUse<'a> },
}

impl<'a, G> Holding<'a, G> {
    /// Tells of an access to the data, if somebody wants to know.
    #[inline]
    #[track_caller]
    fn tell(&self, lock: &Object, kind: AccessKind) {
        if let Self::Controlled(Telling::Yes) = self
            && let Some(controlled) = Controlled::current()
        {
            controlled.data_access(lock, kind, Site::caller());
        }
    }

    /// Lets a run with noise know that the real lock was taken.
    fn note_taken(&self, lock: &Object, site: Site) {
        if let Self::Outside { in_use, .. } = self {
            noise::lock_taken(lock, in_use, site);
        }
    }

    /// What the real lock's `try_` methods say.
    fn tried(real: TryLockResult<G>, in_use: OutsideUse<'a>) -> Option<Self> {
        match real {
            Ok(real) => Some(Self::Outside { real, in_use }),
            Err(TryLockError::Poisoned(error)) => {
                Some(Self::Outside { real: error.into_inner(), in_use })
            }
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

// SAFETY: As for the real guard: it gives shared access to the data and nothing else.
unsafe impl<T: ?Sized + Sync> Sync for RwLockReadGuard<'_, T> {}
// SAFETY: As above.
unsafe impl<T: ?Sized + Sync> Sync for RwLockWriteGuard<'_, T> {}

impl<T> RwLock<T> {
    /// Creates a lock that nobody holds.
    #[inline]
    #[track_caller]
    pub const fn new(t: T) -> Self {
        Self {
            object: Object::new(Site::caller()),
            outside: real::sync::RwLock::new(()),
            poison: Poison::new(),
            data: UnsafeCell::new(t),
        }
    }

    /// Consumes the lock and returns the data.
    pub fn into_inner(self) -> LockResult<T> {
        let Self { poison, data, .. } = self;
        poison.wrap(data.into_inner())
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Takes the lock for reading, waiting while a writer has it.
    #[inline]
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let site = Site::caller();
        let holding = match Controlled::current() {
            Some(controlled) => {
                controlled.rwlock_read(&self.object, site);
                Holding::Controlled(controlled.telling())
            }
            None => {
                noise::before_operation();
                let in_use = self.object.use_outside();
                let real = self.outside.read().unwrap_or_else(PoisonError::into_inner);
                noise::lock_taken(&self.object, &in_use, site);
                Holding::Outside { real, in_use }
            }
        };
        self.poison.wrap(RwLockReadGuard::new(self, holding, site))
    }

    /// Takes the lock for reading if no writer has it.
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let site = Site::caller();
        let holding = match Controlled::current() {
            Some(controlled) => {
                let taken = controlled.rwlock_try_read(&self.object, site);
                taken.then(|| Holding::Controlled(controlled.telling()))
            }
            None => {
                noise::before_operation();
                let in_use = self.object.use_outside();
                Holding::tried(self.outside.try_read(), in_use)
                    .inspect(|holding| holding.note_taken(&self.object, site))
            }
        };
        match holding {
            Some(holding) => Ok(self.poison.wrap(RwLockReadGuard::new(self, holding, site))?),
            None => Err(TryLockError::WouldBlock),
        }
    }

    /// Takes the lock for writing, waiting until nobody has it.
    #[inline]
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let site = Site::caller();
        let holding = match Controlled::current() {
            Some(controlled) => {
                controlled.rwlock_write(&self.object, site);
                Holding::Controlled(controlled.telling())
            }
            None => {
                noise::before_operation();
                let in_use = self.object.use_outside();
                let real = self.outside.write().unwrap_or_else(PoisonError::into_inner);
                noise::lock_taken(&self.object, &in_use, site);
                Holding::Outside { real, in_use }
            }
        };
        self.poison.wrap(RwLockWriteGuard::new(self, holding, site))
    }

    /// Takes the lock for writing if nobody has it.
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let site = Site::caller();
        let holding = match Controlled::current() {
            Some(controlled) => {
                let taken = controlled.rwlock_try_write(&self.object, site);
                taken.then(|| Holding::Controlled(controlled.telling()))
            }
            None => {
                noise::before_operation();
                let in_use = self.object.use_outside();
                Holding::tried(self.outside.try_write(), in_use)
                    .inspect(|holding| holding.note_taken(&self.object, site))
            }
        };
        match holding {
            Some(holding) => Ok(self.poison.wrap(RwLockWriteGuard::new(self, holding, site))?),
            None => Err(TryLockError::WouldBlock),
        }
    }

    /// Whether a writer has panicked.
    #[inline]
    pub fn is_poisoned(&self) -> bool {
        self.poison.is_set()
    }

    /// Forgets that a writer has panicked.
    #[inline]
    pub fn clear_poison(&self) {
        self.poison.clear();
    }

    /// Gives access to the data without taking the lock: nobody else can reach it.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let Self { poison, data, .. } = self;
        poison.wrap(data.get_mut())
    }
}

impl<T> From<T> for RwLock<T> {
    #[track_caller]
    fn from(t: T) -> Self {
        Self::new(t)
    }
}

impl<T: Default> Default for RwLock<T> {
    #[track_caller]
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut d = f.debug_struct("RwLock");
        match self.try_read() {
            Ok(guard) => d.field("data", &guard.data()),
            Err(TryLockError::Poisoned(error)) => d.field("data", &error.get_ref().data()),
            Err(TryLockError::WouldBlock) => d.field("data", &format_args!("<locked>")),
        };
        d.field("poisoned", &self.is_poisoned());
        d.finish_non_exhaustive()
    }
}

impl<'a, T: ?Sized> RwLockReadGuard<'a, T> {
    #[inline]
    fn new(
        lock: &'a RwLock<T>,
        holding: Holding<'a, real::sync::RwLockReadGuard<'a, ()>>,
        site: Site,
    ) -> Self {
        // SAFETY: A pointer to a part of the lock is not null.
        let data = unsafe { NonNull::new_unchecked(lock.data.get()) };
        Self { data, object: &lock.object, holding, site }
    }

    /// The data.
    #[inline]
    fn data(&self) -> &T {
        // SAFETY: The guard holds the lock for reading.
        unsafe { self.data.as_ref() }
    }
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    #[inline]
    fn new(
        lock: &'a RwLock<T>,
        holding: Holding<'a, real::sync::RwLockWriteGuard<'a, ()>>,
        site: Site,
    ) -> Self {
        let (entered, written) = (Entered::now(), Written::No);
        Self { lock, holding, entered, written, site, not_send: PhantomData }
    }

    /// The data.
    #[inline]
    fn data(&self) -> &T {
        // SAFETY: The guard holds the lock for writing.
        unsafe { &*self.lock.data.get() }
    }

    /// Turns exclusive into shared access, letting no other writer in between.
    #[track_caller]
    pub fn downgrade(s: Self) -> RwLockReadGuard<'a, T> {
        let site = Site::caller();
        // The lock is not given back, so the guard's drop must not run.
        let guard = ManuallyDrop::new(s);
        // SAFETY: The guard is not used or dropped any more, so nobody else drops what is moved
        // out of it here; its other fields have nothing to drop.
        let holding = match unsafe { ptr::read(&raw const guard.holding) } {
            Holding::Controlled(telling) => {
                if let Some(controlled) = Controlled::current() {
                    controlled.rwlock_downgrade(&guard.lock.object, site, guard.written);
                }
                Holding::Controlled(telling)
            }
            Holding::Outside { real, in_use } => {
                let real = real::sync::RwLockWriteGuard::downgrade(real);
                noise::lock_taken(&guard.lock.object, &in_use, site);
                Holding::Outside { real, in_use }
            }
        };
        RwLockReadGuard::new(guard.lock, holding, site)
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    #[inline]
    #[track_caller]
    fn deref(&self) -> &T {
        self.holding.tell(self.object, AccessKind::Read);
        self.data()
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    #[inline]
    #[track_caller]
    fn deref(&self) -> &T {
        self.holding.tell(&self.lock.object, AccessKind::Read);
        self.data()
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    #[inline]
    #[track_caller]
    fn deref_mut(&mut self) -> &mut T {
        self.holding.tell(&self.lock.object, AccessKind::Write);
        self.written = Written::Yes;
        // SAFETY: The guard holds the lock for writing, and is borrowed mutably.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if let Holding::Controlled(_) = self.holding
            && let Some(controlled) = Controlled::current()
        {
            controlled.rwlock_read_unlock(self.object, self.site);
        }
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.poison.leave(self.entered);
        if let Holding::Controlled(_) = self.holding
            && let Some(controlled) = Controlled::current()
        {
            controlled.rwlock_write_unlock(&self.lock.object, self.site, self.written);
        }
    }
}

/// Guards are shown as the data that they give access to.
macro_rules! shown_as_data {
    ($($guard:ident)+) => {
        $(
            impl<T: ?Sized + fmt::Debug> fmt::Debug for $guard<'_, T> {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.data().fmt(f)
                }
            }

            impl<T: ?Sized + fmt::Display> fmt::Display for $guard<'_, T> {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.data().fmt(f)
                }
            }
        )+
    };
}

shown_as_data! { RwLockReadGuard RwLockWriteGuard }
