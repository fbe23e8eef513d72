//! A pool of objects of several kinds, each with a shelf of its own.

use super::{Journal, Stats};
use selvedge::sync::{Arc, Condvar, Mutex, RwLock};
use std::collections::BTreeMap;

#[derive(Default)]
struct Shelf {
    idle: Vec<u32>,
    /// How many of this kind are lent.
    lent: usize,
}

struct Limits {
    lent_of_a_kind: usize,
    idle_of_a_kind: usize,
}

/// Locks are taken in the order of the fields.
pub(super) struct Keyed {
    limits: RwLock<Limits>,
    shelves: Mutex<BTreeMap<u8, Shelf>>,
    returned: Condvar,
    /// The number that the next object gets.
    next: Mutex<u32>,
    stats: Arc<Mutex<Stats>>,
    journal: Journal,
}

impl Keyed {
    pub(super) fn new(stats: Arc<Mutex<Stats>>, journal: Journal) -> Self {
        Self {
            limits: RwLock::new(Limits { lent_of_a_kind: 2, idle_of_a_kind: 2 }),
            shelves: Mutex::default(),
            returned: Condvar::new(),
            next: Mutex::default(),
            stats,
            journal,
        }
    }

    /// Lends an object of a kind, and waits while too many of it are lent.
    pub(super) fn borrow(&self, kind: u8) -> u32 {
        self.journal.lock().unwrap().push("borrow");
        let most = self.limits.read().unwrap().lent_of_a_kind;
        let mut shelves = self.shelves.lock().unwrap();
        while shelves.entry(kind).or_default().lent >= most {
            shelves = self.returned.wait(shelves).unwrap();
        }
        let shelf = shelves.entry(kind).or_default();
        shelf.lent += 1;
        let item = shelf.idle.pop().unwrap_or_else(|| {
            let mut next = self.next.lock().unwrap();
            *next += 1;
            *next
        });
        drop(shelves);
        self.stats.lock().unwrap().lent += 1;
        item
    }

    pub(super) fn give_back(&self, kind: u8, item: u32) {
        self.journal.lock().unwrap().push("give back");
        let most = self.limits.read().unwrap().idle_of_a_kind;
        let mut shelves = self.shelves.lock().unwrap();
        let shelf = shelves.entry(kind).or_default();
        shelf.lent -= 1;
        if shelf.idle.len() < most {
            shelf.idle.push(item);
        }
        drop(shelves);
        self.returned.notify_all();
        self.stats.lock().unwrap().returned += 1;
        self.journal.lock().unwrap().push("give back: done");
    }

    pub(super) fn discard(&self, kind: u8) {
        self.journal.lock().unwrap().push("discard");
        let mut shelves = self.shelves.lock().unwrap();
        shelves.entry(kind).or_default().lent -= 1;
        drop(shelves);
        self.returned.notify_all();
        self.stats.lock().unwrap().discarded += 1;
        self.journal.lock().unwrap().push("discard: done");
    }

    pub(super) fn add(&self, kind: u8) {
        self.journal.lock().unwrap().push("add");
        let mut shelves = self.shelves.lock().unwrap();
        let mut next = self.next.lock().unwrap();
        *next += 1;
        shelves.entry(kind).or_default().idle.push(*next);
        drop(next);
        drop(shelves);
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("add: done");
    }

    /// Makes objects until so many of a kind are idle.
    pub(super) fn prepare(&self, kind: u8, idle: usize) {
        self.journal.lock().unwrap().push("prepare");
        let mut shelves = self.shelves.lock().unwrap();
        let mut next = self.next.lock().unwrap();
        let shelf = shelves.entry(kind).or_default();
        while shelf.idle.len() < idle {
            *next += 1;
            shelf.idle.push(*next);
        }
        drop(next);
        drop(shelves);
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("prepare: done");
    }

    pub(super) fn clear(&self) {
        self.journal.lock().unwrap().push("clear");
        self.shelves.lock().unwrap().values_mut().for_each(|shelf| shelf.idle.clear());
        self.stats.lock().unwrap().discarded += 1;
        self.journal.lock().unwrap().push("clear: done");
    }

