//! The object under test, which is whatever its harness says.
//!
//! It is leaked, so that what calls return may borrow from it for as long as the test runs. Who may borrow it
//! and how is not known to the compiler: it is up to the tests that are generated. They give `&mut` and
//! ownership only to calls before and after the threads, or to the one thread that has the part to itself.

use std::any::TypeId;

/// A part of an object, leaked.
#[derive(Clone, Copy)]
struct Part {
    /// An `Option` of the part's type: a call may have taken it.
    place: *mut (),
    type_id: TypeId,
    free: unsafe fn(*mut ()),
}

/// An object, in one or two parts.
#[derive(Clone, Copy)]
pub struct Object {
    parts: [Option<Part>; 2],
}

// SAFETY: The object is used as its parts allow. A harness is compiled only if each part is `Send`; tests
// share a part only if the harness says that it is `Sync`, which its compiler has checked.
unsafe impl Send for Object {}
// SAFETY: As above.
unsafe impl Sync for Object {}

impl Object {
    /// What constructors are given in the place of one.
    pub(crate) const fn nothing() -> Self {
        Self { parts: [None, None] }
    }

    /// An object of one part.
    pub fn one<T: Send + 'static>(part: T) -> Self {
        Self { parts: [Some(leak(part)), None] }
    }

    /// An object of two parts.
    pub fn two<T: Send + 'static, U: Send + 'static>((first, second): (T, U)) -> Self {
        Self { parts: [Some(leak(first)), Some(leak(second))] }
    }

    fn place<T: 'static>(&self, part: usize) -> Option<*mut Option<T>> {
        let part = self.parts.get(part).copied().flatten()?;
        (part.type_id == TypeId::of::<T>()).then_some(part.place.cast())
    }

    /// Borrows a part together with others. Nothing if it was taken away.
    pub(crate) fn shared<T: 'static>(&self, part: usize) -> Option<&'static T> {
        let place = self.place::<T>(part)?;
        // SAFETY: The place was leaked with this type. While a thread borrows the part exclusively, the test has no
        // other call of it: see the module.
        unsafe { (*place).as_ref() }
    }

    /// Borrows a part alone. Nothing if it was taken away.
    pub(crate) fn exclusive<T: 'static>(&self, part: usize) -> Option<&'static mut T> {
        let place = self.place::<T>(part)?;
        // SAFETY: The place was leaked with this type, and the test has no other call of this part now: see the
        // module. What earlier calls returned and still borrows it was dropped before they ended.
        unsafe { (*place).as_mut() }
    }

    /// Takes a part away. Nothing if that was done before.
    pub(crate) fn take<T: 'static>(&self, part: usize) -> Option<T> {
        let place = self.place::<T>(part)?;
        // SAFETY: As for `exclusive`.
        unsafe { (*place).take() }
    }

    /// Drops what is left of it.
    ///
    /// # Safety
    ///
    /// It must not be used any more, by nobody.
    pub(crate) unsafe fn free(self) {
        for part in self.parts.into_iter().flatten() {
            // SAFETY: The place was leaked with the type that `free` was made for; the caller promises the rest.
            unsafe { (part.free)(part.place) };
        }
    }
}

fn leak<T: Send + 'static>(part: T) -> Part {
    /// # Safety
    ///
    /// The place must be a leaked box of `Option<T>`.
    unsafe fn free<T>(place: *mut ()) {
        // SAFETY: Passed on to the caller.
        drop(unsafe { Box::from_raw(place.cast::<Option<T>>()) });
    }
    let place = Box::into_raw(Box::new(Some(part))).cast();
    Part { place, type_id: TypeId::of::<T>(), free: free::<T> }
}

/// Compiles only for types that threads may share.
pub fn needs_sync<T: Sync>() {}

/// Compiles only for types that may go to another thread.
pub fn needs_send<T: Send>() {}
