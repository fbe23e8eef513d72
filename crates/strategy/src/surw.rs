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
//! number depends on the schedule; (2) the numbers of operations are means over the latest
//! executions, without outliers, instead of those of one trial run, so that neither retries nor a
//! thread that spins for long freeze a bad estimate; (3) the operations of threads that do not exist
//! yet are not counted for their parents.
//!
//! May miss: little by design, but with a wrong estimate (data-dependent loops) some orders become
//! rare.

use crate::exported::{from_bytes, to_bytes};
use crate::shared::Knowledge;
use crate::{Portfolio, Rng};
use selvedge_model::{
    Config, Event, Fault, OperationKind, Pick, Progress, Rate, Site, Strategy, StrategyName,
    ThreadId, ThreadSet, View,
};

/// Which operations are interesting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Those on one shared object, another one in each execution.
    OneObject,
    /// All.
    Everything,
}

/// Selectively uniform random walk.
#[derive(Debug)]
pub struct Surw {
    rng: Rng,
    selection: Selection,
    shared: Knowledge,
    /// Whether each place is interesting in this execution.
    interesting: Vec<bool>,
    /// The interesting operations that each thread still has to do, as far as is known.
    remaining: Vec<Option<f64>>,
    /// The thread that may pass its next interesting operation.
    intended: Option<ThreadId>,
    /// The threads that are about to carry out an interesting operation, apart from those below.
    waiting: ThreadSet,
    /// Threads that have moved since that was looked at.
    moved: Vec<ThreadId>,
    /// How many threads have been looked at.
    looked_at: usize,
    /// Kept for its memory.
    weights: Vec<(ThreadId, f64)>,
}

impl Surw {
    /// A walk with the given seed.
    pub(crate) fn new(seed: u64, selection: Selection, shared: &Knowledge) -> Self {
        Self {
            rng: Rng::new(seed),
            selection,
            shared: Knowledge::clone(shared),
            interesting: Vec::new(),
            remaining: Vec::new(),
            intended: None,
            waiting: ThreadSet::new(),
            moved: Vec::new(),
            looked_at: 0,
            weights: Vec::new(),
        }
    }

    fn is_interesting(&mut self, kind: OperationKind, site: Site) -> bool {
        match self.selection {
            Selection::Everything => true,
            Selection::OneObject => match self.shared.borrow_mut().profile.places.get((kind, site))
            {
                Some(place) => self.interesting.get(place).copied().unwrap_or(false),
                None => false,
            },
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
                let key = view.threads[thread.index()].key;
                let profile = &self.shared.borrow().profile;
                let expected = profile.expected(key, &self.interesting).unwrap_or(1.0);
                self.remaining[thread.index()] = Some(expected);
                expected
            }
        };
        // An estimate that has run out must not starve a thread that evidently goes on.
        remaining.max(if self.waiting.contains(thread) { 0.5 } else { 0.0 })
    }

    fn waits_at_interesting(&mut self, view: &View<'_>, thread: ThreadId) -> bool {
        let pending = view.pending(thread);
        let (kind, site) = match pending.kind {
            OperationKind::ThreadStart => {
                match self.shared.borrow().profile.first(view.threads[thread.index()].key) {
                    Some(first) => first,
                    None => return false,
                }
            }
            kind => (kind, pending.site),
        };
        self.is_interesting(kind, site)
    }

    /// Looks where those threads are that have moved or come to life.
    fn look(&mut self, view: &View<'_>) {
        // It may have come here without an event, after a stop that follows a write.
        self.look_at(view, view.current);
        while let Some(thread) = self.moved.pop() {
            self.look_at(view, thread);
        }
        for position in self.looked_at..view.threads.len() {
            self.look_at(view, ThreadId(position as u32));
        }
        self.looked_at = view.threads.len();
    }

    fn look_at(&mut self, view: &View<'_>, thread: ThreadId) {
        if self.waits_at_interesting(view, thread) {
            self.waiting.insert(thread);
        } else {
            self.waiting.remove(thread);
        }
    }

    /// Draws the thread that may pass its next interesting operation.
    fn draw(&mut self, view: &View<'_>) -> ThreadId {
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        weights.extend(view.enabled.iter().map(|thread| (thread, self.weight(view, thread))));
        let drawn = self.rng.weighted(&weights).unwrap_or_else(|| self.rng.pick(view.enabled));
        self.weights = weights;
        drawn
    }

    fn choose_interesting(&mut self) {
        self.interesting.clear();
        let profile = &self.shared.borrow().profile;
        let places = profile.places.len();
        match self.selection {
            Selection::Everything => self.interesting.resize(places, true),
            Selection::OneObject => {
                self.interesting.resize(places, false);
                let objects = &profile.objects;
                if !objects.is_empty() {
                    let object = self.rng.below(objects.len() as u64) as usize;
                    for &place in &objects[object] {
                        self.interesting[place] = true;
                    }
                }
            }
        }
    }
}

pub(crate) fn make(config: &Config) -> Box<dyn Strategy> {
    let selection = match config.strategy {
        StrategyName::Urw => Selection::Everything,
        _ => Selection::OneObject,
    };
    Box::new(Portfolio::of_one(|known| Surw::new(config.seed, selection, known)))
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
        self.waiting.clear();
        self.moved.clear();
        self.looked_at = 0;
        self.choose_interesting();
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        self.look(view);
        let intended = match self.intended.filter(|&thread| view.enabled.contains(thread)) {
            Some(thread) => thread,
            None => {
                let thread = self.draw(view);
                self.intended = Some(thread);
                thread
            }
        };
        let mut free = view.enabled.clone();
        free.remove_all(&self.waiting);
        free.insert(intended);
        self.rng.pick(&free)
    }

    fn continuations(&mut self) -> u32 {
        self.rng.continuations()
    }

    fn pick(&mut self, _: &View<'_>, pick: Pick, of: usize) -> usize {
        self.rng.one_of(pick, of)
    }

    fn fault(&mut self, _: &View<'_>, _: Fault, rate: Rate) -> bool {
        self.rng.fault(rate)
    }

    fn wants_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &Event) {
        if self.moved.last() != Some(&event.thread) {
            self.moved.push(event.thread);
        }
        if self.is_interesting(event.operation.kind, event.operation.site) {
            if self.intended == Some(event.thread) {
                self.intended = None;
            }
            if let Some(Some(remaining)) = self.remaining.get_mut(event.thread.index()) {
                *remaining = (*remaining - 1.0).max(0.0);
            }
        }
    }

    fn export(&self) -> Vec<u8> {
        to_bytes(&self.rng)
    }

    fn import(&mut self, exported: &[u8]) {
        self.rng = from_bytes(exported);
    }
}
