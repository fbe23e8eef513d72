//! The memory of one execution after the other.
//!
//! Blocks are laid down in the order in which they are asked for, so the same execution has the
//! same addresses every time. A block that is freed is filled with poison and set aside; only when
//! more than the quarantine holds has been freed are the oldest blocks used again. When the next
//! execution begins, everything begins anew from the first address.

use super::bits::{self, Bits};
use super::block::{BlockRecord, CLASSES, Class, GRANULE, HEADER, Header, Note, State};
use super::large::Large;
use super::poison;
use super::span::{self, SLOT, Slot};
use crate::loaded::Loaded;

/// New memory up to this size is filled with [`poison::NEW`]; larger blocks are fresh from the
/// system, and zero.
const FILLED: usize = 64 << 10;
/// When an execution has used more than this, the memory goes back to the system.
const KEPT: usize = 64 << 20;
/// Blocks with a greater alignment (in doublings of a granule) are not used again.
const ALIGNMENTS: usize = 9;
/// Memory goes back to the system in multiples of this, whatever the page size is.
const PAGE: usize = 64 << 10;

/// What the caller wants.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// How many bytes.
    pub size: usize,
    /// A power of two.
    pub align: usize,
    /// What is in it at first.
    pub content: Content,
}

/// What new memory contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Whatever there is; the same in every execution.
    Any,
    /// Zeros.
    Zero,
}

/// Why a block can not be freed.
pub(super) enum NotFreed {
    /// It has been freed before.
    Again(BlockRecord),
    /// There is no block at this address; it may lie inside of one.
    NoBlock(Option<BlockRecord>),
}

/// Memory that was freed and written to afterwards.
pub(super) struct Written(pub(super) BlockRecord);

/// There is not enough memory left.
pub(super) struct Exhausted;

/// A list of freed blocks, by the number of their first granule.
#[derive(Clone, Copy, Default)]
struct List {
    first: u32,
    last: u32,
}

/// The memory of the executions of one operating-system thread.
pub(super) struct Arena {
    /// The granules at which blocks begin.
    starts: Bits,
    /// The granules that have been freed.
    freed: Bits,
    /// Where the first header can lie.
    start: usize,
    /// Where the next header can lie.
    next: usize,
    /// From here on memory has never been used.
    untouched: usize,
    /// Bytes that are allocated.
    pub(super) live: usize,
    large: Large,
    /// Bytes in quarantine, headers included.
    quarantined: usize,
    quarantine: List,
    /// Blocks that have left the quarantine, by class and alignment.
    reusable: Box<[[List; ALIGNMENTS]; CLASSES]>,
    /// Whether there are any.
    any_reusable: bool,
    /// The program whose code allocates.
    pub(super) program: Loaded,
    /// How many engines use it.
    pub(super) users: usize,
    slot: Slot,
}

impl Arena {
    /// Takes a slot, if there is one.
    pub(super) fn new() -> Option<Self> {
        let slot = Slot::take()?;
        let start = slot.start + 2 * bits::SIZE;
        Some(Self {
            starts: Bits(slot.start as *mut u64),
            freed: Bits((slot.start + bits::SIZE) as *mut u64),
            start,
            next: start,
            untouched: start,
            live: 0,
            large: Large::default(),
            quarantined: 0,
            quarantine: List::default(),
            reusable: Box::new([[List::default(); ALIGNMENTS]; CLASSES]),
            any_reusable: false,
            program: Loaded::program(),
            users: 0,
            slot,
        })
    }

    /// How much of what is allocated is in use, if that is more than the limit. What was never touched
    /// takes no memory and does not count; a new block of so many bytes is not touched yet.
    #[inline]
    pub(super) fn exceeds(&mut self, limit: usize, new: usize) -> Option<usize> {
        let live = self.live.saturating_add(new);
        if live <= limit {
            return None;
        }
        match Class::of(new.min(SLOT)).capacity > FILLED {
            true => self.large.exceeds(self.live, limit),
            false => self.large.exceeds(live, limit),
        }
    }

    /// Forgets all blocks.
    pub(super) fn empty(&mut self) {
        let used = self.granule(self.start)..self.granule(self.next) + 1;
        self.untouched = self.untouched.max(self.next);
        if self.next - self.start > KEPT {
            span::give_back(self.slot.start..self.next.next_multiple_of(PAGE));
            self.untouched = self.start;
        } else {
            self.starts.fill(used.start, used.len(), 0);
            self.freed.fill(used.start, used.len(), 0);
        }
        if self.any_reusable {
            *self.reusable = [[List::default(); ALIGNMENTS]; CLASSES];
            self.any_reusable = false;
        }
        self.next = self.start;
        self.live = 0;
        self.large.clear();
        self.quarantined = 0;
        self.quarantine = List::default();
    }

