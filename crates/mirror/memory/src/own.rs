//! Memory of the engine's own, in a range of addresses by which its blocks are known.
//!
//! The sizes of blocks are powers of two, and freed ones are kept in a list for each. The range is far larger than what is
//! ever used; memory is taken from the system where it is touched. When it is used up there is no more.

use std::alloc::Layout;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How many addresses there are.
const RANGE: usize = 1 << 36;
/// The smallest block has so many bytes, and is aligned to as many.
const SMALLEST: usize = 16;
/// Sizes from the smallest block to the whole range.
const SIZES: usize = 33;
/// Blocks are aligned to their size, but to no more than this.
const PAGE: usize = 4096;

selvedge_engine::kept! {
    /// Where the range begins; 0 before it is there.
    static BEGIN: AtomicUsize = AtomicUsize::new(0);
    static RESERVED: Once = Once::new();
    static SPACE: Space = Space {
        taken: AtomicBool::new(false),
        free: [const { AtomicUsize::new(0) }; SIZES],
        next: AtomicUsize::new(0),
    };
}

/// What is free. A lock that waits by spinning: others wait for the allocator themselves.
struct Space {
    taken: AtomicBool,
    /// The first free block of each size, which has the address of the next in it.
    free: [AtomicUsize; SIZES],
    /// Everything from here on was never used.
    next: AtomicUsize,
}

impl Space {
    fn lock(&self) {
        while self.taken.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
    }

    fn unlock(&self) {
        self.taken.store(false, Ordering::Release);
    }
}

extern "C" fn before_fork() {
    SPACE.lock();
}

extern "C" fn after_fork() {
    SPACE.unlock();
}

/// Reserves the range.
#[cold]
fn begin() -> usize {
    RESERVED.call_once(|| {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: A new range, at no address in particular. The functions are ours; a child of a fork may
        // allocate, and nobody else is there who could unlock.
        let range = unsafe {
            libc::pthread_atfork(Some(before_fork), Some(after_fork), Some(after_fork));
            libc::mmap(ptr::null_mut(), RANGE, protection, flags, -1, 0)
        };
        if range != libc::MAP_FAILED {
            SPACE.next.store(range as usize, Ordering::Relaxed);
            BEGIN.store(range as usize, Ordering::Release);
        }
    });
    BEGIN.load(Ordering::Acquire)
}

/// Whether a block came from here.
#[inline]
pub(crate) fn contains(block: *const u8) -> bool {
    let begin = BEGIN.load(Ordering::Acquire);
    begin != 0 && (block as usize).wrapping_sub(begin) < RANGE
}

/// The number of the smallest size that is large enough.
fn size_number(layout: Layout) -> usize {
    let size = layout.size().max(layout.align()).max(SMALLEST).next_power_of_two();
    (size / SMALLEST).trailing_zeros() as usize
}

/// A block; null if there is no room, or it is to be aligned to more than a page.
pub(crate) fn allocate(layout: Layout) -> *mut u8 {
    let number = size_number(layout);
    if BEGIN.load(Ordering::Acquire) == 0 && begin() == 0
        || number >= SIZES
        || layout.align() > PAGE
    {
        return ptr::null_mut();
    }
    SPACE.lock();
    let first = SPACE.free[number].load(Ordering::Relaxed);
    let block = if first != 0 {
        // SAFETY: A free block of ours, which has the address of the next one in it.
        SPACE.free[number].store(unsafe { (first as *const usize).read() }, Ordering::Relaxed);
        first
    } else {
        let size = SMALLEST << number;
        let next = SPACE.next.load(Ordering::Relaxed).next_multiple_of(size.min(PAGE));
        let fits = next + size <= BEGIN.load(Ordering::Relaxed) + RANGE;
        SPACE.next.store(if fits { next + size } else { next }, Ordering::Relaxed);
        if fits { next } else { 0 }
    };
    SPACE.unlock();
    block as *mut u8
}

/// As [`allocate`], with zeros in it.
pub(crate) fn allocate_zeroed(layout: Layout) -> *mut u8 {
    let block = allocate(layout);
    if !block.is_null() {
        // SAFETY: The block is as large as was asked for, and nobody else's.
        unsafe { block.write_bytes(0, layout.size()) };
    }
    block
}

/// Gives a block back.
///
/// # Safety
///
/// It came from here with this layout, and nobody uses it any more.
pub(crate) unsafe fn free(block: *mut u8, layout: Layout) {
    let number = size_number(layout);
    SPACE.lock();
    let next = SPACE.free[number].swap(block as usize, Ordering::Relaxed);
    // SAFETY: The block is at least as large as an address, aligned to one, and nobody else's.
    unsafe { block.cast::<usize>().write(next) };
    SPACE.unlock();
    // What is large is not kept from the system.
    let size = SMALLEST << number;
    if size > 64 * PAGE {
        // SAFETY: The pages after the first, which has the address in it, belong to the block and have
        // nothing in them that anybody wants.
        unsafe { libc::madvise(block.add(PAGE).cast(), size - PAGE, libc::MADV_DONTNEED) };
    }
}

/// The block with another size.
///
/// # Safety
///
/// As [`free`]; nobody uses the old block any more if there is a new one.
pub(crate) unsafe fn resize(block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    // SAFETY: The caller of `realloc` promises that the size is possible with this alignment.
    let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
    if size_number(new) == size_number(layout) {
        return block;
    }
    let moved = allocate(new);
    if !moved.is_null() {
        // SAFETY: Both blocks are as large as is copied, and the new one is nobody else's.
        unsafe {
            block.copy_to_nonoverlapping(moved, layout.size().min(size));
            free(block, layout);
        }
    }
    moved
}
