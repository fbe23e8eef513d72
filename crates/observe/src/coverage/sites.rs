//! Places of the program, numbered.

use super::fact::SiteNumber;
use rustc_hash::FxHashMap;
use selvedge_model::{Place, Site, Source, Spot};

/// Every place that was met, numbered in the order of meeting.
pub struct Sites {
    spots: Vec<Spot>,
    /// A hash of each place's text.
    marks: Vec<u64>,
    numbers: FxHashMap<Spot, SiteNumber>,
    /// The number of the site whose location lies at an address, where it was looked up last. The
    /// addresses are no part of any result: they only save looking at the location itself.
    recent: Box<[(usize, SiteNumber); RECENT]>,
    /// Places that came as data, so that each becomes a site once.
    read: FxHashMap<Source, SiteNumber>,
}

const RECENT: usize = 256;

impl Default for Sites {
    fn default() -> Self {
        let recent = Box::new([(0, 0); RECENT]);
        Self {
            spots: Vec::new(),
            marks: Vec::new(),
            numbers: FxHashMap::default(),
            recent,
            read: FxHashMap::default(),
        }
    }
}

impl Sites {
    /// The number of a place in the source.
    #[inline]
    pub fn of_site(&mut self, site: Site) -> SiteNumber {
        let address = site.address();
        let slot = (address / align_of::<usize>()) % RECENT;
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
        let Self { spots, marks, numbers, .. } = self;
        *numbers.entry(spot).or_insert_with(|| {
            spots.push(spot);
            marks.push(mark(spot));
            (spots.len() - 1) as SiteNumber
        })
    }

    /// The number of a place that comes from elsewhere as data.
    pub(crate) fn of_place(&mut self, place: &Place) -> SiteNumber {
        let source = match place {
            Place::Line(source) => source,
            Place::Code(address) => return self.of_spot(Spot::Code(*address)),
        };
        if let Some(&number) = self.read.get(source) {
            return number;
        }
        let number = self.of_spot(Spot::Line(Site::read(source.clone())));
        self.read.insert(source.clone(), number);
        number
    }

    /// The place with a number.
    pub(crate) fn spot(&self, number: SiteNumber) -> Spot {
        self.spots[number as usize]
    }

    /// How many places there are.
    pub(crate) fn len(&self) -> usize {
        self.spots.len()
    }

    /// A number that is made of the text of a place, and so is the same in every run.
    pub(crate) fn mark(&self, number: SiteNumber) -> u64 {
        self.marks[number as usize]
    }

    /// The place with a number, for people.
    ///
    /// # Panics
    ///
    /// Panics if the number was not given out here.
    pub fn place(&self, number: SiteNumber) -> Place {
        self.spots[number as usize].into()
    }
}

/// FNV-1a of the text of a place.
fn mark(spot: Spot) -> u64 {
    let text = match spot {
        Spot::Line(site) => site.to_string(),
        Spot::Code(address) => address.to_string(),
    };
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