    /// Where the addresses of blocks begin, and how many there can be. Never changes.
    pub(super) fn extent(&self) -> std::ops::Range<usize> {
        self.start..self.slot.start + SLOT
    }

    /// Whether the address can be that of a block.
    #[inline(always)]
    pub(super) fn contains(&self, address: usize) -> bool {
        (self.start..self.next).contains(&address)
    }

    #[inline(always)]
    fn granule(&self, address: usize) -> usize {
        (address - self.slot.start) / GRANULE
    }

    #[inline(always)]
    fn address(&self, granule: u32) -> usize {
        self.slot.start + granule as usize * GRANULE
    }

    /// The header of the block that begins at this address.
    #[inline(always)]
    fn header(&mut self, block: usize) -> &mut Header {
        // SAFETY: Callers pass addresses of blocks of this arena, each of which was given a header;
        // all of the slot is mapped. The reference borrows the arena, so there is one at a time.
        unsafe { &mut *((block - HEADER) as *mut Header) }
    }

    /// A new block.
    #[inline]
    pub(super) fn allocate(&mut self, request: Request, note: Note) -> Result<usize, Exhausted> {
        if request.size > SLOT || request.align > SLOT {
            return Err(Exhausted);
        }
        let class = Class::of(request.size);
        let alignment = request.align.max(GRANULE).trailing_zeros() - GRANULE.trailing_zeros();
        let block = match self.reuse(class, alignment as usize) {
            Some(block) => block,
            None => self.lay_down(class, request.align.max(GRANULE))?,
        };
        let header = Header {
            size: request.size,
            capacity: (class.capacity / GRANULE) as u32,
            next: 0,
            allocated: note,
            freed: Note::NOBODY,
            state: State::Live,
            alignment: alignment as u8,
        };
        // SAFETY: The header of the block lies between the block before and this one.
        unsafe { ((block - HEADER) as *mut Header).write(header) };
        self.live += request.size;
        if class.capacity > FILLED {
            self.large.add(block, request.size);
        }
        self.prepare(block, class.capacity, request.content);
        self.untouched = self.untouched.max(block + class.capacity);
        Ok(block)
    }

    /// A block that has never been used in this execution.
    #[inline]
    fn lay_down(&mut self, class: Class, align: usize) -> Result<usize, Exhausted> {
        let block = (self.next + HEADER).next_multiple_of(align);
        let end = block + class.capacity;
        if end > self.slot.start + SLOT {
            return Err(Exhausted);
        }
        self.next = end;
        self.starts.set(self.granule(block));
        Ok(block)
    }

    /// A block that was freed long ago.
    #[inline]
    fn reuse(&mut self, class: Class, alignment: usize) -> Option<usize> {
        if !self.any_reusable || alignment >= ALIGNMENTS {
            return None;
        }
        let list = self.reusable[class.number][alignment];
        if list.first == 0 {
            return None;
        }
        let block = self.address(list.first);
        self.reusable[class.number][alignment].first = self.header(block).next;
        self.freed.fill(self.granule(block), class.capacity / GRANULE, 0);
        Some(block)
    }

    /// Makes the content of a new block the same in every execution.
    #[inline]
    fn prepare(&mut self, block: usize, capacity: usize, content: Content) {
        if capacity <= FILLED {
            match content {
                Content::Any => poison::fill(block, capacity, poison::NEW),
                Content::Zero => poison::fill(block, capacity, 0),
            }
        } else if block < self.untouched {
            let (first, end) = (block.next_multiple_of(PAGE), (block + capacity) / PAGE * PAGE);
            if first < end {
                poison::fill(block, first - block, 0);
                span::give_back(first..end);
                poison::fill(end, block + capacity - end, 0);
            } else {
                poison::fill(block, capacity, 0);
            }
        }
    }

    /// Takes a block back. The second result is a block that had to leave the quarantine for it
    /// and turned out to have been written to.
    #[inline]
    pub(super) fn free(
        &mut self,
        address: usize,
        note: Note,
        quarantine: usize,
    ) -> Result<Option<Written>, NotFreed> {
        if !self.contains(address)
            || !address.is_multiple_of(GRANULE)
            || !self.starts.get(self.granule(address))
        {
            return Err(NotFreed::NoBlock(self.record(address)));
        }
        let header = self.header(address);
        if header.state != State::Live {
            return Err(NotFreed::Again(header.record()));
        }
        header.state = State::Quarantined;
        header.freed = note;
        header.next = 0;
        let (size, capacity) = (header.size, header.capacity as usize * GRANULE);
        self.live -= size;
        if capacity > FILLED {
            self.large.remove(address);
        }
        poison::spoil(address, capacity);
        let granule = self.granule(address);
        self.freed.fill(granule, capacity / GRANULE, u64::MAX);
        let mut list = self.quarantine;
        self.append(&mut list, granule as u32);
        self.quarantine = list;
        self.quarantined += HEADER + capacity;
        let mut written = None;
        while self.quarantined > quarantine && self.quarantine.first != 0 {
            written = written.or(self.release_oldest());
        }
        Ok(written)
    }

