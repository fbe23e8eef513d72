//! What `std` does not have: declarations of test authors, for detectors.

use crate::sync::{Mutex, RwLock};
use selvedge_engine::{BlockEdge, Controlled, Member};
use selvedge_model::Site;

/// Runs the closure as a block that is meant to happen in one go.
#[track_caller]
pub fn atomically<R>(block: impl FnOnce() -> R) -> R {
    let site = Site::caller();
    if let Some(controlled) = Controlled::current() {
        controlled.block(BlockEdge::Enter, site);
    }
    let _leave = Leave(site);
    block()
}

/// Leaves the block, also when it panics.
struct Leave(Site);

impl Drop for Leave {
    fn drop(&mut self) {
        if let Some(controlled) = Controlled::current() {
            controlled.block(BlockEdge::Leave, self.0);
        }
    }
}

/// Something that threads share and that can belong together with others.
pub trait Shared {
    /// As the engine knows it.
    #[doc(hidden)]
    fn member(&self) -> Member<'_>;
}

impl<T: ?Sized> Shared for Mutex<T> {
    fn member(&self) -> Member<'_> {
        Member::Mutex(&self.object)
    }
}

impl<T: ?Sized> Shared for RwLock<T> {
    fn member(&self) -> Member<'_> {
        Member::RwLock(&self.object)
    }
}

macro_rules! atomics {
    ($($atomic:ident,)+) => {$(
        impl Shared for crate::sync::atomic::$atomic {
            fn member(&self) -> Member<'_> {
                Member::Atomic(std::ptr::from_ref(self) as usize)
            }
        }
    )+};
}

atomics! {
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize,
    AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize,
}

/// Declares that these are one thing in several parts: a block that uses several of them must not
/// be interrupted by another one that does.
#[track_caller]
pub fn belong_together(members: &[&dyn Shared]) {
    let site = Site::caller();
    if let Some(controlled) = Controlled::current() {
        for (number, member) in members.iter().enumerate() {
            controlled.belongs_together(member.member(), number as u64, site);
        }
    }
}
