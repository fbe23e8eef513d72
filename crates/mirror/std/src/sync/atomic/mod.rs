//! Mirror of `std::sync::atomic`; what it means to the engine is in `engine/objects/atomic.rs`.
//!
//! Each type is nothing but the real atomic, so that its layout is the same; the engine knows it
//! by its address. The real access has the ordering that the caller asked for also under control:
//! the engine does not need it, but an atomic, unlike a lock, may be shared with threads that are
//! not under control. An ordering that makes no sense for an operation is left to the real one,
//! which panics.

#[macro_use]
mod common;
mod boolean;
mod integer;
mod pointer;

pub use boolean::AtomicBool;
pub use integer::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicU8, AtomicU16, AtomicU32,
    AtomicU64, AtomicUsize,
};
pub use pointer::AtomicPtr;
pub use real::sync::atomic::{Ordering, compiler_fence};

use selvedge_engine::{Access, Controlled};
use selvedge_model::Site;

/// An atomic that is `false`; see [`std::sync::atomic::ATOMIC_BOOL_INIT`].
#[deprecated(since = "1.34.0", note = "the `new` function is now preferred")]
#[expect(clippy::declare_interior_mutable_const, reason = "std has it")]
pub const ATOMIC_BOOL_INIT: AtomicBool = AtomicBool::new(false);

/// An atomic that is zero; see [`std::sync::atomic::ATOMIC_ISIZE_INIT`].
#[deprecated(since = "1.34.0", note = "the `new` function is now preferred")]
#[expect(clippy::declare_interior_mutable_const, reason = "std has it")]
pub const ATOMIC_ISIZE_INIT: AtomicIsize = AtomicIsize::new(0);

/// An atomic that is zero; see [`std::sync::atomic::ATOMIC_USIZE_INIT`].
#[deprecated(since = "1.34.0", note = "the `new` function is now preferred")]
#[expect(clippy::declare_interior_mutable_const, reason = "std has it")]
pub const ATOMIC_USIZE_INIT: AtomicUsize = AtomicUsize::new(0);

/// Orders the accesses before it and after it; see [`std::sync::atomic::fence`].
#[inline]
#[track_caller]
pub fn fence(order: Ordering) {
    real::sync::atomic::fence(order);
    if let Some(controlled) = Controlled::current() {
        controlled.fence(order, Site::caller());
    }
}

/// Says that the caller waits in a loop; see [`std::sync::atomic::spin_loop_hint`].
#[deprecated(since = "1.51.0", note = "use `hint::spin_loop` instead")]
#[inline]
#[track_caller]
pub fn spin_loop_hint() {
    crate::hint::spin_loop();
}

/// What can be in an atomic, as events show it.
trait Value: Copy {
    /// The value as a number that is the same in every execution.
    fn shown(self) -> u64;

    /// The value as it lies in memory, in the lower bits.
    #[inline]
    fn bits(self) -> u64 {
        self.shown()
    }

    /// The value of `from` was read and replaced by that of `to`.
    #[inline]
    fn access(from: Self, to: Self) -> Access {
        Access::of_values(from.shown(), to.shown())
    }
}

/// What a compare-exchange did.
#[inline]
fn exchanged<V: Value>(result: Result<V, V>, new: V) -> Access {
    match result {
        Ok(from) => V::access(from, new),
        Err(found) => V::access(found, found),
    }
}

/// Whether a load can have the ordering, and so can a compare-exchange that fails.
#[inline]
fn is_for_loads(order: Ordering) -> bool {
    !matches!(order, Ordering::Release | Ordering::AcqRel)
}

/// Whether a store can have the ordering.
#[inline]
fn is_for_stores(order: Ordering) -> bool {
    !matches!(order, Ordering::Acquire | Ordering::AcqRel)
}

/// The strongest ordering of a failure that goes with the ordering of a success.
#[inline]
fn failing(order: Ordering) -> Ordering {
    match order {
        Ordering::Release => Ordering::Relaxed,
        Ordering::AcqRel => Ordering::Acquire,
        other => other,
    }
}
