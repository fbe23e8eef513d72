//! The allocator of a program whose tests bring one of their own.
//!
//! What the test allocates comes from its allocator. What the engine and its helpers allocate beside it does not: a test
//! that counts allocations would count those, and one that fails them would fail the engine. They are told apart by
//! address when they are freed (`own.rs`).
//!
//! In a process in which nothing is explored, all comes from the test's allocator.

use crate::own;
use selvedge_engine::heap::is_for_engine;
use std::alloc::{GlobalAlloc, Layout};

/// An allocator of a test, and ours beside it.
#[derive(Debug)]
pub struct Behind<T: 'static>(&'static T);

impl<T> Behind<T> {
    /// The program's allocator, if this is the test's.
    pub const fn new(test: &'static T) -> Self {
        Self(test)
    }
}

// SAFETY: Each block is given back to the one that it came from, which its address tells. Both are allocators.
unsafe impl<T: GlobalAlloc> GlobalAlloc for Behind<T> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match is_for_engine() {
            true => own::allocate(layout),
            // SAFETY: Passed on to the caller.
            false => unsafe { self.0.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match is_for_engine() {
            true => own::allocate_zeroed(layout),
            // SAFETY: Passed on to the caller.
            false => unsafe { self.0.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: Passed on to the caller; a block of ours has come from there.
        unsafe {
            match own::contains(block) {
                true => own::free(block, layout),
                false => self.0.dealloc(block, layout),
            }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: As above.
        unsafe {
            match own::contains(block) {
                true => own::resize(block, layout, size),
                false => self.0.realloc(block, layout, size),
            }
        }
    }
}
