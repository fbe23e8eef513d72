//! Mirror of `std::thread::LocalKey` and `thread_local!`; where the values of controlled threads
//! are kept is in `engine/local.rs`.
//!
//! All threads of a controlled execution run on one operating-system thread. So a key has one
//! value for each of them, which the engine keeps, and one for each ordinary thread, which a real
//! thread-local keeps.

use real::cell::{Cell, RefCell};
use real::error::Error;
use real::fmt;
use selvedge_engine::{Controlled, LocalId, LocalState};

/// A thread-local; see [`std::thread::LocalKey`]. Made by [`thread_local!`](crate::thread_local).
pub struct LocalKey<T: 'static> {
    id: &'static LocalId,
    init: fn() -> T,
    outside: &'static real::thread::LocalKey<T>,
}

/// A thread-local was used whose destructor had run already, or was running; see
/// [`std::thread::AccessError`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessError;

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("already destroyed")
    }
}

impl Error for AccessError {}

impl AccessError {
    /// What methods do that have no way to tell of the error.
    #[cold]
    #[track_caller]
    fn fail<R>(self) -> R {
        panic!("cannot access a Thread Local Storage value during or after destruction: {self:?}")
    }
}

/// What is found when a key is looked up.
enum Found<T> {
    /// The value.
    There(*const T),
    /// The value, which was made of what the caller had to offer.
    Made(*const T),
}

impl<T: 'static> LocalKey<T> {
    /// The key that `thread_local!` expands to.
    #[doc(hidden)]
    pub const fn new(
        id: &'static LocalId,
        init: fn() -> T,
        outside: &'static real::thread::LocalKey<T>,
    ) -> Self {
        Self { id, init, outside }
    }

    /// The value of the running thread of an execution. If there is none yet, it is made by
    /// `make`.
    fn find(
        &'static self,
        controlled: Controlled,
        make: impl FnOnce() -> T,
    ) -> Result<Found<T>, AccessError> {
        match controlled.local(self.id) {
            LocalState::Alive(value) => Ok(Found::There(value)),
            LocalState::Destroyed => Err(AccessError),
            LocalState::Absent => {
                let value = make();
                // There is an earlier value if `make` has used this key itself. It goes after the
                // new one has taken its place, because its destructor may use the key again.
                let (value, earlier) = controlled.set_local(self.id, value);
                drop(earlier);
                Ok(Found::Made(value))
            }
        }
    }

    /// Makes a value of `offer` if the running thread of an execution has none yet, otherwise runs
    /// `f` on the value that it has.
    fn with_offer<U>(
        &'static self,
        controlled: Controlled,
        offer: U,
        make: fn(U) -> T,
        f: impl FnOnce(&T, U),
    ) -> Result<(), AccessError> {
        let mut offer = Some(offer);
        let found = self.find(controlled, || offer.take().map_or_else(self.init, make))?;
        if let (Found::There(value), Some(offer)) = (found, offer) {
            // SAFETY: As in `try_with`.
            f(unsafe { &*value }, offer);
        }
        Ok(())
    }

    /// Runs `f` on the calling thread's value, which is made first if there is none.
    #[track_caller]
    pub fn with<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        match self.try_with(f) {
            Ok(result) => result,
            Err(error) => error.fail(),
        }
    }

    /// Runs `f` on the calling thread's value, which is made first if there is none, unless it
    /// has been destroyed.
    #[inline]
    #[track_caller]
    pub fn try_with<F, R>(&'static self, f: F) -> Result<R, AccessError>
    where
        F: FnOnce(&T) -> R,
    {
        match Controlled::current() {
            Some(controlled) => {
                let (Found::There(value) | Found::Made(value)) =
                    self.find(controlled, self.init)?;
                // SAFETY: The value stays where it is, and alive, until the thread ends, and this
                // call returns before. (A second initialisation would replace it, but only an
                // initialisation that uses its own key causes one, and that has ended by now.)
                // Other threads do not reach it.
                Ok(f(unsafe { &*value }))
            }
            None => self.outside.try_with(f).map_err(|_| AccessError),
        }
    }
}