    /// The block that has been in quarantine for longest leaves it.
    fn release_oldest(&mut self) -> Option<Written> {
        let granule = self.quarantine.first;
        let block = self.address(granule);
        let header = self.header(block);
        let (next, alignment) = (header.next, usize::from(header.alignment));
        let capacity = header.capacity as usize * GRANULE;
        header.state = State::Reusable;
        header.next = 0;
        let record = header.record();
        self.quarantine.first = next;
        self.quarantined -= HEADER + capacity;
        let written = (!poison::is_intact(block, capacity)).then_some(Written(record));
        if alignment < ALIGNMENTS {
            let class = Class::of(capacity).number;
            let mut list = self.reusable[class][alignment];
            self.append(&mut list, granule);
            self.reusable[class][alignment] = list;
            self.any_reusable = true;
        }
        written
    }

    fn append(&mut self, list: &mut List, granule: u32) {
        if list.first == 0 {
            list.first = granule;
        } else {
            let last = self.address(list.last);
            self.header(last).next = granule;
        }
        list.last = granule;
    }

    /// Looks through the quarantine, at no more than so many bytes, for a block that was written
    /// to after it was freed.
    pub(super) fn find_written(&mut self, mut bytes: usize) -> Option<Written> {
        let mut granule = self.quarantine.first;
        while granule != 0 {
            let block = self.address(granule);
            let header = self.header(block);
            let capacity = header.capacity as usize * GRANULE;
            let (record, next) = (header.record(), header.next);
            bytes = bytes.checked_sub(capacity)?;
            if !poison::is_intact(block, capacity) {
                return Some(Written(record));
            }
            granule = next;
        }
        None
    }

    /// Whether the address lies in memory that has been freed.
    #[inline(always)]
    pub(super) fn is_freed(&self, address: usize) -> bool {
        self.contains(address) && self.freed.get(self.granule(address))
    }

    /// The address of the block that the address lies in.
    pub(super) fn block_at(&self, address: usize) -> Option<usize> {
        if !self.contains(address) {
            return None;
        }
        let first = self.granule(self.start);
        let block = self.address(self.starts.last_up_to(self.granule(address), first)? as u32);
        // SAFETY: As in `header`.
        let capacity = unsafe { (*((block - HEADER) as *const Header)).capacity } as usize;
        (address < block + capacity * GRANULE).then_some(block)
    }

    /// What is known about the block that the address lies in.
    pub(super) fn record(&self, address: usize) -> Option<BlockRecord> {
        let block = self.block_at(address)?;
        // SAFETY: As in `header`.
        Some(unsafe { &*((block - HEADER) as *const Header) }.record())
    }

    /// Where each block lies that has not been freed, in the order of addresses.
    pub(super) fn live_blocks(&mut self) -> Vec<std::ops::Range<usize>> {
        let (first, last) = (self.granule(self.start), self.granule(self.next));
        let mut blocks = Vec::new();
        let mut end = last;
        while let Some(granule) = self.starts.last_up_to(end, first) {
            let block = self.address(granule as u32);
            let header = self.header(block);
            if header.state == State::Live {
                let size = header.size;
                blocks.push(block..block + size);
            }
            end = granule - 1;
        }
        blocks.reverse();
        blocks
    }

    /// Makes a block smaller where it is; says whether that was what was asked for.
    pub(super) fn shrink(&mut self, address: usize, size: usize) -> bool {
        if self.block_at(address) != Some(address) {
            return false;
        }
        let header = self.header(address);
        let before = header.size;
        if header.state != State::Live || size > before || size < before / 2 {
            return false;
        }
        header.size = size;
        self.live -= before - size;
        self.large.shrink(address, size);
        true
    }
}

/// The size of the block at this address of a slot, whoever's slot it is; 0 if no block begins there.
pub(super) fn size_in_slot(slot: usize, address: usize) -> usize {
    let offset = address - slot;
    let starts = Bits(slot as *mut u64);
    if offset < 2 * bits::SIZE + HEADER
        || !offset.is_multiple_of(GRANULE)
        || !starts.get(offset / GRANULE)
    {
        return 0;
    }
    // SAFETY: A block begins here, so there is a header before it.
    unsafe { (*((address - HEADER) as *const Header)).size }
}

impl Header {
    fn record(&self) -> BlockRecord {
        let freed = (self.state != State::Live).then_some(self.freed);
        BlockRecord { size: self.size, allocated: self.allocated, freed }
    }
}
