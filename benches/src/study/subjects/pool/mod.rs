//! A pool of objects that are costly to make: lent, given back, thrown away, looked after.
//!
//! The largest subject: three pools that share statistics and a journal of their calls, many locks, taken one inside the
//! other, and conditions for empty pools. Here is the general one; `keyed.rs` and `stack.rs` have the
//! others. Locks are taken in this order: the configuration, the idle objects, those that are lent, the
//! factory, the statistics, the listeners, and last of all an object's own.

mod figures;
mod keyed;
mod settings;
mod stack;
mod test;
mod upkeep;

pub(crate) use test::test;

use selvedge::sync::{Arc, Condvar, Mutex, RwLock};
use std::collections::{BTreeMap, VecDeque};

/// An object of the pool.
struct Item {
    id: u32,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    uses: u32,
    tag: u32,
    broken: bool,
}

#[derive(Clone)]
struct Settings {
    max_total: usize,
    max_idle: usize,
    min_idle: usize,
    order: Order,
}

/// Which of the idle objects is lent next.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    NewestFirst,
    OldestFirst,
}

/// What pools are asked for: every call, and that it is done if it has no result.
type Journal = Arc<Mutex<Vec<&'static str>>>;

/// What is in the pool.
#[derive(Default)]
struct Idle {
    items: VecDeque<Arc<Item>>,
    /// How many objects there are, idle or lent.
    total: usize,
    /// How many threads wait for one.
    waiting: usize,
}

#[derive(Default)]
struct Factory {
    made: u32,
    destroyed: u32,
}

#[derive(Default)]
struct Stats {
    lent: u32,
    returned: u32,
    refused: u32,
    discarded: u32,
    upkeep: u32,
}

pub(crate) struct Pool {
    settings: RwLock<Settings>,
    idle: Mutex<Idle>,
    returned: Condvar,
    lent: Mutex<BTreeMap<u32, Arc<Item>>>,
    factory: Mutex<Factory>,
    /// What all pools have done together.
    stats: Arc<Mutex<Stats>>,
    listeners: Mutex<Vec<u32>>,
    journal: Journal,
}

impl Pool {
    fn new(max_total: usize, stats: Arc<Mutex<Stats>>, journal: Journal) -> Self {
        let order = Order::NewestFirst;
        Self {
            settings: RwLock::new(Settings { max_total, max_idle: 2, min_idle: 1, order }),
            idle: Mutex::default(),
            returned: Condvar::new(),
            lent: Mutex::default(),
            factory: Mutex::default(),
            stats,
            listeners: Mutex::default(),
            journal,
        }
    }

    /// Lends an object, and waits for one if there are none left.
    fn borrow(&self) -> Arc<Item> {
        self.journal.lock().unwrap().push("borrow");
        let Settings { max_total, order, .. } = self.settings.read().unwrap().clone();
        let mut idle = self.idle.lock().unwrap();
        let item = loop {
            if let Some(item) = next(&mut idle, order) {
                break item;
            }
            if idle.total < max_total {
                idle.total += 1;
                let mut factory = self.factory.lock().unwrap();
                factory.made += 1;
                break Arc::new(Item { id: factory.made, state: Mutex::default() });
            }
            idle.waiting += 1;
            idle = self.returned.wait(idle).unwrap();
            idle.waiting -= 1;
        };
        self.lent.lock().unwrap().insert(item.id, Arc::clone(&item));
        drop(idle);
        self.stats.lock().unwrap().lent += 1;
        item.state.lock().unwrap().uses += 1;
        item
    }

    /// Lends an object if one is idle.
    fn try_borrow(&self) -> Option<Arc<Item>> {
        self.journal.lock().unwrap().push("try borrow");
        let order = self.settings.read().unwrap().order;
        let mut idle = self.idle.lock().unwrap();
        let Some(item) = next(&mut idle, order) else {
            drop(idle);
            self.stats.lock().unwrap().refused += 1;
            return None;
        };
        self.lent.lock().unwrap().insert(item.id, Arc::clone(&item));
        drop(idle);
        self.stats.lock().unwrap().lent += 1;
        Some(item)
    }

    /// Takes an object back; throws it away if enough are idle or if it is broken.
    fn give_back(&self, item: Arc<Item>) {
        self.journal.lock().unwrap().push("give back");
        let broken = item.state.lock().unwrap().broken;
        let max_idle = self.settings.read().unwrap().max_idle;
        let mut idle = self.idle.lock().unwrap();
        self.lent.lock().unwrap().remove(&item.id);
        if broken || idle.items.len() >= max_idle {
            idle.total -= 1;
            self.factory.lock().unwrap().destroyed += 1;
        } else {
            idle.items.push_back(item);
        }
        drop(idle);
        self.returned.notify_one();
        self.stats.lock().unwrap().returned += 1;
        self.journal.lock().unwrap().push("give back: done");
    }

    /// Throws an object away that was lent.
    fn discard(&self, item: Arc<Item>) {
        self.journal.lock().unwrap().push("discard");
        item.state.lock().unwrap().broken = true;
        let mut idle = self.idle.lock().unwrap();
        self.lent.lock().unwrap().remove(&item.id);
        idle.total -= 1;
        drop(idle);
        self.returned.notify_one();
        self.factory.lock().unwrap().destroyed += 1;
        self.stats.lock().unwrap().discarded += 1;
        self.journal.lock().unwrap().push("discard: done");
    }

    /// Gives the object back and lends another one.
    fn exchange(&self, item: Arc<Item>) -> Arc<Item> {
        self.journal.lock().unwrap().push("exchange");
        item.state.lock().unwrap().tag += 1;
        let mut idle = self.idle.lock().unwrap();
        let Some(other) = idle.items.pop_front() else { return item };
        let mut lent = self.lent.lock().unwrap();
        lent.remove(&item.id);
        lent.insert(other.id, Arc::clone(&other));
        drop(lent);
        idle.items.push_back(item);
        drop(idle);
        self.stats.lock().unwrap().returned += 1;
        other
    }

    fn add_listener(&self, listener: u32) {
        self.journal.lock().unwrap().push("add listener");
        self.listeners.lock().unwrap().push(listener);
        self.journal.lock().unwrap().push("add listener: done");
    }

    fn remove_listener(&self, listener: u32) {
        self.journal.lock().unwrap().push("remove listener");
        self.listeners.lock().unwrap().retain(|&at| at != listener);
        self.journal.lock().unwrap().push("remove listener: done");
    }

    /// How many there are to tell of something.
    fn tell_listeners(&self) -> usize {
        self.journal.lock().unwrap().push("tell listeners");
        let listeners = self.listeners.lock().unwrap();
        listeners.len()
    }
}

/// Takes the idle object that comes next.
fn next(idle: &mut Idle, order: Order) -> Option<Arc<Item>> {
    match order {
        Order::NewestFirst => idle.items.pop_back(),
        Order::OldestFirst => idle.items.pop_front(),
    }
}
