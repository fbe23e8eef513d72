//! Places of the program, numbered, so that requirements can be kept as pairs of small numbers.

use rustc_hash::FxHashMap;
use selvedge_model::{Site, Spot};

/// The number that stands for no place: nothing happened before.
pub(crate) const NOTHING: u32 = 0;

/// Numbers places from 1, and remembers the numbers of those asked for of late.
#[derive(Debug)]
pub(crate) struct Names {
    spots: Vec<Spot>,
    numbers: FxHashMap<Spot, u32>,
    recent: Vec<(usize, u32)>,
}

/// Enough for the loops of a test.
const SLOTS: usize = 256;

impl Names {
    pub(crate) fn new() -> Self {
        Self { spots: Vec::new(), numbers: FxHashMap::default(), recent: vec![(0, NOTHING); SLOTS] }
    }

    /// The number of a site, which is given one if it has none.
    #[inline]
    pub(crate) fn of_site(&mut self, site: Site) -> u32 {
        // The address is only ever compared, so that addresses decide nothing.
        let address = site.address();
        let slot = (address / align_of::<usize>()) % SLOTS;
        let (known, number) = self.recent[slot];
        if known == address {
            return number;
        }
        let number = self.of_spot(Spot::Line(site));
        self.recent[slot] = (address, number);
        number
    }

    /// The number of a place, which is given one if it has none.
    pub(crate) fn of_spot(&mut self, spot: Spot) -> u32 {
        let Self { spots, numbers, .. } = self;
        *numbers.entry(spot).or_insert_with(|| {
            spots.push(spot);
            spots.len() as u32
        })
    }

    /// The place with a number; nothing for [`NOTHING`].
    pub(crate) fn spot(&self, number: u32) -> Option<Spot> {
        (number != NOTHING).then(|| self.spots[number as usize - 1])
    }
}

/// Closing actions, numbered: a place, or a place and the thread's own one before it.
#[derive(Debug, Default)]
pub(crate) struct Seconds {
    pairs: Vec<(u32, u32)>,
    numbers: FxHashMap<(u32, u32), u32>,
}

impl Seconds {
    /// The number of an access and the one before it of the same thread.
    pub(crate) fn of(&mut self, before: u32, place: u32) -> u32 {
        let Self { pairs, numbers } = self;
        *numbers.entry((before, place)).or_insert_with(|| {
            pairs.push((before, place));
            pairs.len() as u32
        })
    }

    /// The number, if there is one.
    pub(crate) fn get(&self, before: u32, place: u32) -> Option<u32> {
        self.numbers.get(&(before, place)).copied()
    }

    /// The place before and the place.
    pub(crate) fn places(&self, number: u32) -> (u32, u32) {
        self.pairs[number as usize - 1]
    }
}
