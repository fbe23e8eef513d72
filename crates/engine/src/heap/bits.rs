//! A bit for each granule of a slot.

use super::block::GRANULE;
use super::span::SLOT;

/// How much memory the bits of a slot take.
pub(super) const SIZE: usize = SLOT / GRANULE / 8;

/// One bit for each granule of a slot, in the memory of the slot itself.
#[derive(Clone, Copy)]
pub(super) struct Bits(pub(super) *mut u64);

impl Bits {
    /// The bit of a granule.
    #[inline(always)]
    pub(super) fn get(self, granule: usize) -> bool {
        // SAFETY: Granules of the slot have their bit within `SIZE` bytes, which are mapped.
        unsafe { *self.0.add(granule / 64) & (1 << (granule % 64)) != 0 }
    }

    /// Sets the bit of a granule.
    #[inline(always)]
    pub(super) fn set(self, granule: usize) {
        // SAFETY: As in `get`; the owner of the slot is the only one who writes.
        unsafe { *self.0.add(granule / 64) |= 1 << (granule % 64) };
    }

    /// Sets (`!0`) or clears (`0`) the bits of a number of granules in a row.
    #[inline]
    pub(super) fn fill(self, first: usize, count: usize, with: u64) {
        let (mut at, end) = (first, first + count);
        while at < end {
            let (word, bit) = (at / 64, at % 64);
            let here = (64 - bit).min(end - at);
            let mask = (u64::MAX >> (64 - here)) << bit;
            // SAFETY: As in `set`.
            unsafe {
                let word = self.0.add(word);
                *word = (*word & !mask) | (with & mask);
            }
            at += here;
        }
    }

    /// The last granule up to this one whose bit is set, none below `least`.
    pub(super) fn last_up_to(self, granule: usize, least: usize) -> Option<usize> {
        let mut word = granule / 64;
        let mut mask = u64::MAX >> (63 - granule % 64);
        loop {
            // SAFETY: As in `get`.
            let found = unsafe { *self.0.add(word) } & mask;
            if found != 0 {
                let granule = word * 64 + found.ilog2() as usize;
                return (granule >= least).then_some(granule);
            }
            if word * 64 <= least {
                return None;
            }
            word -= 1;
            mask = u64::MAX;
        }
    }
}
