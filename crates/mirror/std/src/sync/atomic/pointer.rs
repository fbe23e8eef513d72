//! Mirror of `std::sync::atomic::AtomicPtr`.

use super::{Ordering, Value, exchanged, failing, is_for_loads, is_for_stores};
use real::fmt;
use real::ptr;
use selvedge_engine::{Access, Controlled, Word};
use selvedge_model::Site;

/// Events tell of a pointer only whether it is null: addresses differ between executions.
impl<T> Value for *mut T {
    #[inline]
    fn shown(self) -> u64 {
        u64::from(!self.is_null())
    }

    #[inline]
    fn bits(self) -> u64 {
        self.expose_provenance() as u64
    }

    #[inline]
    fn access(from: Self, to: Self) -> Access {
        Access::of_addresses(from.addr(), to.addr())
    }
}

atomic! {
    /// A pointer that threads can share; see [`std::sync::atomic::AtomicPtr`].
    AtomicPtr<T>: *mut T = ptr::null_mut()
}

impl<T> AtomicPtr<T> {
    modifications! { *mut T:
        /// Moves the pointer on by `val` elements, wrapping around, and returns the one before.
        fetch_ptr_add(usize),
        /// Moves the pointer back by `val` elements, wrapping around, and returns the one before.
        fetch_ptr_sub(usize),
        /// Moves the pointer on by `val` bytes, wrapping around, and returns the one before.
        fetch_byte_add(usize),
        /// Moves the pointer back by `val` bytes, wrapping around, and returns the one before.
        fetch_byte_sub(usize),
        /// Sets the bits of the address that are set in `val`, and returns the pointer before.
        fetch_or(usize),
        /// Keeps the bits of the address that are set in `val`, and returns the pointer before.
        fetch_and(usize),
        /// Flips the bits of the address that are set in `val`, and returns the pointer before.
        fetch_xor(usize),
    }
}

/// Looks at the pointer without an operation that others would notice.
impl<T> fmt::Pointer for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&self.real, f)
    }
}
