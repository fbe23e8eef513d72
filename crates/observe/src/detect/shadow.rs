//! The state of memory, by address.
//!
//! Memory is looked at in granules of eight bytes. Mostly a granule is accessed as a whole or in one
//! part, and has one cell. When parts of it are accessed separately, it has a cell for each set of
//! bytes that were always accessed together, so that neighbours are never taken for each other. A
//! page that was only ever accessed as a whole, as copies and fills do, has one state for all of it.
//!
//! What is kept has a limit. Beyond it, the pages that have been known for longest are forgotten:
//! they look as if nobody had ever accessed them.

use rustc_hash::FxHashMap;
use std::ops::Range;

const GRANULE: usize = 8;
/// How many granules a page has.
const GRANULES: usize = 128;
const PAGE: usize = GRANULE * GRANULES;

/// So much is kept from one execution to the next, in bytes.
const KEPT: usize = 16 << 20;

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

/// What is known of a page.
enum Content<T> {
    /// Nobody has accessed it.
    Nothing,
    /// All of it was always accessed together.
    Whole(T),
    Parts(Box<[Granule<T>; GRANULES]>),
}

struct Page<T> {
    /// Which page it is.
    number: usize,
    /// The execution that has used the page last. What others left is not looked at.
    epoch: u64,
    content: Content<T>,
    /// What its granules hold beside themselves, in bytes.
    beside: usize,
}

impl<T> Page<T> {
    /// How much memory it takes at least: its entry in the index has a share of empty ones.
    const LEAST: usize = size_of::<Self>() + 2 * size_of::<(usize, u32)>();

    /// How much memory it takes.
    fn weight(&self) -> usize {
        let parts = match self.content {
            Content::Nothing | Content::Whole(_) => 0,
            Content::Parts(_) => size_of::<[Granule<T>; GRANULES]>(),
        };
        Self::LEAST + parts + self.beside
    }
}

/// What a detector knows of the memory that an execution has accessed. Keeps some of its own memory
/// from one execution to the next.
pub(super) struct Shadow<T> {
    index: FxHashMap<usize, u32>,
    pages: Vec<Page<T>>,
    /// The page that was used last, which is the next one mostly.
    last: (usize, u32),
    epoch: u64,
    /// How much memory all pages take together, and how much they may.
    weight: usize,
    limit: usize,
    /// The next page to be forgotten.
    oldest: usize,
    /// How many pages of this execution were forgotten.
    forgotten: u64,
    /// How much a state holds beside itself, in bytes.
    weigh: fn(&T) -> usize,
}

impl<T> Shadow<T> {
    /// Takes no more memory than the limit, in bytes. `weigh` says how much a state holds beside
    /// itself.
    pub(super) fn new(limit: usize, weigh: fn(&T) -> usize) -> Self {
        Self {
            index: FxHashMap::default(),
            pages: Vec::new(),
            last: (usize::MAX, 0),
            epoch: 0,
            weight: 0,
            limit,
            oldest: 0,
            forgotten: 0,
            weigh,
        }
    }
}

impl<T: Clone + Default> Shadow<T> {
    /// A new execution begins: nothing has been accessed.
    pub(super) fn begin(&mut self) {
        self.epoch += 1;
        self.last = (usize::MAX, 0);
        self.forgotten = 0;
        if self.weight > KEPT {
            self.empty();
        }
    }

    /// The execution is over: what it needed beyond the ordinary is given back.
    pub(super) fn end(&mut self) {
        if self.weight > KEPT {
            self.empty();
        }
    }

    fn empty(&mut self) {
        self.index = FxHashMap::default();
        self.pages = Vec::new();
        self.last = (usize::MAX, 0);
        self.weight = 0;
        self.oldest = 0;
    }

    /// How many bytes of the execution's memory were forgotten, counted each time.
    pub(super) fn forgotten(&self) -> u64 {
        self.forgotten * PAGE as u64
    }

    /// Calls `f` with the state of each cell of the given bytes, all of whose bytes are among them.
    #[inline]
    pub(super) fn each(&mut self, bytes: Range<usize>, mut f: impl FnMut(&mut T)) {
        let mut address = bytes.start;
        while address < bytes.end {
            let number = address / PAGE;
            let end = bytes.end.min((number + 1) * PAGE);
            let index = if self.last.0 == number { self.last.1 } else { self.page(number) };
            let page = &mut self.pages[index as usize];
            if end - address == PAGE && !matches!(page.content, Content::Parts(_)) {
                let before = page.beside;
                page.beside = page.whole(&mut f, self.weigh);
                self.weight = self.weight + page.beside - before;
            } else {
                self.parts(index, address..end, &mut f);
            }
            address = end;
        }
    }