impl<T: 'static> LocalKey<Cell<T>> {
    /// Sets the value. If there is none yet, this is the first, and the initialiser never runs.
    #[track_caller]
    pub fn set(&'static self, value: T) {
        let Some(controlled) = Controlled::current() else { return self.outside.set(value) };
        self.with_offer(controlled, value, Cell::new, Cell::set).unwrap_or_else(AccessError::fail);
    }

    /// A copy of the value.
    #[track_caller]
    pub fn get(&'static self) -> T
    where
        T: Copy,
    {
        self.with(Cell::get)
    }

    /// Takes the value and leaves the default.
    #[track_caller]
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(Cell::take)
    }

    /// Sets the value and hands the one before back.
    #[track_caller]
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> LocalKey<RefCell<T>> {
    /// Runs `f` on a shared borrow of the value.
    #[track_caller]
    pub fn with_borrow<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        self.with(|cell| f(&cell.borrow()))
    }

    /// Runs `f` on a mutable borrow of the value.
    #[track_caller]
    pub fn with_borrow_mut<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&mut T) -> R,
    {
        self.with(|cell| f(&mut cell.borrow_mut()))
    }

    /// Sets the value. If there is none yet, this is the first, and the initialiser never runs.
    #[track_caller]
    pub fn set(&'static self, value: T) {
        let Some(controlled) = Controlled::current() else { return self.outside.set(value) };
        self.with_offer(controlled, value, RefCell::new, |cell, value| {
            cell.replace(value);
        })
        .unwrap_or_else(AccessError::fail);
    }

    /// Takes the value and leaves the default.
    #[track_caller]
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(RefCell::take)
    }

    /// Sets the value and hands the one before back.
    #[track_caller]
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}

/// What the expansion of `thread_local!` names.
#[doc(hidden)]
pub mod local_impl {
    pub use real::thread_local as real_thread_local;
    pub use selvedge_engine::LocalId;
}

/// Declares thread-locals; see [`std::thread_local!`].
///
/// Each becomes a constant [`LocalKey`](crate::thread::LocalKey), with an identity for the
/// engine, an initialiser and a real thread-local inside. The names of these are long because the
/// initialiser that the user wrote can see them.
#[macro_export]
macro_rules! thread_local {
    () => {};

    // The value is a constant.
    ($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = const $init:block
     $(; $($rest:tt)*)?) => {
        $(#[$attribute])*
        $visibility const $name: $crate::thread::LocalKey<$type> = {
            const __SELVEDGE_LOCAL_INIT: $type = $init;
            fn __selvedge_local_init() -> $type {
                __SELVEDGE_LOCAL_INIT
            }
            $crate::thread_local!(
                @key $type, __selvedge_local_init, const { __SELVEDGE_LOCAL_INIT }
            )
        };
        $($crate::thread_local! { $($rest)* })?
    };

    // The value is computed when a thread first uses it.
    ($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = $init:expr
     $(; $($rest:tt)*)?) => {
        $(#[$attribute])*
        $visibility const $name: $crate::thread::LocalKey<$type> = {
            fn __selvedge_local_init() -> $type {
                $init
            }
            $crate::thread_local!(@key $type, __selvedge_local_init, __selvedge_local_init())
        };
        $($crate::thread_local! { $($rest)* })?
    };

    (@key $type:ty, $init:ident, $($outside:tt)+) => {{
        static __SELVEDGE_LOCAL_ID: $crate::thread::local_impl::LocalId =
            $crate::thread::local_impl::LocalId::new();
        $crate::thread::local_impl::real_thread_local! {
            static __SELVEDGE_LOCAL_OUTSIDE: $type = $($outside)+
        }
        $crate::thread::LocalKey::new(&__SELVEDGE_LOCAL_ID, $init, &__SELVEDGE_LOCAL_OUTSIDE)
    }};
}