    pub(super) fn clear_kind(&self, kind: u8) {
        self.journal.lock().unwrap().push("clear kind");
        self.shelves.lock().unwrap().entry(kind).or_default().idle.clear();
        self.stats.lock().unwrap().discarded += 1;
        self.journal.lock().unwrap().push("clear kind: done");
    }

    pub(super) fn num_idle(&self) -> usize {
        self.journal.lock().unwrap().push("num idle");
        self.shelves.lock().unwrap().values().map(|shelf| shelf.idle.len()).sum()
    }

    pub(super) fn num_idle_of(&self, kind: u8) -> usize {
        self.journal.lock().unwrap().push("num idle of");
        self.shelves.lock().unwrap().get(&kind).map_or(0, |shelf| shelf.idle.len())
    }

    pub(super) fn num_lent(&self) -> usize {
        self.journal.lock().unwrap().push("num lent");
        self.shelves.lock().unwrap().values().map(|shelf| shelf.lent).sum()
    }

    pub(super) fn num_lent_of(&self, kind: u8) -> usize {
        self.journal.lock().unwrap().push("num lent of");
        self.shelves.lock().unwrap().get(&kind).map_or(0, |shelf| shelf.lent)
    }

    pub(super) fn kinds(&self) -> Vec<u8> {
        self.journal.lock().unwrap().push("kinds");
        self.shelves.lock().unwrap().keys().copied().collect()
    }

    pub(super) fn has_kind(&self, kind: u8) -> bool {
        self.journal.lock().unwrap().push("has kind");
        self.shelves.lock().unwrap().contains_key(&kind)
    }

    pub(super) fn largest(&self) -> Option<u8> {
        self.journal.lock().unwrap().push("largest");
        let shelves = self.shelves.lock().unwrap();
        shelves.iter().max_by_key(|(_, shelf)| shelf.idle.len()).map(|(&kind, _)| kind)
    }

    /// Throws away one object of the kind of which most are idle.
    pub(super) fn evict(&self) {
        self.journal.lock().unwrap().push("evict");
        let mut shelves = self.shelves.lock().unwrap();
        if let Some(shelf) = shelves.values_mut().max_by_key(|shelf| shelf.idle.len()) {
            shelf.idle.pop();
        }
        drop(shelves);
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("evict: done");
    }

    /// Forgets kinds of which there are no objects.
    pub(super) fn forget_empty(&self) {
        self.journal.lock().unwrap().push("forget empty");
        let mut shelves = self.shelves.lock().unwrap();
        shelves.retain(|_, shelf| shelf.lent > 0 || !shelf.idle.is_empty());
        drop(shelves);
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("forget empty: done");
    }

    /// Sorts what is idle, so that the oldest are lent last.
    pub(super) fn sort(&self) {
        self.journal.lock().unwrap().push("sort");
        self.shelves.lock().unwrap().values_mut().for_each(|shelf| shelf.idle.sort_unstable());
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("sort: done");
    }

    pub(super) fn lent_limit(&self) -> usize {
        self.journal.lock().unwrap().push("lent limit");
        self.limits.read().unwrap().lent_of_a_kind
    }

    pub(super) fn idle_limit(&self) -> usize {
        self.journal.lock().unwrap().push("idle limit");
        self.limits.read().unwrap().idle_of_a_kind
    }

    pub(super) fn set_lent_limit(&self, most: usize) {
        self.journal.lock().unwrap().push("set lent limit");
        self.limits.write().unwrap().lent_of_a_kind = most;
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("set lent limit: done");
    }

    pub(super) fn set_idle_limit(&self, most: usize) {
        self.journal.lock().unwrap().push("set idle limit");
        self.limits.write().unwrap().idle_of_a_kind = most;
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("set idle limit: done");
    }

    pub(super) fn made(&self) -> u32 {
        self.journal.lock().unwrap().push("made");
        *self.next.lock().unwrap()
    }

    /// Everything in one line.
    pub(super) fn describe(&self) -> String {
        self.journal.lock().unwrap().push("describe");
        let limits = self.limits.read().unwrap();
        let shelves = self.shelves.lock().unwrap();
        let made = self.next.lock().unwrap();
        let lent = self.stats.lock().unwrap().lent;
        format!("{} kinds, {made} made, {lent} of {}", shelves.len(), limits.lent_of_a_kind)
    }
}