    /// As [`each`](Self::each), for a part of a page.
    #[inline]
    fn parts(&mut self, index: u32, bytes: Range<usize>, f: &mut impl FnMut(&mut T)) {
        let weigh = self.weigh;
        let page = &mut self.pages[index as usize];
        let before = match page.content {
            Content::Parts(_) => page.beside,
            Content::Nothing | Content::Whole(_) => {
                let before = page.weight();
                page.divide(weigh);
                self.weight += page.weight() - before;
                page.beside
            }
        };
        let Content::Parts(granules) = &mut page.content else { return };
        let mut beside = before;
        let mut address = bytes.start;
        while address < bytes.end {
            let first = address % GRANULE;
            let last = (bytes.end - (address - first)).min(GRANULE);
            let mask = (0xff_u8 << first) & (0xff_u8 >> (GRANULE - last));
            let granule = &mut granules[address % PAGE / GRANULE];
            let cells = granule.count();
            granule.each(mask, &mut |state| {
                let held = weigh(state);
                f(state);
                beside = (beside + weigh(state)).saturating_sub(held);
            });
            beside += (granule.count() - cells) * size_of::<Cell<T>>();
            address += last - first;
        }
        page.beside = beside;
        self.weight = (self.weight + beside).saturating_sub(before);
        if self.weight > self.limit {
            self.forget_oldest(index);
        }
    }

    /// Forgets pages until there is room again, but not the one that is being used.
    #[cold]
    fn forget_oldest(&mut self, used: u32) {
        for _ in 0..self.pages.len() {
            if self.weight <= self.limit {
                return;
            }
            let oldest = self.oldest % self.pages.len();
            self.oldest = oldest + 1;
            let page = &mut self.pages[oldest];
            if oldest == used as usize || matches!(page.content, Content::Nothing) {
                continue;
            }
            let before = page.weight();
            (page.content, page.beside) = (Content::Nothing, 0);
            self.weight -= before - page.weight();
            self.forgotten += u64::from(page.epoch == self.epoch);
        }
    }

    /// Calls `f` with the state of each cell that there is in the given bytes and forgets it.
    pub(super) fn take(&mut self, bytes: Range<usize>, mut f: impl FnMut(&mut T)) {
        let numbers = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
        if numbers.len() > self.pages.len() {
            for index in 0..self.pages.len() {
                if numbers.contains(&self.pages[index].number) {
                    self.take_from(index, &bytes, &mut f);
                }
            }
            return;
        }
        for number in numbers {
            if let Some(&index) = self.index.get(&number) {
                self.take_from(index as usize, &bytes, &mut f);
            }
        }
    }

    fn take_from(&mut self, index: usize, bytes: &Range<usize>, f: &mut impl FnMut(&mut T)) {
        let weigh = self.weigh;
        let page = &mut self.pages[index];
        if page.epoch != self.epoch {
            return;
        }
        let start = bytes.start.max(page.number * PAGE);
        let end = bytes.end.min((page.number + 1) * PAGE);
        let before = page.weight();
        if let Content::Whole(state) = &mut page.content
            && end - start == PAGE
        {
            f(state);
            (page.content, page.beside) = (Content::Nothing, 0);
        } else if let Content::Whole(_) = page.content {
            page.divide(weigh);
        }
        if let Content::Parts(granules) = &mut page.content {
            let mut beside = page.beside;
            for address in (start / GRANULE..end.div_ceil(GRANULE)).map(|n| n * GRANULE) {
                let granule = &mut granules[address % PAGE / GRANULE];
                let first = start.saturating_sub(address);
                let last = (end - address).min(GRANULE);
                if granule.cell.bytes != 0 && first < last {
                    let mask = (0xff_u8 << first) & (0xff_u8 >> (GRANULE - last));
                    let held = granule.beside(weigh);
                    granule.take(mask, f);
                    beside = (beside + granule.beside(weigh)).saturating_sub(held);
                }
            }
            page.beside = beside;
            if end - start == PAGE {
                (page.content, page.beside) = (Content::Nothing, 0);
            }
        }
        self.weight = (self.weight + page.weight()).saturating_sub(before);
    }

    /// Looks a page up, or makes it. If even pages of which nothing is known are too many, all of them
    /// are forgotten.
    #[inline(never)]
    fn page(&mut self, number: usize) -> u32 {
        if self.pages.len() * Page::<T>::LEAST > self.limit / 2 {
            self.forgotten += self.pages.len() as u64;
            self.empty();
        }
        let next = self.pages.len() as u32;
        let index = *self.index.entry(number).or_insert(next);
        if index == next {
            let page = Page { number, epoch: self.epoch, content: Content::Nothing, beside: 0 };
            self.weight += page.weight();
            self.pages.push(page);
            if self.weight > self.limit {
                self.forget_oldest(index);
            }
        }
        let page = &mut self.pages[index as usize];
        if page.epoch != self.epoch {
            page.epoch = self.epoch;
            let before = page.weight();
            match &mut page.content {
                Content::Parts(granules) => granules.fill(Granule::default()),
                content => *content = Content::Nothing,
            }
            page.beside = 0;
            self.weight -= before - page.weight();
        }
        self.last = (number, index);
        index
    }
}

