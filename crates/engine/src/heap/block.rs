//! A block of memory and what is known about it.

use selvedge_model::CodeAddress;

/// Blocks begin at multiples of this and have multiples of it as their size.
pub(super) const GRANULE: usize = 16;

/// How many return addresses are noted.
pub(crate) const FRAMES: usize = 9;

/// Who did something to a block and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Note {
    /// The number of the thread; [`Note::NOBODY`] if it was code of the engine.
    pub(crate) thread: u32,
    /// How many events there had been.
    pub(crate) step: u32,
    /// Where the calls come from, innermost first, relative to the program; 0 after the last.
    pub(crate) frames: [u32; FRAMES],
}

impl Note {
    /// The engine, on behalf of a thread.
    pub(crate) const NOBODY: Self = Self { thread: u32::MAX, step: 0, frames: [0; FRAMES] };

    /// Where the calls come from, innermost first.
    pub(crate) fn frames(&self) -> impl Iterator<Item = CodeAddress> + '_ {
        let frames = self.frames.iter().take_while(|&&frame| frame != 0);
        frames.map(|&frame| CodeAddress(u64::from(frame)))
    }
}

/// Where a block is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum State {
    Live,
    /// Freed, filled with poison, not to be used again for a while.
    Quarantined,
    /// Freed long ago, and next to be used again.
    Reusable,
}

/// Stands before each block.
#[repr(C, align(16))]
pub(super) struct Header {
    /// What was asked for, in bytes.
    pub(super) size: usize,
    /// What there is, in granules.
    pub(super) capacity: u32,
    /// The next block of the list that this one is in: the number of its first granule.
    pub(super) next: u32,
    pub(super) allocated: Note,
    pub(super) freed: Note,
    pub(super) state: State,
    /// The alignment, as the number of times that a granule is doubled.
    pub(super) alignment: u8,
}

/// The distance from a header to its block.
pub(super) const HEADER: usize = size_of::<Header>();
const _: () = assert!(HEADER == 112 && HEADER.is_multiple_of(GRANULE));

/// What a finding needs to know about a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRecord {
    /// What was asked for, in bytes.
    pub(crate) size: usize,
    /// Who allocated it.
    pub(crate) allocated: Note,
    /// Who freed it, if it is free.
    pub(crate) freed: Option<Note>,
}

/// Sizes that are treated alike, so that one freed block can stand in for another: multiples of
/// the granule at first, then eight steps from each power of two to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) number: usize,
    pub(super) capacity: usize,
}

/// Up to here sizes are multiples of the granule.
const FINE: usize = 1 << 10;
/// The number of classes of sizes that fit into a slot.
pub(super) const CLASSES: usize = FINE / GRANULE + 25 * 8 + 1;

impl Class {
    pub(super) fn of(size: usize) -> Self {
        let size = size.max(1);
        if size <= FINE {
            let granules = size.div_ceil(GRANULE);
            return Self { number: granules, capacity: granules * GRANULE };
        }
        let octave = (size - 1).ilog2();
        let step = 1 << (octave - 3);
        let steps = (size - (1 << octave)).div_ceil(step);
        let below = FINE / GRANULE + (octave as usize - FINE.ilog2() as usize) * 8;
        Self { number: below + steps, capacity: (1 << octave) + steps * step }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_in_the_order_of_their_sizes_and_waste_little() {
        let mut before = Class { number: 0, capacity: 0 };
        for size in (1..100_000).chain((100_000..1 << 34).step_by(9_999_991)) {
            let class = Class::of(size);
            assert!(class.capacity >= size && class.capacity.is_multiple_of(GRANULE));
            assert!(class.capacity - size < GRANULE.max(size / 8 + 1), "{size}");
            assert!(class.number < CLASSES, "{size}");
            assert_eq!(class.number == before.number, class.capacity == before.capacity, "{size}");
            assert!(class.number >= before.number, "{size}");
            before = class;
        }
    }
}
