//! Address space from Linux.

use std::ops::Range;
use std::ptr;

/// Where the span begins. Far from where programs, heaps, libraries and stacks are put.
const START: usize = 0x5e1_0000_0000;
/// How much address space a slot has.
pub(crate) const SLOT: usize = 16 << 30;

/// Reserves so many bytes, at the usual place if it is free.
pub(super) fn map(size: usize) -> Option<usize> {
    map_at(START, size, libc::MAP_FIXED_NOREPLACE).or_else(|| map_at(0, size, 0))
}

/// Gives the memory behind addresses back to the system; they read as zero then. The addresses
/// must be those of whole pages in a slot of the caller's.
pub(crate) fn give_back(range: Range<usize>) {
    // SAFETY: The range is part of the span, which is private memory of ours. What was there is
    // not used any more.
    unsafe { libc::madvise(range.start as *mut _, range.len(), libc::MADV_DONTNEED) };
}

/// How many bytes of these addresses the system has given memory to: whatever was touched since it was
/// mapped or given back.
pub(crate) fn resident(range: Range<usize>) -> usize {
    // SAFETY: Asking for the size of a page has no preconditions.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let (mut at, end) = (range.start.next_multiple_of(page), range.end / page * page);
    let mut pages = [0_u8; 4096];
    let mut resident = 0;
    while at < end {
        let size = (end - at).min(pages.len() * page);
        // SAFETY: The range is part of the span, which is mapped, and the vector has a byte for each
        // page of it.
        if unsafe { libc::mincore(at as *mut _, size, pages.as_mut_ptr()) } != 0 {
            // Not known, so all of it counts.
            return range.len();
        }
        resident += pages[..size / page].iter().filter(|page| **page & 1 != 0).count() * page;
        at += size;
    }
    resident
}

fn map_at(address: usize, size: usize, flags: i32) -> Option<usize> {
    let flags = flags | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: A new mapping, which replaces none that is there.
    let start =
        unsafe { libc::mmap(ptr::without_provenance_mut(address), size, access, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: The mapping was just made. Leaving it out of core dumps is all that is asked.
    unsafe { libc::madvise(start, size, libc::MADV_DONTDUMP) };
    Some(start as usize)
}
