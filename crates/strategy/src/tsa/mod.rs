//! TSA: threads are scheduled so that pairs are covered which were not seen before.
//!
//! Source: S. Hong, J. Ahn, S. Park, M. Kim, M. J. Harrold, *Testing Concurrent Programs to Achieve
//! High Synchronization Coverage* (ISSTA 2012). Its estimation phase is in `estimate.rs`, its algorithm 1
//! in `controller.rs`.
//!
//! Deviations: (1) every kind of lock counts: mutexes, reader-writer locks, tries that succeed, and
//! taking the mutex again after a wait; (2) what later executions show is estimated from as well, and
//! what they cover is added; (3) executions under algorithm 1 take turns with such as aim at one
//! open pair (`direct.rs`) and, now and then, a random walk, which meets what nobody has thought of;
//! (4) the metric may be another one whose requirements are ordered pairs (`goal.rs`); (5) `tsa-h`, the
//! paper's TSA without rule 3, makes no use of the estimate but to pause threads: it does not aim, either.
//!
//! May miss: pairs that need data or faults which do not come up. They stay listed as not covered.

mod controller;
mod direct;
mod estimate;
mod follow;
mod goal;
mod handover;
mod lead;
mod learn;
mod mixture;
mod model;
mod names;
mod order;
mod sections;
mod sight;
mod table;
#[cfg(test)]
mod tests;

pub use estimate::{Conditions, Estimate};
pub use order::{Precedence, Wakes};

use crate::Rng;
use crate::exported::{from_bytes, to_bytes};
use controller::{Controller, Otherwise};
use direct::Direct;
use goal::Goal;
use lead::Lead;
use learn::Learner;
use mixture::{Kind, Mixture};
use selvedge_model::{
    Config, Event, Fault, Guidance, GuidedMetric, Pick, Progress, Rate, Record, Requirement,
    Strategy, StrategyName, ThreadId, View,
};
use sight::Sight;

/// How an execution is decided.
#[derive(Debug)]
enum Way {
    /// At random, perhaps after the beginning of an earlier execution; the running thread goes on so
    /// often out of 16 times, and otherwise each thread is equally likely.
    Walk(u64, Option<Lead>),
    /// By algorithm 1.
    Rules,
    /// By algorithm 1, after an attempt at the requirement with this number.
    Aim(u32, Direct),
}

/// Whether executions aim at single pairs in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aims {
    Yes,
    No,
}

/// The thread-scheduling algorithm.
#[derive(Debug)]
pub struct Tsa {
    name: String,
    rng: Rng,
    aims: Aims,
    sight: Sight,
    learner: Learner,
    controller: Controller,
    way: Way,
    kind: Kind,
    mixture: Mixture,
    /// How much was covered before the running execution.
    covered: u64,
    /// Whether the running execution was told of.
    told: bool,
    /// Whether the running execution was begun here.
    began: bool,
}

/// One execution in so many is a random walk.
const WALK_ONE_IN: u64 = 8;
/// How often the running thread goes on in random walks.
const HABITS: [u64; 5] = [0, 0, 8, 12, 15];

impl Tsa {
    /// The algorithm of the paper, with the improvements.
    pub fn new(seed: u64, wakes: Wakes) -> Self {
        Self::of("tsa", seed, wakes, GuidedMetric::SyncPair, Otherwise::FewestRequirements)
    }

    /// Without rule 3 and without aiming at single pairs.
    pub fn without_rule_3(seed: u64, wakes: Wakes) -> Self {
        let mut tsa = Self::of("tsa-h", seed, wakes, GuidedMetric::SyncPair, Otherwise::Anybody);
        tsa.aims = Aims::No;
        tsa
    }

    /// Aims at the requirements of another metric.
    pub fn guided(seed: u64, wakes: Wakes, metric: GuidedMetric) -> Self {
        let name = format!("guided({metric})");
        Self::of(&name, seed, wakes, metric, Otherwise::FewestRequirements)
    }

    fn of(name: &str, seed: u64, wakes: Wakes, metric: GuidedMetric, otherwise: Otherwise) -> Self {
        Self {
            name: name.to_owned(),
            rng: Rng::new(seed),
            aims: Aims::Yes,
            sight: Sight::new(Goal(metric)),
            learner: Learner::new(Conditions::Improved(wakes)),
            controller: Controller::new(otherwise),
            way: Way::Walk(0, None),
            kind: Kind::Walk,
            mixture: Mixture::new(),
            covered: 0,
            told: false,
            began: false,
        }
    }

