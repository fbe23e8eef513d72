//! Places: the operations of a program as it is written, numbered.

use rustc_hash::FxHashMap;
use selvedge_model::{OperationKind, Site};

/// An operation at a site.
pub(crate) type Place = (OperationKind, Site);

/// Numbers places, and remembers the numbers of those asked for of late.
#[derive(Debug)]
pub(crate) struct Places {
    numbers: FxHashMap<Place, u32>,
    /// By their numbers.
    all: Vec<Place>,
    recent: Vec<(OperationKind, usize, u32)>,
}

/// Enough for the loops of a test.
const SLOTS: usize = 128;
/// The number of a place that has none.
const UNKNOWN: u32 = u32::MAX;

impl Places {
    pub(crate) fn new() -> Self {
        let none = (OperationKind::Yield, 0, UNKNOWN);
        Self { numbers: FxHashMap::default(), all: Vec::new(), recent: vec![none; SLOTS] }
    }

    /// How many places there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The place with a number.
    pub(crate) fn place(&self, number: u32) -> Place {
        self.all[number as usize]
    }

    /// The number of a place, if it has one.
    #[inline]
    pub(crate) fn get(&mut self, (kind, site): Place) -> Option<usize> {
        let address = site.address();
        // The address is only ever compared, so that addresses decide nothing.
        let slot = (address / 8 + kind as usize * 31) % SLOTS;
        let (recent_kind, recent_address, number) = self.recent[slot];
        let number = if recent_kind == kind && recent_address == address {
            number
        } else {
            let number = self.numbers.get(&(kind, site)).copied().unwrap_or(UNKNOWN);
            if number != UNKNOWN {
                self.recent[slot] = (kind, address, number);
            }
            number
        };
        (number != UNKNOWN).then_some(number as usize)
    }

    /// The number of a place, which is given one if it has none.
    pub(crate) fn number(&mut self, place: Place) -> usize {
        match self.get(place) {
            Some(number) => number,
            None => {
                let number = self.all.len() as u32;
                self.numbers.insert(place, number);
                self.all.push(place);
                number as usize
            }
        }
    }
}
