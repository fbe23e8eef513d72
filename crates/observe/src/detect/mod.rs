//! What went wrong in executions, or could have: one file a detector. Which there are is said by the table in `model`.
//!
//! A detector is told of every event with its `Scene`: which locks are held, and
//! what is certain to have come before, whoever takes a lock first. At the end of an execution it
//! says what it suspects. Suspicions are kept once for each problem; whoever runs the executions
//! can try to bring predictions about (see [`Suspicion::steering`]).
//!
//! Most detectors learn as much from a few executions as from all, so that they watch only some:
//! the first `FIRST` and then one in `ONE_IN`, and of each the first `MOST_EVENTS` events, or fewer if
//! there are so many threads and objects that the clocks of all of them would take too much memory.

pub mod fast_track;
mod must_order;
mod race_pairs;
#[cfg(test)]
mod races_of_traces;
mod scene;
mod shadow;
#[cfg(test)]
mod tests;
mod uses;
mod variables;

use must_order::{Handover, MustOrder};
use scene::Scene;
use selvedge_model::{
    Access, DetectorName, DetectorSet, Event, HeldLocks, KeptFor, Link, MemoryChange, Moment,
    NotKept, Observer, Record, Site, Steering, ThreadReport, Treatment, Warning,
};

/// So many executions are watched in any case.
const FIRST: u64 = 8;
/// And after them one in so many.
const ONE_IN: u64 = 64;

/// So many events of an execution are looked at, from its beginning.
const MOST_EVENTS: u64 = 200_000;

/// The clocks of an execution take no more memory than this if nobody says otherwise, in bytes.
const MEMORY: usize = 128 << 20;
/// What is kept is weighed after so many accesses.
const ACCESSES_PER_LOOK: u64 = 1024;
/// One who follows bytes of memory gets one of so many parts of that.
const SHARES: usize = 4;

/// How sure a detector is of what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// People should hear of it.
    Told,
    /// Too many harmless programs look like this. It is told only if it can be brought about.
    OnlyIfConfirmed,
}

/// What a detector suspects.
#[derive(Clone, Debug)]
pub struct Suspicion {
    /// What people are told.
    pub warning: Warning,
    /// How it can be brought about, if anybody knows.
    pub steering: Option<Steering>,
    /// Whether people are told in any case.
    pub certainty: Certainty,
}

/// Looks for one kind of trouble.
trait Detector {
    /// A new execution is about to begin.
    fn begin(&mut self);

    /// An operation was carried out.
    fn event(&mut self, event: &Event, scene: &Scene<'_>);

    /// Data was read or written.
    fn access(&mut self, _access: &Access, _scene: &Scene<'_>) {}

    /// Memory was allocated or freed.
    fn memory(&mut self, _change: &MemoryChange) {}

    /// How many bytes are kept of the execution, if nothing but its length limits that.
    fn weight(&self) -> usize {
        0
    }

    /// The execution has ended. What is suspected now.
    fn end(&mut self, record: &Record<'_>) -> Vec<Suspicion>;

    /// The execution has passed or failed. What is suspected for that.
    fn judged(&mut self, _verdict: Verdict) -> Vec<Suspicion> {
        Vec::new()
    }
}

/// What became of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing was wrong.
    Passed,
    /// There is a finding.
    Failed,
}

/// Which executions are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sample {
    /// The first ones, and then one in many.
    Some,
    /// All: there is somebody who learns from what passes.
    All,
}

/// The detectors that are on, with what they suspect.
pub struct Detectors {
    detectors: Vec<Box<dyn Detector>>,
    held: HeldLocks<Site>,
    alone: Alone,
    order: MustOrder,
    index: u64,
    sample: Sample,
    /// How many executions there were.
    executions: u64,
    watching: Watching,
    suspicions: Vec<Suspicion>,
    /// So many are kept at most.
    most: usize,
    /// Whether there were more.
    more: bool,
    /// How many of them are from executions before the last one.
    known: usize,
    /// What is kept of an execution may take so many bytes.
    memory: usize,
    /// How many accesses there were.
    accesses: u64,
    /// After how many events they have stopped to look at this execution, if they have.
    cut: Option<u64>,
}

/// A thread that has been alone for so many events may have done things that were not recorded.
const LONG_ALONE: u32 = 10_000;

/// The last thread with an event, and how many it had in a row.
#[derive(Clone, Copy, Debug, Default)]
struct Alone {
    thread: u32,
    times: u32,
}

impl Alone {
    /// Whether a thread that starts another one may have given locks back without a record.
    fn has_forgotten(&mut self, event: &Event) -> bool {
        self.times = match self.thread == event.thread.0 {
            true => self.times.saturating_add(1),
            false => 1,
        };
        self.thread = event.thread.0;
        event.meaning().link == Link::Starts && self.times >= LONG_ALONE
    }
}

/// Whether an execution is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watching {
    Yes,
    No,
}

