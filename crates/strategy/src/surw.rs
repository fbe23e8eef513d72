//! SURW: uniform over the orders of the operations that matter.
//!
//! Source: Zhao, Wolff, Mathur, Roychoudhury, *Selectively uniform concurrency testing*
//! (ASPLOS 2025). With [`Selection::OneObject`] each execution makes one object's operations the
//! interesting ones; with [`Selection::Everything`] all operations are (URW).
//!
//! The idea: a thread that still has many interesting operations to do must be chosen more often
//! than one that has few, or the orders in which the latter comes late are never met. Before each
//! interesting operation one thread is drawn with the number of interesting operations that it
//! still has to do as its weight; the others may run up to their next interesting operation, not
//! past it.
//!
//! Deviations: (1) an object is known across executions by the sites of its operations, since its
//! number depends on the schedule; (2) the numbers of operations are means over all executions
//! seen so far instead of one trial run, so that loops and retries do not freeze a bad estimate;
//! (3) the operations of threads that do not exist yet are not counted for their parents.
//!
//! May miss: little by design, but with a wrong estimate (data-dependent loops) some orders become
//! rare.

use crate::Rng;
use rustc_hash::FxHashMap;
use selvedge_model::{
    Event, Fault, ObjectId, OperationKind, Progress, Rate, Record, Site, Strategy, ThreadId, View,
};

/// Which operations are interesting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Those on one shared object, another one in each execution.
    OneObject,
    /// All.
    Everything,
}

/// A place in the program: an operation at a site.
type Place = (OperationKind, Site);

/// What a thread did in earlier executions.
#[derive(Clone, Debug, Default)]
struct Past {
    executions: u64,
    /// How often it came to each place, in all executions together.
    visits: Vec<u64>,
    /// Its first operation, which it carries out as soon as it begins.
    first: Option<Place>,
}

/// Selectively uniform random walk.
#[derive(Debug)]
pub struct Surw {
    rng: Rng,
    selection: Selection,
    /// For each place its number.
    places: FxHashMap<Place, usize>,
    /// For each thread (by key), what it did in earlier executions.
    threads: FxHashMap<u64, Past>,
    /// The sets of places that belong to one shared object, sorted; without repetition.
    objects: Vec<Vec<usize>>,
    /// Whether each place is interesting in this execution.
    interesting: Vec<bool>,
    /// The interesting operations that each thread still has to do, as far as is known.
    remaining: Vec<Option<f64>>,
    intended: Option<ThreadId>,
}

impl Surw {
    /// A walk with the given seed.
    pub fn new(seed: u64, selection: Selection) -> Self {
        Self {
            rng: Rng::new(seed),
            selection,
            places: FxHashMap::default(),
            threads: FxHashMap::default(),
            objects: Vec::new(),
            interesting: Vec::new(),
            remaining: Vec::new(),
            intended: None,
        }
    }

    fn is_interesting(&self, kind: OperationKind, site: Site) -> bool {
        match self.places.get(&(kind, site)) {
            Some(&place) => self.interesting.get(place).copied().unwrap_or(false),
            // What has never been seen may be what matters.
            None => self.selection == Selection::Everything,
        }
    }

    /// The interesting operations that a thread still has to do.
    fn weight(&mut self, view: &View<'_>, thread: ThreadId) -> f64 {
        if self.remaining.len() <= thread.index() {
            self.remaining.resize(thread.index() + 1, None);
        }
        let remaining = match self.remaining[thread.index()] {
            Some(remaining) => remaining,
            None => {
                let expected = match self.threads.get(&view.threads[thread.index()].key) {
                    Some(past) => {
                        let interesting = past.visits.iter().zip(&self.interesting);
                        let total: u64 =
                            interesting.filter(|(_, i)| **i).map(|(visits, _)| visits).sum();
                        total as f64 / past.executions as f64
                    }
                    None => 1.0,
                };
                self.remaining[thread.index()] = Some(expected);
                expected
            }
        };
        // An estimate that has run out must not starve a thread that evidently goes on.
        remaining.max(if self.waits_at_interesting(view, thread) { 0.5 } else { 0.0 })
    }

    fn waits_at_interesting(&self, view: &View<'_>, thread: ThreadId) -> bool {
        let pending = view.pending(thread);
        let (kind, site) = match pending.kind {
            OperationKind::ThreadStart => {
                let past = self.threads.get(&view.threads[thread.index()].key);
                match past.and_then(|past| past.first) {
                    Some(first) => first,
                    None => return false,
                }
            }
            kind => (kind, pending.site),
        };
        self.is_interesting(kind, site)
    }

