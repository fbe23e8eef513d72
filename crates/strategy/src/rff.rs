//! RFF: executions are steered towards pairs of operations that have not been seen in this order.
//!
//! Source: Wolff, Shi, Duck, Mathur, Roychoudhury, *Greybox fuzzing for concurrency testing*
//! (ASPLOS 2024): an abstract schedule is a set of reads-from constraints, it is mutated, what it
//! leaves open is sampled by POS, and schedules that show something new are kept.
//!
//! Deviations: (1) a constraint is a [`Pair`], on locks and channels as well as on values; (2) only
//! positive constraints are used: a negative one is a positive one with another first operation;
//! (3) new constraints are rather pairs that are the reverse of what was seen and were never seen
//! themselves; (4) the base is POS or a random walk, by a coin.
//!
//! How a constraint is met: a thread that is about to carry out the second operation is held back
//! until the first one is the last on its object, and then it goes at once. When everybody who can
//! run is held back, somebody goes all the same.
//!
//! May miss: what depends on more orders at a time than there are constraints.

use crate::exported::{from_bytes, to_bytes};
use crate::orders::goes_without_saying;
use crate::pairs::Pair;
use crate::shared::{Knowledge, Shared};
use crate::{Portfolio, Rng};
use selvedge_model::{
    Config, Event, Fault, ObjectId, OperationKind, Pick, Progress, Rate, Strategy, ThreadId, View,
};

/// Reads-from constraints over POS.
#[derive(Debug)]
pub struct Rff {
    rng: Rng,
    shared: Knowledge,
    constraints: Vec<Constraint>,
    /// The place of the last write to each object and of the last operation on it.
    last: Vec<[u32; 2]>,
    base: Base,
    /// The priority of each thread's pending operation, as POS has it.
    priorities: Vec<u64>,
    /// Kept for its memory.
    free: Vec<ThreadId>,
}

/// A pair that this execution is to show.
#[derive(Clone, Copy, Debug)]
struct Constraint {
    pair: Pair,
    state: ConstraintState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConstraintState {
    Open,
    Met,
}

/// Who decides what constraints leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Pos,
    Random,
}

/// Where a thread stands with regard to the constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It completes one.
    Due,
    Free,
    Held,
}

/// No more constraints than this at a time.
const MOST: usize = 4;
/// No place.
const NOWHERE: u32 = u32::MAX;