impl Detectors {
    /// Those that are asked for; nobody if that is none.
    pub fn new(set: DetectorSet) -> Option<Self> {
        Self::with_memory(set, MEMORY)
    }

    /// As [`new`](Self::new), with so many bytes for what is kept of an execution.
    pub fn with_memory(set: DetectorSet, memory: usize) -> Option<Self> {
        let detectors: Vec<Box<dyn Detector>> = DetectorName::ALL
            .iter()
            .filter(|&&name| set.has(name))
            .map(|&name| made(name, memory / SHARES))
            .collect();
        (!detectors.is_empty()).then(|| Self {
            detectors,
            held: HeldLocks::default(),
            alone: Alone::default(),
            order: MustOrder::new(Handover::IsChance),
            index: 0,
            sample: match set.has(DetectorName::Avio) || set.has(DetectorName::Order) {
                true => Sample::All,
                false => Sample::Some,
            },
            executions: 0,
            watching: Watching::No,
            suspicions: Vec::new(),
            most: usize::MAX,
            more: false,
            known: 0,
            memory,
            accesses: 0,
            cut: None,
        })
    }

    /// Looks at the rest of the execution no more.
    #[cold]
    fn cut_off(&mut self) {
        self.cut = Some(self.index);
        self.order.clear();
    }

    /// Another execution is about to begin; says whether it is to be watched.
    pub(crate) fn next(&mut self) -> bool {
        let watched = self.sample == Sample::All
            || self.executions < FIRST
            || self.executions.is_multiple_of(ONE_IN);
        self.executions += 1;
        self.watching = if watched { Watching::Yes } else { Watching::No };
        watched
    }

    /// What is suspected so far, each problem once.
    pub fn into_suspicions(self) -> Vec<Suspicion> {
        self.suspicions
    }

    /// The last execution has passed or failed; its threads had these names.
    pub fn judge(&mut self, verdict: Verdict, threads: impl FnOnce() -> Vec<ThreadReport>) {
        if self.watching == Watching::No {
            return;
        }
        let mut detectors = std::mem::take(&mut self.detectors);
        for detector in &mut detectors {
            detector.judged(verdict).into_iter().for_each(|suspicion| self.keep(suspicion));
        }
        self.detectors = detectors;
        if self.known == self.suspicions.len() {
            return;
        }
        let threads = threads();
        for suspicion in &mut self.suspicions[self.known..] {
            for role in &mut suspicion.warning.witness {
                let named = threads.iter().find(|thread| thread.path == role.thread.path);
                role.thread.name = named.and_then(|thread| thread.name.clone());
            }
        }
    }

    /// Keeps a suspicion unless the problem is known already.
    fn keep(&mut self, suspicion: Suspicion) {
        debug_assert_eq!(suspicion.warning.treatment, Treatment::Untried);
        if self.more {
            return;
        }
        let full = self.suspicions.len() >= self.most;
        let same = |known: &&mut Suspicion| known.warning.same_problem(&suspicion.warning);
        match self.suspicions.iter_mut().find(same) {
            Some(known) if known.certainty == Certainty::OnlyIfConfirmed => {
                known.certainty = suspicion.certainty;
            }
            Some(_) => {}
            None if full => self.more = true,
            None => self.suspicions.push(suspicion),
        }
    }