    /// Draws the thread that may pass its next interesting operation.
    fn draw(&mut self, view: &View<'_>) -> ThreadId {
        let weights: Vec<(ThreadId, f64)> =
            view.enabled.iter().map(|thread| (thread, self.weight(view, thread))).collect();
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        if total <= 0.0 {
            return self.rng.pick(view.enabled);
        }
        // 53 random bits make a fraction that is the same on every machine.
        let fraction = (self.rng.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut left = fraction * total;
        for &(thread, weight) in &weights {
            if left < weight {
                return thread;
            }
            left -= weight;
        }
        weights.iter().rev().find(|(_, w)| *w > 0.0).map_or(view.current, |&(thread, _)| thread)
    }

    fn choose_interesting(&mut self) {
        self.interesting.clear();
        match self.selection {
            Selection::Everything => self.interesting.resize(self.places.len(), true),
            Selection::OneObject => {
                self.interesting.resize(self.places.len(), false);
                if !self.objects.is_empty() {
                    let object = self.rng.below(self.objects.len() as u64) as usize;
                    for &place in &self.objects[object] {
                        self.interesting[place] = true;
                    }
                }
            }
        }
    }
}

impl Strategy for Surw {
    fn name(&self) -> String {
        match self.selection {
            Selection::OneObject => "surw".to_owned(),
            Selection::Everything => "urw".to_owned(),
        }
    }

    fn begin(&mut self) -> Progress {
        self.remaining.clear();
        self.intended = None;
        self.choose_interesting();
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        if self.rng.goes_on(view) {
            return view.current;
        }
        let intended = match self.intended.filter(|&thread| view.enabled.contains(thread)) {
            Some(thread) => thread,
            None => {
                let thread = self.draw(view);
                self.intended = Some(thread);
                thread
            }
        };
        let free = view
            .enabled
            .iter()
            .filter(|&thread| thread == intended || !self.waits_at_interesting(view, thread));
        let free: Vec<ThreadId> = free.collect();
        free[self.rng.below(free.len() as u64) as usize]
    }

    fn wake(&mut self, _: &View<'_>, waiters: &[ThreadId]) -> usize {
        self.rng.below(waiters.len() as u64) as usize
    }

    fn fault(&mut self, _: &View<'_>, _: Fault, rate: Rate) -> bool {
        self.rng.fault(rate)
    }

    fn wants_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &Event) {
        if self.is_interesting(event.operation.kind, event.operation.site) {
            if self.intended == Some(event.thread) {
                self.intended = None;
            }
            if let Some(Some(remaining)) = self.remaining.get_mut(event.thread.index()) {
                *remaining = (*remaining - 1.0).max(0.0);
            }
        }
    }

    fn end(&mut self, record: &Record<'_>) {
        let mut by_object: FxHashMap<ObjectId, (ThreadId, bool, Vec<usize>)> = FxHashMap::default();
        let mut order: Vec<ObjectId> = Vec::new();
        for info in record.threads {
            self.threads.entry(info.key).or_default().executions += 1;
        }
        for event in record.events {
            let known = self.places.len();
            let place =
                *self.places.entry((event.operation.kind, event.operation.site)).or_insert(known);
            let key = record.threads[event.thread.index()].key;
            if let Some(past) = self.threads.get_mut(&key) {
                if past.visits.len() <= place {
                    past.visits.resize(place + 1, 0);
                }
                past.visits[place] += 1;
                if past.first.is_none() && event.operation.kind != OperationKind::ThreadStart {
                    past.first = Some((event.operation.kind, event.operation.site));
                }
            }
            let object = event.operation.object;
            if object == ObjectId::NONE {
                continue;
            }
            let (first, shared, places) = by_object.entry(object).or_insert_with(|| {
                order.push(object);
                (event.thread, false, Vec::new())
            });
            *shared |= *first != event.thread;
            if !places.contains(&place) {
                places.push(place);
            }
        }
        for object in order {
            let Some((_, true, mut places)) = by_object.remove(&object) else { continue };
            places.sort_unstable();
            if !self.objects.contains(&places) && self.objects.len() < MOST_OBJECTS {
                self.objects.push(places);
            }
        }
    }
}

/// More objects than this are not told apart; each execution makes one of them interesting.
const MOST_OBJECTS: usize = 64;
