//! The state of memory, by address.
//!
//! Memory is looked at in granules of eight bytes. Mostly a granule is accessed as a whole or in one
//! part, and has one cell. When parts of it are accessed separately, it has a cell for each set of
//! bytes that were always accessed together, so that neighbours are never taken for each other.

use rustc_hash::FxHashMap;
use std::ops::Range;

const GRANULE: usize = 8;
/// How many granules a page has.
const GRANULES: usize = 128;
const PAGE: usize = GRANULE * GRANULES;

/// Some bytes of one granule, and what is known of them.
#[derive(Clone, Debug, Default)]
struct Cell<T> {
    /// The bytes, a bit each; 0 if the cell is empty.
    bytes: u8,
    state: T,
}

impl<T: Default> Cell<T> {
    fn new(bytes: u8) -> Self {
        Self { bytes, state: T::default() }
    }
}

/// The cells of eight bytes.
#[derive(Clone, Debug, Default)]
struct Granule<T> {
    cell: Cell<T>,
    /// Cells beside the first.
    #[expect(clippy::box_collection, reason = "mostly there are none, and granules are many")]
    more: Option<Box<Vec<Cell<T>>>>,
}

struct Page<T> {
    /// The execution that has used the page last. What others left is not looked at.
    epoch: u64,
    granules: Box<[Granule<T>; GRANULES]>,
}

/// What a detector knows of the memory that an execution has accessed. Keeps its own memory from one
/// execution to the next.
#[derive(Default)]
pub(super) struct Shadow<T> {
    index: FxHashMap<usize, u32>,
    pages: Vec<Page<T>>,
    /// The page that was used last, which is the next one mostly.
    last: (usize, u32),
    epoch: u64,
}

impl<T: Clone + Default> Shadow<T> {
    /// A new execution begins: nothing has been accessed.
    pub(super) fn begin(&mut self) {
        self.epoch += 1;
        self.last = (usize::MAX, 0);
    }

    /// Calls `f` with the state of each cell of the given bytes, all of whose bytes are among them.
    #[inline]
    pub(super) fn each(&mut self, bytes: Range<usize>, mut f: impl FnMut(&mut T)) {
        let mut address = bytes.start;
        while address < bytes.end {
            let first = address % GRANULE;
            let last = (bytes.end - (address - first)).min(GRANULE);
            let mask = (0xff_u8 << first) & (0xff_u8 >> (GRANULE - last));
            self.granule(address).each(mask, &mut f);
            address += last - first;
        }
    }

    /// Calls `f` with the state of each cell that there is in the given bytes and forgets it.
    pub(super) fn take(&mut self, bytes: Range<usize>, mut f: impl FnMut(&mut T)) {
        let (first, last) = (bytes.start / PAGE, bytes.end.saturating_sub(1) / PAGE);
        // A large piece of memory has few pages that were accessed.
        let mut known: Vec<usize> = Vec::new();
        if last.saturating_sub(first) > self.index.len() {
            known.extend(self.index.keys().filter(|page| (first..=last).contains(*page)));
            known.sort_unstable();
        } else {
            known.extend(first..=last);
        }
        for number in known {
            let Some(&index) = self.index.get(&number) else { continue };
            let page = &mut self.pages[index as usize];
            if page.epoch != self.epoch {
                continue;
            }
            let start = bytes.start.max(number * PAGE);
            let end = bytes.end.min((number + 1) * PAGE);
            for address in (start / GRANULE..end.div_ceil(GRANULE)).map(|n| n * GRANULE) {
                let granule = &mut page.granules[address % PAGE / GRANULE];
                let first = start.saturating_sub(address);
                let last = (end - address).min(GRANULE);
                if granule.cell.bytes != 0 && first < last {
                    let mask = (0xff_u8 << first) & (0xff_u8 >> (GRANULE - last));
                    granule.take(mask, &mut f);
                }
            }
        }
    }

    #[inline]
    fn granule(&mut self, address: usize) -> &mut Granule<T> {
        let number = address / PAGE;
        let index = if self.last.0 == number { self.last.1 } else { self.page(number) };
        &mut self.pages[index as usize].granules[address % PAGE / GRANULE]
    }

    /// Looks a page up, or makes it.
    #[inline(never)]
    fn page(&mut self, number: usize) -> u32 {
        let next = self.pages.len() as u32;
        let index = *self.index.entry(number).or_insert(next);
        if index == next {
            let granules = vec![Granule::default(); GRANULES].into_boxed_slice();
            let granules = granules.try_into().ok().expect("made with this length");
            self.pages.push(Page { epoch: self.epoch, granules });
        }
        let page = &mut self.pages[index as usize];
        if page.epoch != self.epoch {
            page.epoch = self.epoch;
            page.granules.fill(Granule::default());
        }
        self.last = (number, index);
        index
    }
}

impl<T: Clone + Default> Granule<T> {
    #[inline]
    fn each(&mut self, mask: u8, f: &mut impl FnMut(&mut T)) {
        if self.cell.bytes == mask {
            return f(&mut self.cell.state);
        }
        if self.cell.bytes == 0 {
            self.cell = Cell::new(mask);
            return f(&mut self.cell.state);
        }
        self.split(mask);
        self.inside(mask).for_each(f);
    }

    fn cells(&mut self) -> impl Iterator<Item = &mut Cell<T>> {
        std::iter::once(&mut self.cell).chain(self.more.iter_mut().flat_map(|more| more.iter_mut()))
    }

    /// The states of the cells in the mask.
    fn inside(&mut self, mask: u8) -> impl Iterator<Item = &mut T> {
        self.cells().filter(move |cell| cell.bytes & mask != 0).map(|cell| &mut cell.state)
    }

    /// Makes cells such that each lies inside of the mask or outside of it, and each byte of the
    /// mask has one.
    #[cold]
    fn split(&mut self, mask: u8) {
        let mut missing = mask;
        let mut new = Vec::new();
        for cell in self.cells() {
            missing &= !cell.bytes;
            let (inside, outside) = (cell.bytes & mask, cell.bytes & !mask);
            if inside != 0 && outside != 0 {
                let mut other = cell.clone();
                other.bytes = outside;
                new.push(other);
                cell.bytes = inside;
            }
        }
        if missing != 0 {
            new.push(Cell::new(missing));
        }
        if !new.is_empty() {
            self.more.get_or_insert_default().append(&mut new);
        }
    }

    /// As [`each`](Self::each) for cells that there are, which are gone afterwards.
    fn take(&mut self, mask: u8, f: &mut impl FnMut(&mut T)) {
        self.split(mask);
        self.inside(mask).for_each(f);
        let mut left = self.more.take().map(|more| *more).unwrap_or_default();
        left.push(std::mem::take(&mut self.cell));
        left.retain(|cell| cell.bytes & mask == 0 && cell.bytes != 0);
        self.cell = left.pop().unwrap_or_default();
        self.more = (!left.is_empty()).then(|| Box::new(left));
    }
}