    /// Keeps no more than so many suspicions. For those who read what others have written: each is
    /// compared with all others.
    pub(crate) fn limit(&mut self, most: usize) {
        self.most = most;
    }

    /// Whether there were more.
    pub(crate) fn had_more(&self) -> bool {
        self.more
    }
}

/// Declares a module for each file and finds the one that makes a detector.
macro_rules! modules {
    ($($(#[doc = $doc:literal])+ $detector:ident = $name:literal, $looks_at:ident in $module:ident,)+) => {
        $(mod $module;)+

        /// A detector; if it follows bytes of memory, that takes about so many bytes at most.
        fn made(name: DetectorName, memory: usize) -> Box<dyn Detector> {
            match name { $(DetectorName::$detector => $module::make(memory),)+ }
        }
    };
}

selvedge_model::with_detectors!(modules);

impl Observer for Detectors {
    fn wants_events(&self) -> bool {
        self.watching == Watching::Yes
    }

    fn reads_data(&self) -> bool {
        self.watching == Watching::Yes
    }

    fn begin(&mut self) {
        self.held.clear();
        self.alone = Alone::default();
        self.order.clear();
        self.index = 0;
        self.accesses = 0;
        self.cut = None;
        self.known = self.suspicions.len();
        self.detectors.iter_mut().for_each(|detector| detector.begin());
    }

    fn event(&mut self, event: &Event, moment: &Moment<'_>) {
        if self.watching == Watching::No || self.cut.is_some() {
            return;
        }
        if self.index == MOST_EVENTS || self.order.weight() > self.memory {
            return self.cut_off();
        }
        let now = self.order.next(event.thread);
        let (held, index) = (&self.held, self.index);
        let detectors = &mut self.detectors;
        let mut tell = |before, cause| {
            let scene = Scene { moment, held, before, now, cause, index };
            detectors.iter_mut().for_each(|detector| detector.event(event, &scene));
        };
        // Which event has ended a wait comes out when the order goes on, and then the clock from before
        // is gone. Most events are no such ends, and a clock has an entry for every thread.
        if must_order::ends_by_event(event) {
            let before = self.order.clock(event.thread).clone();
            tell(&before, self.order.apply(event));
        } else {
            tell(self.order.clock(event.thread), None);
            self.order.apply(event);
        }
        if self.alone.has_forgotten(event) {
            self.held.forget(event.thread);
        }
        self.held.event(event);
        self.index += 1;
    }

    fn access(&mut self, access: &Access, moment: &Moment<'_>) {
        if self.watching == Watching::No || self.cut.is_some() {
            return;
        }
        self.accesses += 1;
        if self.accesses.is_multiple_of(ACCESSES_PER_LOOK)
            && self.detectors.iter().map(|detector| detector.weight()).sum::<usize>() > self.memory
        {
            return self.cut_off();
        }
        let now = self.order.next(access.thread);
        let before = self.order.clock(access.thread);
        let (held, index) = (&self.held, self.index);
        let scene = Scene { moment, held, before, now, cause: None, index };
        self.detectors.iter_mut().for_each(|detector| detector.access(access, &scene));
    }

    fn memory(&mut self, change: &MemoryChange, _moment: &Moment<'_>) {
        if self.watching == Watching::Yes {
            self.detectors.iter_mut().for_each(|detector| detector.memory(change));
        }
    }

    fn not_kept(&self) -> Vec<NotKept> {
        let not_kept = |after| NotKept { what: KeptFor::Warnings, after };
        self.cut.map(not_kept).into_iter().collect()
    }

    fn end(&mut self, record: &Record<'_>) {
        if self.watching == Watching::No {
            return;
        }
        let mut detectors = std::mem::take(&mut self.detectors);
        for detector in &mut detectors {
            detector.end(record).into_iter().for_each(|suspicion| self.keep(suspicion));
        }
        self.detectors = detectors;
    }
}
