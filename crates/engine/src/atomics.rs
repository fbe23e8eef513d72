//! Atomics are known by their address alone: they have no room for anything else.
//!
//! Within an execution an address means one object. Memory that is freed and used again for
//! another atomic in the same execution counts as the same object.

use rustc_hash::FxHashMap;
use selvedge_model::ObjectId;

/// The numbers of the atomics of an execution.
pub(crate) struct Atomics {
    /// All of them.
    all: FxHashMap<usize, ObjectId>,
    /// Those used of late, by some bits of their address; entries of earlier executions are
    /// recognised by their epoch.
    recent: Box<[Entry; SLOTS]>,
    epoch: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    address: usize,
    epoch: u32,
    id: ObjectId,
}

/// Enough for the atomics that a test uses at a time.
const SLOTS: usize = 64;

impl Atomics {
    pub(crate) fn new() -> Self {
        let none = Entry { address: 0, epoch: 0, id: ObjectId::NONE };
        Self { all: FxHashMap::default(), recent: Box::new([none; SLOTS]), epoch: 0 }
    }

    /// Forgets the atomics of earlier executions.
    pub(crate) fn begin(&mut self, epoch: u32) {
        self.epoch = epoch;
        if !self.all.is_empty() {
            self.all.clear();
        }
    }

    /// The number of an atomic, if it was used of late.
    #[inline(always)]
    pub(crate) fn get(&self, address: usize) -> Option<ObjectId> {
        let entry = &self.recent[slot(address)];
        (entry.address == address && entry.epoch == self.epoch).then_some(entry.id)
    }

    /// The number of an atomic, if it was used at all in this execution.
    pub(crate) fn find(&mut self, address: usize) -> Option<ObjectId> {
        let id = *self.all.get(&address)?;
        self.remember(address, id);
        Some(id)
    }

    /// Adds an atomic.
    pub(crate) fn insert(&mut self, address: usize, id: ObjectId) {
        self.all.insert(address, id);
        self.remember(address, id);
    }

    fn remember(&mut self, address: usize, id: ObjectId) {
        self.recent[slot(address)] = Entry { address, epoch: self.epoch, id };
    }
}

#[inline(always)]
fn slot(address: usize) -> usize {
    // Neighbours in memory get slots of their own, whatever their width.
    (address ^ (address >> 6)) % SLOTS
}
