//! Looking after the objects of a pool.

use super::{Item, Pool};
use selvedge::sync::{Arc, Mutex};

impl Pool {
    /// Makes an object before anybody asks for it.
    pub(super) fn add(&self) {
        self.journal.lock().unwrap().push("add");
        let max_total = self.settings.read().unwrap().max_total;
        let mut idle = self.idle.lock().unwrap();
        if idle.total < max_total {
            let mut factory = self.factory.lock().unwrap();
            factory.made += 1;
            let item = Arc::new(Item { id: factory.made, state: Mutex::default() });
            drop(factory);
            idle.total += 1;
            idle.items.push_back(item);
            drop(idle);
            self.returned.notify_one();
        }
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("add: done");
    }

    /// Makes as many objects as should be idle.
    pub(super) fn prepare(&self) {
        self.journal.lock().unwrap().push("prepare");
        let settings = self.settings.read().unwrap().clone();
        let mut idle = self.idle.lock().unwrap();
        let mut factory = self.factory.lock().unwrap();
        while idle.items.len() < settings.min_idle && idle.total < settings.max_total {
            factory.made += 1;
            let item = Item { id: factory.made, state: Mutex::default() };
            idle.items.push_back(Arc::new(item));
            idle.total += 1;
        }
        drop(factory);
        drop(idle);
        self.returned.notify_all();
        self.journal.lock().unwrap().push("prepare: done");
    }

    /// Throws away the object that has been idle for longest, but not the last ones.
    pub(super) fn evict(&self) {
        self.journal.lock().unwrap().push("evict");
        let min_idle = self.settings.read().unwrap().min_idle;
        let mut idle = self.idle.lock().unwrap();
        if idle.items.len() > min_idle {
            idle.items.pop_front();
            idle.total -= 1;
            self.factory.lock().unwrap().destroyed += 1;
        }
        drop(idle);
        self.returned.notify_one();
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("evict: done");
    }

    /// Throws away all that are idle.
    pub(super) fn clear(&self) {
        self.journal.lock().unwrap().push("clear");
        let mut idle = self.idle.lock().unwrap();
        let cleared = idle.items.len();
        idle.items.clear();
        idle.total -= cleared;
        self.factory.lock().unwrap().destroyed += cleared as u32;
        drop(idle);
        self.returned.notify_all();
        self.stats.lock().unwrap().discarded += cleared as u32;
        self.journal.lock().unwrap().push("clear: done");
    }

    /// Throws away what is idle and broken.
    pub(super) fn validate(&self) {
        self.journal.lock().unwrap().push("validate");
        let mut idle = self.idle.lock().unwrap();
        let before = idle.items.len();
        idle.items.retain(|item| !item.state.lock().unwrap().broken);
        let broken = before - idle.items.len();
        idle.total -= broken;
        drop(idle);
        self.factory.lock().unwrap().destroyed += broken as u32;
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("validate: done");
    }

    /// Lets the oldest idle object be the newest.
    pub(super) fn rotate(&self) {
        self.journal.lock().unwrap().push("rotate");
        let mut idle = self.idle.lock().unwrap();
        if let Some(item) = idle.items.pop_front() {
            idle.items.push_back(item);
        }
        self.journal.lock().unwrap().push("rotate: done");
    }

    /// Turns the order of the idle objects round.
    pub(super) fn reverse(&self) {
        self.journal.lock().unwrap().push("reverse");
        let mut idle = self.idle.lock().unwrap();
        idle.items.make_contiguous().reverse();
        drop(idle);
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("reverse: done");
    }

    /// Wakes whoever waits, to look again.
    pub(super) fn wake_all(&self) {
        self.journal.lock().unwrap().push("wake all");
        let waiting = self.idle.lock().unwrap().waiting;
        if waiting > 0 {
            self.returned.notify_all();
        }
        self.journal.lock().unwrap().push("wake all: done");
    }

    /// Marks the objects that are lent.
    pub(super) fn tag_lent(&self, tag: u32) {
        self.journal.lock().unwrap().push("tag lent");
        let lent = self.lent.lock().unwrap();
        lent.values().for_each(|item| item.state.lock().unwrap().tag = tag);
        self.journal.lock().unwrap().push("tag lent: done");
    }

    /// Looks for objects that are lent and were never used.
    pub(super) fn find_unused(&self) -> usize {
        self.journal.lock().unwrap().push("find unused");
        let lent = self.lent.lock().unwrap();
        let unused = lent.values().filter(|item| item.state.lock().unwrap().uses == 0).count();
        drop(lent);
        self.stats.lock().unwrap().upkeep += 1;
        unused
    }

    /// Counts one's own use of an object.
    pub(super) fn touch(&self, item: &Item) {
        self.journal.lock().unwrap().push("touch");
        item.state.lock().unwrap().uses += 1;
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("touch: done");
    }

    /// Says that an object is broken; it will not be lent again.
    pub(super) fn mark_broken(&self, item: &Item) {
        self.journal.lock().unwrap().push("mark broken");
        item.state.lock().unwrap().broken = true;
        self.stats.lock().unwrap().upkeep += 1;
        self.journal.lock().unwrap().push("mark broken: done");
    }

    /// Says that an object is whole again.
    pub(super) fn repair(&self, item: &Item) {
        self.journal.lock().unwrap().push("repair");
        item.state.lock().unwrap().broken = false;
        self.factory.lock().unwrap().made += 0;
        self.journal.lock().unwrap().push("repair: done");
    }

    /// Forgets what the factory has counted.
    pub(super) fn reset_factory(&self) {
        self.journal.lock().unwrap().push("reset factory");
        let mut factory = self.factory.lock().unwrap();
        factory.destroyed = 0;
        self.journal.lock().unwrap().push("reset factory: done");
    }
}