impl Rff {
    pub(crate) fn new(seed: u64, shared: &Knowledge) -> Self {
        Self {
            rng: Rng::new(seed),
            shared: Knowledge::clone(shared),
            constraints: Vec::new(),
            last: Vec::new(),
            base: Base::Pos,
            priorities: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Constraints that have paid off before, with one more or one less.
    fn mutate(&mut self) {
        self.constraints.clear();
        let mut shared = self.shared.borrow_mut();
        let Shared { pairs, corpus, .. } = &mut *shared;
        if self.rng.chance(2, 3)
            && let Some(entry) = corpus.pick(&mut self.rng)
        {
            let keep = self.rng.below(MOST as u64) as usize;
            for pair in entry.pairs.iter().take(keep) {
                self.constraints.push(Constraint { pair: *pair, state: ConstraintState::Open });
            }
        }
        let unseen = pairs.unseen();
        let more = 1 + usize::from(self.rng.chance(1, 3));
        for _ in 0..more {
            let pair = if !unseen.is_empty() && self.rng.chance(3, 4) {
                unseen[self.rng.below(unseen.len() as u64) as usize]
            } else if let Some(entry) = corpus.pick(&mut self.rng)
                && !entry.pairs.is_empty()
            {
                entry.pairs[self.rng.below(entry.pairs.len() as u64) as usize]
            } else {
                continue;
            };
            let known = self.constraints.iter().any(|constraint| constraint.pair == pair);
            if !known && self.constraints.len() < MOST {
                self.constraints.push(Constraint { pair, state: ConstraintState::Open });
            }
        }
    }

    /// The place and the object of the next operation of a thread.
    fn upcoming(&self, view: &View<'_>, thread: ThreadId) -> Option<(u32, ObjectId)> {
        let pending = view.pending(thread);
        let mut shared = self.shared.borrow_mut();
        let profile = &mut shared.profile;
        let place = match pending.kind {
            OperationKind::ThreadStart => profile
                .first(view.threads[thread.index()].key)
                .and_then(|at| profile.places.get(at)),
            kind => profile.places.get((kind, pending.site)),
        };
        place.map(|place| (place as u32, pending.object))
    }

    /// Whether nothing is left to steer towards.
    fn is_met(&self) -> bool {
        self.constraints.iter().all(|constraint| constraint.state == ConstraintState::Met)
    }

    fn standing(&self, view: &View<'_>, thread: ThreadId) -> Standing {
        let open =
            self.constraints.iter().filter(|constraint| constraint.state == ConstraintState::Open);
        let Some((place, object)) = self.upcoming(view, thread) else { return Standing::Free };
        let nothing = [NOWHERE; 2];
        let last = self.last.get(object.index()).unwrap_or(&nothing);
        let mut standing = Standing::Free;
        for Constraint { pair, .. } in open {
            let prepared = last.contains(&pair.first);
            if place == pair.second {
                if prepared {
                    return Standing::Due;
                }
                standing = Standing::Held;
            } else if prepared && object != ObjectId::NONE && place != pair.first {
                // It would come in between.
                standing = Standing::Held;
            }
        }
        standing
    }

    /// One of these threads, as the base has it.
    fn choose(&mut self, view: &View<'_>, threads: &[ThreadId]) -> ThreadId {
        match self.base {
            Base::Random => threads[self.rng.below(threads.len() as u64) as usize],
            Base::Pos => {
                let priority = |thread: &&ThreadId| self.priorities[thread.index()];
                let chosen = threads.iter().max_by_key(priority).copied();
                let chosen = chosen.unwrap_or(view.current);
                let operation = view.pending(chosen);
                for thread in view.enabled.iter() {
                    if thread != chosen && view.pending(thread).conflicts_with(operation) {
                        self.priorities[thread.index()] = self.rng.bits();
                    }
                }
                chosen
            }
        }
    }
}

pub(crate) fn make(config: &Config) -> Box<dyn Strategy> {
    Box::new(Portfolio::of_one(|known| Rff::new(config.seed, known)))
}

impl Strategy for Rff {
    fn name(&self) -> String {
        "rff".to_owned()
    }

    fn begin(&mut self) -> Progress {
        self.last.clear();
        self.priorities.clear();
        self.base = if self.rng.coin() { Base::Pos } else { Base::Random };
        self.mutate();
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        while self.priorities.len() < view.threads.len() {
            self.priorities.push(self.rng.bits());
        }
        self.priorities[view.current.index()] = self.rng.bits();
        let mut free = std::mem::take(&mut self.free);
        free.clear();
        if self.is_met() {
            free.extend(view.enabled.iter());
            let chosen = self.choose(view, &free);
            self.free = free;
            return chosen;
        }
        for thread in view.enabled.iter() {
            match self.standing(view, thread) {
                Standing::Due => {
                    self.free = free;
                    return thread;
                }
                Standing::Free => free.push(thread),
                Standing::Held => {}
            }
        }
        if free.is_empty() {
            free.extend(view.enabled.iter());
        }
        let chosen = self.choose(view, &free);
        self.free = free;
        chosen
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
        !self.constraints.is_empty()
    }

    fn event(&mut self, event: &Event) {
        let operation = event.operation;
        if operation.object == ObjectId::NONE || goes_without_saying(operation.kind) {
            return;
        }
        let index = operation.object.index();
        if self.last.len() <= index {
            self.last.resize(index + 1, [NOWHERE; 2]);
        }
        let place = self.shared.borrow_mut().profile.places.get((operation.kind, operation.site));
        let place = place.map_or(NOWHERE, |place| place as u32);
        let last = &mut self.last[index];
        for constraint in &mut self.constraints {
            if place == constraint.pair.second && last.contains(&constraint.pair.first) {
                constraint.state = ConstraintState::Met;
            }
        }
        if !operation.kind.only_looks() {
            last[0] = place;
        }
        last[1] = place;
    }

    fn export(&self) -> Vec<u8> {
        to_bytes(&self.rng)
    }

    fn import(&mut self, exported: &[u8]) {
        self.rng = from_bytes(exported);
    }
}