    fn next_way(&mut self) -> Way {
        let kind = match (self.sight.table.open(), self.aims) {
            // There is nothing to aim at.
            (0, _) if self.learner.traces().is_empty() || self.rng.coin() => Kind::Walk,
            (0, _) => Kind::WalkOn,
            (_, Aims::Yes) => self.mixture.next(&mut self.rng),
            (_, Aims::No) if self.rng.chance(1, WALK_ONE_IN) => Kind::Walk,
            (_, Aims::No) => Kind::Rules,
        };
        self.kind = kind;
        match kind {
            Kind::Rules => Way::Rules,
            Kind::Aim | Kind::AimAgain => match self.sight.table.target(&mut self.rng) {
                Some((number, witness)) => {
                    let trace = self.learner.traces().get(witness.trace as usize);
                    let trace = trace.filter(|_| kind == Kind::AimAgain);
                    let lead = trace.map(|trace| Lead::new(trace, trace.len()));
                    Way::Aim(number, Direct::new(&witness, lead))
                }
                None => Way::Rules,
            },
            Kind::Walk | Kind::WalkOn => self.walk(kind),
        }
    }

    /// A random walk. What depends on data may need long turns or short ones, or a beginning that
    /// seldom comes about.
    fn walk(&mut self, kind: Kind) -> Way {
        let stays = HABITS[self.rng.below(HABITS.len() as u64) as usize];
        let traces = self.learner.traces();
        let follows = kind == Kind::WalkOn && !traces.is_empty();
        let lead = follows.then(|| {
            let trace = &traces[self.rng.below(traces.len() as u64) as usize];
            let end = self.rng.below(trace.len() as u64 + 1) as usize;
            Lead::new(trace, end)
        });
        Way::Walk(stays, lead)
    }
}

pub(crate) fn make(config: &Config) -> Box<dyn Strategy> {
    let wakes = Wakes::of(config);
    Box::new(match config.strategy {
        StrategyName::TsaH => Tsa::without_rule_3(config.seed, wakes),
        _ => Tsa::new(config.seed, wakes),
    })
}

impl Strategy for Tsa {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self) -> Progress {
        self.sight.begin();
        self.controller.begin();
        self.told = false;
        self.began = true;
        self.way = self.next_way();
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        let Self { sight, controller, rng, way, .. } = self;
        match way {
            Way::Walk(stays, lead) => {
                if let Some(lead) = lead
                    && let Some(thread) = lead.choose(view, sight, [None, None])
                {
                    return thread;
                }
                match view.could_continue() && rng.chance(*stays, 16) {
                    true => view.current,
                    false => rng.pick(view.enabled),
                }
            }
            Way::Rules => controller.choose(view, sight, rng),
            Way::Aim(_, direct) => match direct.choose(view, sight, rng) {
                Some(thread) => {
                    controller.overruled(thread);
                    thread
                }
                None => controller.choose(view, sight, rng),
            },
        }
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

    fn wants_first_stops(&self) -> bool {
        !matches!(self.way, Way::Walk(_, None))
    }

    #[inline]
    fn event(&mut self, event: &Event) {
        self.told = true;
        let Some(deed) = self.sight.happened(event) else { return };
        match &mut self.way {
            Way::Aim(_, direct) => direct.happened(&deed),
            Way::Walk(_, Some(lead)) => lead.happened(&deed),
            Way::Walk(_, None) | Way::Rules => {}
        }
    }

    fn end(&mut self, record: &Record<'_>) {
        let told = std::mem::replace(&mut self.told, false);
        // Otherwise it was decided by somebody else.
        let began = std::mem::replace(&mut self.began, false);
        if !told || self.sight.goal.0 != GuidedMetric::SyncPair {
            learn::cover(record, &mut self.sight);
        }
        if let Way::Aim(number, _) = std::mem::replace(&mut self.way, Way::Walk(0, None)) {
            self.sight.table.tried(number);
        }
        let covered = self.sight.table.covered();
        let gained = covered - std::mem::replace(&mut self.covered, covered);
        if began {
            self.mixture.gained(self.kind, gained);
        }
        self.learner.learn(record, &mut self.sight);
    }

    fn learn(&mut self, metric: &str, covered: &[Requirement]) {
        if metric == self.sight.goal.metric().to_string() {
            self.sight.table.learn(covered, &self.sight.places);
        }
    }

    fn guidance(&self) -> Option<Guidance> {
        Some(self.sight.table.guidance(&self.sight.places))
    }

    fn export(&self) -> Vec<u8> {
        to_bytes(&self.rng)
    }

    fn import(&mut self, exported: &[u8]) {
        self.rng = from_bytes(exported);
    }
}
