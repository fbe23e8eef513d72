//! What a test does, as far as earlier executions have shown: who comes to which places how often,
//! and which places belong to one shared object.

use crate::places::{Place, Places};
use rustc_hash::FxHashMap;
use selvedge_model::{ObjectId, OperationKind, Record, ThreadId};

/// What a thread did in earlier executions.
#[derive(Clone, Debug, Default)]
struct Past {
    executions: u64,
    /// How often it came to each place, in all executions together.
    visits: Vec<u64>,
    /// Its first operation, which it carries out as soon as it begins.
    first: Option<Place>,
}

/// What is known of a test.
#[derive(Debug)]
pub(crate) struct Profile {
    pub(crate) places: Places,
    /// By the keys of the threads. Only ever looked up.
    threads: FxHashMap<u64, Past>,
    /// The sets of places that belong to one shared object, sorted; without repetition.
    pub(crate) objects: Vec<Vec<usize>>,
    executions: u64,
    /// Whether the last execution was learned from.
    learned: bool,
}

/// Every execution is learned from at first, later on one in so many.
const LEARN_ALL: u64 = 24;
/// See [`LEARN_ALL`].
const LEARN_ONE_IN: u64 = 32;
/// More objects than this are not told apart.
const MOST_OBJECTS: usize = 64;

/// What is gathered of an object during an execution.
struct Usage {
    user: ThreadId,
    shared: bool,
    places: Vec<usize>,
}

impl Profile {
    pub(crate) fn new() -> Self {
        Self {
            places: Places::new(),
            threads: FxHashMap::default(),
            objects: Vec::new(),
            executions: 0,
            learned: false,
        }
    }

    /// How often a thread comes to those places that are wanted, in the mean; nothing if the
    /// thread has never been seen.
    pub(crate) fn expected(&self, thread: u64, wanted: &[bool]) -> Option<f64> {
        let past = self.threads.get(&thread)?;
        let wanted = past.visits.iter().zip(wanted).filter(|(_, wanted)| **wanted);
        let total: u64 = wanted.map(|(visits, _)| visits).sum();
        Some(total as f64 / past.executions as f64)
    }

    /// The first operation of a thread that has not begun, if it has been seen before.
    pub(crate) fn first(&self, thread: u64) -> Option<Place> {
        self.threads.get(&thread)?.first
    }

    /// Whether the last execution was one of those that are learned from.
    pub(crate) fn learned_last(&self) -> bool {
        self.learned
    }

    /// Takes an execution into account.
    pub(crate) fn learn(&mut self, record: &Record<'_>) {
        self.executions += 1;
        self.learned = self.executions <= LEARN_ALL || self.executions.is_multiple_of(LEARN_ONE_IN);
        if !self.learned {
            return;
        }
        for info in record.threads {
            self.threads.entry(info.key).or_default().executions += 1;
        }
        let mut objects: Vec<Option<Usage>> = Vec::new();
        for event in record.events {
            let here = (event.operation.kind, event.operation.site);
            let place = self.places.number(here);
            let key = record.threads[event.thread.index()].key;
            if let Some(past) = self.threads.get_mut(&key) {
                past.visit(place, here);
            }
            let object = event.operation.object;
            if object == ObjectId::NONE {
                continue;
            }
            if objects.len() <= object.index() {
                objects.resize_with(object.index() + 1, || None);
            }
            let fresh = || Usage { user: event.thread, shared: false, places: Vec::new() };
            let usage = objects[object.index()].get_or_insert_with(fresh);
            usage.shared |= usage.user != event.thread;
            if !usage.places.contains(&place) {
                usage.places.push(place);
            }
        }
        for mut usage in objects.into_iter().flatten().filter(|usage| usage.shared) {
            usage.places.sort_unstable();
            if self.objects.len() < MOST_OBJECTS && !self.objects.contains(&usage.places) {
                self.objects.push(usage.places);
            }
        }
    }
}

impl Past {
    fn visit(&mut self, place: usize, here: Place) {
        if self.visits.len() <= place {
            self.visits.resize(place + 1, 0);
        }
        self.visits[place] += 1;
        if self.first.is_none() && here.0 != OperationKind::ThreadStart {
            self.first = Some(here);
        }
    }
}
