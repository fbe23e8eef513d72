//! A simple pool: what was given back last is lent first, and nobody ever waits.

use super::{Journal, Stats};
use selvedge::sync::{Arc, Mutex};

/// Locks are taken in the order of the fields.
pub(super) struct Stack {
    items: Mutex<Vec<u32>>,
    made: Mutex<u32>,
    stats: Arc<Mutex<Stats>>,
    journal: Journal,
}

impl Stack {
    pub(super) fn new(stats: Arc<Mutex<Stats>>, journal: Journal) -> Self {
        Self { items: Mutex::default(), made: Mutex::default(), stats, journal }
    }

    pub(super) fn borrow(&self) -> u32 {
        self.journal.lock().unwrap().push("borrow");
        let mut items = self.items.lock().unwrap();
        let item = items.pop().unwrap_or_else(|| {
            let mut made = self.made.lock().unwrap();
            *made += 1;
            *made
        });
        drop(items);
        self.stats.lock().unwrap().lent += 1;
        item
    }

    pub(super) fn give_back(&self, item: u32) {
        self.journal.lock().unwrap().push("give back");
        self.items.lock().unwrap().push(item);
        self.stats.lock().unwrap().returned += 1;
        self.journal.lock().unwrap().push("give back: done");
    }

    pub(super) fn add(&self) {
        self.journal.lock().unwrap().push("add");
        let mut items = self.items.lock().unwrap();
        let mut made = self.made.lock().unwrap();
        *made += 1;
        items.push(*made);
        drop(made);
        drop(items);
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("add: done");
    }

    pub(super) fn clear(&self) {
        self.journal.lock().unwrap().push("clear");
        self.items.lock().unwrap().clear();
        self.stats.lock().unwrap().discarded += 1;
        self.journal.lock().unwrap().push("clear: done");
    }

    pub(super) fn num_idle(&self) -> usize {
        self.journal.lock().unwrap().push("num idle");
        self.items.lock().unwrap().len()
    }

    pub(super) fn peek(&self) -> Option<u32> {
        self.journal.lock().unwrap().push("peek");
        self.items.lock().unwrap().last().copied()
    }

    pub(super) fn trim(&self, most: usize) {
        self.journal.lock().unwrap().push("trim");
        self.items.lock().unwrap().truncate(most);
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("trim: done");
    }

    pub(super) fn reverse(&self) {
        self.journal.lock().unwrap().push("reverse");
        self.items.lock().unwrap().reverse();
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("reverse: done");
    }

    pub(super) fn sort(&self) {
        self.journal.lock().unwrap().push("sort");
        self.items.lock().unwrap().sort_unstable();
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("sort: done");
    }

    pub(super) fn contains(&self, item: u32) -> bool {
        self.journal.lock().unwrap().push("contains");
        self.items.lock().unwrap().contains(&item)
    }

    pub(super) fn made(&self) -> u32 {
        self.journal.lock().unwrap().push("made");
        *self.made.lock().unwrap()
    }
}
