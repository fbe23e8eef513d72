//! Memory that a process shares with those that it forks.

use std::ops::Deref;
use std::ptr::NonNull;

/// What can lie in shared memory.
///
/// # Safety
///
/// A value of which all bytes are zero must be valid, and every part of it must be an atomic: both
/// processes use it at the same time.
pub(crate) unsafe trait Shareable: Sync {}

/// A value that this process and its children have in common; at first all its bytes are zero.
#[derive(Debug)]
pub(crate) struct Shared<T: Shareable>(NonNull<T>);

// SAFETY: It gives out shared references only, and what lies there may be shared between threads.
unsafe impl<T: Shareable> Send for Shared<T> {}
// SAFETY: As above.
unsafe impl<T: Shareable> Sync for Shared<T> {}

impl<T: Shareable> Shared<T> {
    pub(crate) fn new() -> Self {
        match NonNull::new(memory::get(size_of::<T>()).cast()) {
            Some(at) => Self(at),
            None => std::alloc::handle_alloc_error(std::alloc::Layout::new::<T>()),
        }
    }
}

impl<T: Shareable> Deref for Shared<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: The memory is at least as large as the value, aligned to a page, zeroed, which is
        // a valid value, and lives for as long as this.
        unsafe { self.0.as_ref() }
    }
}

impl<T: Shareable> Drop for Shared<T> {
    fn drop(&mut self) {
        // SAFETY: It was got with this size, and nobody refers to it any more.
        unsafe { memory::give_back(self.0.as_ptr().cast(), size_of::<T>()) };
    }
}

#[cfg(all(unix, not(miri)))]
mod memory {
    use std::ptr;

    /// Zeroed pages, or null.
    pub(super) fn get(size: usize) -> *mut u8 {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
        // SAFETY: New pages that nobody knows yet, wherever the kernel likes.
        let at = unsafe { libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0) };
        if at == libc::MAP_FAILED { ptr::null_mut() } else { at.cast() }
    }

    /// # Safety
    ///
    /// `at` must come from `get` with the same size and must not be used any more.
    pub(super) unsafe fn give_back(at: *mut u8, size: usize) {
        // SAFETY: Passed on to the caller.
        unsafe { libc::munmap(at.cast(), size) };
    }
}

/// Elsewhere there are no children to share it with.
#[cfg(not(all(unix, not(miri))))]
mod memory {
    use std::alloc::{Layout, alloc_zeroed, dealloc};

    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, 64).expect("what is shared is small")
    }

    pub(super) fn get(size: usize) -> *mut u8 {
        // SAFETY: What is shared is not empty.
        unsafe { alloc_zeroed(layout(size)) }
    }

    /// # Safety
    ///
    /// `at` must come from `get` with the same size and must not be used any more.
    pub(super) unsafe fn give_back(at: *mut u8, size: usize) {
        // SAFETY: Passed on to the caller.
        unsafe { dealloc(at, layout(size)) };
    }
}
