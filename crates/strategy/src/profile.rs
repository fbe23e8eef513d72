//! What a test does, as far as earlier executions have shown: who comes to which places how often,
//! and which places belong to one shared object.

use crate::places::{Place, Places};
use rustc_hash::FxHashMap;
use selvedge_model::{ObjectId, OperationKind, Record, ThreadId};
use std::collections::VecDeque;

/// What a thread did in earlier executions.
#[derive(Clone, Debug, Default)]
struct Past {
    /// The places that it came to and how often, in each of the latest executions that were learned
    /// from; by the numbers of the places.
    visits: VecDeque<Vec<(usize, u32)>>,
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
    /// How many of them were learned from.
    lessons: u64,
    /// Whether the last execution was learned from.
    learned: bool,
}

/// Every execution is learned from at first, later on one in so many.
const LEARN_ALL: u64 = 24;
/// See [`LEARN_ALL`].
const LEARN_ONE_IN: u64 = 32;
/// See [`Profile::expected`]; by so much do executions differ that depend on who comes first.
const MUCH: u32 = 4;
/// What a thread did is remembered of so many executions.
const REMEMBERED: usize = 24;
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
            lessons: 0,
            learned: false,
        }
    }

    /// How often a thread usually comes to those places that are wanted; nothing if the thread has
    /// never been seen.
    ///
    /// This is the mean, but no execution counts for more than [`MUCH`] times one more than the median: a
    /// thread that spins for thousands of steps in some executions has no more to do in the others.
    pub(crate) fn expected(&self, thread: u64, wanted: &[bool]) -> Option<f64> {
        let past = self.threads.get(&thread)?;
        let is_wanted = |place: usize| wanted.get(place).copied().unwrap_or(false);
        let mut totals: Vec<u32> = Vec::with_capacity(past.visits.len());
        for visits in &past.visits {
            let wanted = visits.iter().filter(|(place, _)| is_wanted(*place));
            totals.push(wanted.map(|(_, times)| times).sum());
        }
        let middle = totals.len().checked_sub(1)? / 2;
        let (_, median, _) = totals.select_nth_unstable(middle);
        let most = (*median + 1).saturating_mul(MUCH);
        let total: f64 = totals.iter().map(|total| f64::from(*total.min(&most))).sum();
        Some(total / totals.len() as f64)
    }

    /// The first operation of a thread that has not begun, if it has been seen before.
    pub(crate) fn first(&self, thread: u64) -> Option<Place> {
        self.threads.get(&thread)?.first
    }

    /// How many executions were learned from: while that does not change, nothing else is expected.
    pub(crate) fn lessons(&self) -> u64 {
        self.lessons
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
        self.lessons += 1;
        for info in record.threads {
            self.threads.entry(info.key).or_default().begin();
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
    /// Another execution is learned from.
    fn begin(&mut self) {
        if self.visits.len() == REMEMBERED {
            self.visits.pop_front();
        }
        self.visits.push_back(Vec::new());
    }

    fn visit(&mut self, place: usize, here: Place) {
        if let Some(visits) = self.visits.back_mut() {
            match visits.binary_search_by_key(&place, |(place, _)| *place) {
                Ok(index) => visits[index].1 += 1,
                Err(index) => visits.insert(index, (place, 1)),
            }
        }
        if self.first.is_none() && here.0 != OperationKind::ThreadStart {
            self.first = Some(here);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_model::{
        Age, Effect, Event, Operation, Order, Site, Source, ThreadInfo, ThreadPath,
    };

    fn at(line: u32) -> Site {
        Site::read(Source { file: "profile.rs".to_owned(), line, column: 1 })
    }

    /// The test's own thread looks so often and then takes a lock.
    fn learn(profile: &mut Profile, looks: usize) {
        let operation = |kind, line| Operation::new(kind, ObjectId(0), at(line));
        let event = |operation| Event {
            thread: ThreadId(0),
            order: Order::Implied,
            age: Age::ONLY,
            operation,
            effect: Effect::Done,
        };
        let look = event(operation(OperationKind::AtomicLoad, 1));
        let mut events = vec![look; looks];
        events.push(event(operation(OperationKind::MutexLock, 2)));
        let thread = ThreadInfo {
            pending: operation(OperationKind::ThreadEnd, 3),
            parent: ThreadId(0),
            ordinal: 0,
            key: ThreadPath::main().key(),
            spawned: None,
        };
        let (threads, objects) = (&[thread], &[]);
        profile.learn(&Record { events: &events, accesses: &[], threads, objects });
    }

    #[test]
    fn a_thread_that_spins_now_and_then_is_expected_to_do_as_much_as_usual() {
        let key = ThreadPath::main().key();
        let mut profile = Profile::new();
        assert_eq!(profile.expected(key, &[true, true]), None);
        for execution in 0..LEARN_ALL {
            learn(&mut profile, if execution % 3 == 1 { 4096 } else { 2 });
            let expected = profile.expected(key, &[true, true]).expect("it was seen");
            assert!((3.0..=3.0 * f64::from(MUCH)).contains(&expected), "{expected}");
        }
        assert_eq!(profile.expected(key, &[false, true]), Some(1.0));
    }

    #[test]
    fn executions_that_differ_as_usual_count_alike() {
        let mut profile = Profile::new();
        for execution in 0..LEARN_ALL {
            learn(&mut profile, if execution % 2 == 1 { 5 } else { 2 });
        }
        assert_eq!(profile.expected(ThreadPath::main().key(), &[true, true]), Some(4.5));
    }

    #[test]
    fn what_a_thread_did_long_ago_is_forgotten() {
        let mut profile = Profile::new();
        for _ in 0..LEARN_ALL {
            learn(&mut profile, 4096);
        }
        for _ in 0..LEARN_ONE_IN * REMEMBERED as u64 {
            learn(&mut profile, 2);
        }
        assert_eq!(profile.expected(ThreadPath::main().key(), &[true, true]), Some(3.0));
    }
}