impl<T: Clone + Default> Page<T> {
    /// Calls `f` with the state of the whole page; says what that holds beside itself.
    fn whole(&mut self, f: &mut impl FnMut(&mut T), weigh: fn(&T) -> usize) -> usize {
        if let Content::Nothing = self.content {
            self.content = Content::Whole(T::default());
        }
        match &mut self.content {
            Content::Whole(state) => {
                f(state);
                weigh(state)
            }
            Content::Nothing | Content::Parts(_) => self.beside,
        }
    }

    /// From now on each granule has a state of its own.
    #[cold]
    fn divide(&mut self, weigh: fn(&T) -> usize) {
        let granule = match &self.content {
            Content::Parts(_) => return,
            Content::Nothing => Granule::default(),
            Content::Whole(state) => {
                self.beside = GRANULES * weigh(state);
                Granule { cell: Cell { bytes: 0xff, state: state.clone() }, more: None }
            }
        };
        let granules = vec![granule; GRANULES].into_boxed_slice();
        self.content = Content::Parts(granules.try_into().ok().expect("made with this length"));
    }
}

impl<T: Clone + Default> Granule<T> {
    /// How many cells there are beside the first.
    #[inline]
    fn count(&self) -> usize {
        self.more.as_ref().map_or(0, |more| more.len())
    }

    /// How much it holds beside itself, in bytes.
    fn beside(&self, weigh: fn(&T) -> usize) -> usize {
        let more = self.more.iter().flat_map(|more| more.iter());
        let held: usize = more.map(|cell| weigh(&cell.state) + size_of::<Cell<T>>()).sum();
        held + weigh(&self.cell.state)
    }

    #[inline]
    fn each(&mut self, mask: u8, f: &mut impl FnMut(&mut T)) {
        if self.cell.bytes == mask {
            return f(&mut self.cell.state);
        }
        if self.cell.bytes == 0 {
            self.cell = Cell::new(mask);
            return f(&mut self.cell.state);
        }
        let mut more = self.more.iter_mut().flat_map(|more| more.iter_mut());
        if let Some(cell) = more.find(|cell| cell.bytes == mask) {
            return f(&mut cell.state);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What each byte of some memory was last set to, if anybody knows.
    fn known(shadow: &mut Shadow<u32>, bytes: Range<usize>) -> Vec<u32> {
        let mut seen = Vec::new();
        for byte in bytes {
            let before = seen.len();
            shadow.each(byte..byte + 1, |state| seen.push(*state));
            assert_eq!(seen.len(), before + 1, "a byte has one state");
        }
        seen
    }

    #[test]
    fn a_page_that_is_accessed_as_a_whole_and_then_in_parts_is_never_mixed_up() {
        let mut shadow = Shadow::<u32>::new(128 << 20, |_| 0);
        shadow.begin();
        shadow.each(0..4 * PAGE, |state| *state = 1);
        assert!(shadow.weight < 4 * PAGE, "{}", shadow.weight);
        shadow.each(PAGE + 8..PAGE + 12, |state| *state = 2);
        let mut expected = vec![1; PAGE];
        expected[8..12].fill(2);
        assert_eq!(known(&mut shadow, PAGE..2 * PAGE), expected);
        assert_eq!(known(&mut shadow, 0..PAGE), vec![1; PAGE]);
        let mut taken = 0;
        shadow.take(2 * PAGE..3 * PAGE + 16, |_| taken += 1);
        assert_eq!(taken, 3, "a whole page, and two granules of another");
        assert_eq!(known(&mut shadow, 2 * PAGE..3 * PAGE), vec![0; PAGE]);
        assert_eq!(known(&mut shadow, 3 * PAGE..3 * PAGE + 24)[15..17], [0, 1]);
    }

    #[test]
    fn what_is_kept_stays_below_the_limit_and_what_is_forgotten_is_as_new() {
        let limit = 1 << 20;
        let mut shadow = Shadow::<Vec<u8>>::new(limit, Vec::capacity);
        shadow.begin();
        for word in 0..1 << 18 {
            shadow.each(word * 8..word * 8 + 8, |state| *state = vec![0; 16]);
            assert!(shadow.weight <= limit + 8192, "{}", shadow.weight);
        }
        assert!(shadow.forgotten() > 1 << 20, "{}", shadow.forgotten());
        let mut states = Vec::new();
        shadow.each(0..8, |state| states.push(state.len()));
        let last = (1 << 18) - 1;
        shadow.each(last * 8..last * 8 + 8, |state| states.push(state.len()));
        assert_eq!(states, [0, 16]);
        let real: usize = shadow.pages.iter().map(Page::weight).sum();
        assert_eq!(real, shadow.weight);
        shadow.begin();
        assert_eq!((shadow.weight <= KEPT, shadow.forgotten()), (true, 0));
    }
}
