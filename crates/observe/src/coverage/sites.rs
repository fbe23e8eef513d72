//! Places of the program, numbered.

use super::fact::SiteNumber;
use rustc_hash::FxHashMap;
use selvedge_model::{Place, Site, Spot};

/// Every place that was met, numbered in the order of meeting.
pub struct Sites {
    spots: Vec<Spot>,
    numbers: FxHashMap<Spot, SiteNumber>,
    /// The number of the site whose location lies at an address, where it was looked up last. The
    /// addresses are no part of any result: they only save looking at the location itself.
    recent: Box<[(usize, SiteNumber); RECENT]>,
}

const RECENT: usize = 256;

impl Default for Sites {
    fn default() -> Self {
        let recent = Box::new([(0, 0); RECENT]);
        Self { spots: Vec::new(), numbers: FxHashMap::default(), recent }
    }
}

impl Sites {
    /// The number of a place in the source.
    #[inline]
    pub fn of_site(&mut self, site: Site) -> SiteNumber {
        let address = std::ptr::from_ref(site.location()) as usize;
        let slot = (address / size_of::<std::panic::Location<'_>>()) % RECENT;
        let (known, number) = self.recent[slot];
        if known == address {
            return number;
        }
        let number = self.of_spot(Spot::Line(site));
        self.recent[slot] = (address, number);
        number
    }

    /// The number of a place in the program.
    pub fn of_spot(&mut self, spot: Spot) -> SiteNumber {
        let spots = &mut self.spots;
        *self.numbers.entry(spot).or_insert_with(|| {
            spots.push(spot);
            (spots.len() - 1) as SiteNumber
        })
    }

    /// The place with a number, for people.
    ///
    /// # Panics
    ///
    /// Panics if the number was not given out here.
    pub fn place(&self, number: SiteNumber) -> Place {
        match self.spots[number as usize] {
            Spot::Line(site) => Place::Line(site.source()),
            Spot::Code(address) => Place::Code(address),
        }
    }
}
