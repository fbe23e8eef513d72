//! What memory is filled with, so that it can be told when it is used in the wrong way.

/// New memory. As an address it is not one that can be accessed.
pub(super) const NEW: u64 = 0x0000_3a3a_3a3a_3a3a;
/// Freed memory. As an address it is one that is far from everything that is mapped, so that an
/// access through a pointer that was read from freed memory is refused with this address. Aligned,
/// so that checks in debug builds do not come first.
pub(super) const FREED: u64 = 0x0000_2dea_d2de_ad20;
/// An access as far from [`FREED`] as this is one to a field or an element.
const NEAR: u64 = 1 << 20;
/// Of larger blocks only this much is filled; the rest goes back to the system.
const MOST: usize = 1 << 20;
/// Memory goes back to the system in multiples of this.
const PAGE: usize = 64 << 10;

/// Whether an access to this address is likely to be one through a pointer out of freed memory.
pub(super) fn is_near(address: usize) -> bool {
    (address as u64).abs_diff(FREED) <= NEAR
}

/// Fills whole words.
#[inline]
pub(super) fn fill(address: usize, bytes: usize, with: u64) {
    // SAFETY: Callers pass a part of a block of theirs, which is aligned to words, is mapped, and is
    // in nobody's use.
    unsafe { std::slice::from_raw_parts_mut(address as *mut u64, bytes / 8) }.fill(with);
}

/// Fills a block that was freed.
#[inline]
pub(super) fn spoil(block: usize, capacity: usize) {
    if capacity <= MOST {
        return fill(block, capacity, FREED);
    }
    fill(block, MOST, FREED);
    let rest = (block + MOST).next_multiple_of(PAGE)..(block + capacity) / PAGE * PAGE;
    if !rest.is_empty() {
        super::span::give_back(rest);
    }
}

/// Whether a block is as [`spoil`] left it.
pub(super) fn is_intact(block: usize, capacity: usize) -> bool {
    // SAFETY: Callers pass a freed block of theirs. Whoever writes to it now does so in the same
    // thread, and not while this runs.
    let words = unsafe { std::slice::from_raw_parts(block as *const u64, capacity.min(MOST) / 8) };
    // Without an early exit, eight at a time.
    words.chunks(64).all(|words| words.iter().fold(0, |all, word| all | (word ^ FREED)) == 0)
}
