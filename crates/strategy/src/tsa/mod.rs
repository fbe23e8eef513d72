//! TSA: threads are scheduled so that pairs are covered which were not seen before.
//!
//! Source: S. Hong, J. Ahn, S. Park, M. Kim, M. J. Harrold, *Testing Concurrent Programs to Achieve
//! High Synchronization Coverage* (ISSTA 2012). Its estimation phase is [`estimate`], its algorithm 1
//! is [`controller`].
//!
//! Deviations: (1) every kind of lock counts: mutexes, reader-writer locks, tries that succeed, and
//! taking the mutex again after a wait; (2) what later executions show is estimated from as well, and
//! what they cover is added; (3) executions under algorithm 1 take turns with such as aim at one
//! open pair ([`direct`]) and, now and then, a random walk, which meets what nobody has thought of;
//! (4) the metric may be another one whose requirements are ordered pairs ([`goal`]); (5) `tsa-h`, the
//! seed's TSA without rule 3, makes no use of the estimate but to pause threads: it does not aim, either.
//!
//! May miss: pairs that need data or faults which do not come up. They stay listed as not covered.

mod controller;
mod direct;
mod estimate;
mod follow;
mod goal;
mod handover;
mod lead;
mod mixture;
mod model;
mod names;
mod order;
mod sections;
mod sight;
mod table;

pub use estimate::{Conditions, Estimate};
pub use order::{Precedence, Wakes};

use crate::Rng;
use crate::exported::{from_bytes, to_bytes};
use controller::{Controller, Otherwise};
use direct::Direct;
use estimate::accept;
use goal::Goal;
use handover::Handovers;
use lead::{Lead, Trace};
use mixture::{Kind, Mixture};
use model::{Model, NONE};
use names::NOTHING;
use rustc_hash::FxHashSet;
use selvedge_model::{
    Effect, Event, Fault, Guidance, GuidedMetric, Progress, Rate, Record, Strategy, ThreadId,
    Variable, View,
};
use sight::{Expected, Sight};
use std::rc::Rc;
use table::{Stand, Witness, named};

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
    conditions: Conditions,
    aims: Aims,
    sight: Sight,
    handovers: Handovers,
    controller: Controller,
    way: Way,
    kind: Kind,
    mixture: Mixture,
    /// How much was covered before the running execution.
    covered: u64,
    executions: u64,
    /// Whether the running execution was told of.
    told: bool,
    /// Whether the running execution was begun here.
    began: bool,
    /// Executions that were estimated from.
    traces: Vec<Rc<Trace>>,
    /// What executions looked like that were learned from.
    shapes: FxHashSet<u64>,
    surprises: u64,
    estimates: usize,
}

/// Every execution is learned from at first, later on one in so many, and such as show something new.
const LEARN_ALL: u64 = 24;
/// See [`LEARN_ALL`].
const LEARN_ONE_IN: u64 = 32;
/// One execution in so many is a random walk.
const WALK_ONE_IN: u64 = 8;

/// More executions than this are not kept to be followed.
const MOST_TRACES: usize = 256;
/// How often the running thread goes on in random walks.
const HABITS: [u64; 5] = [0, 0, 8, 12, 15];

impl Tsa {
    /// The algorithm of the seed, with the improvements.
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
            conditions: Conditions::Improved(wakes),
            aims: Aims::Yes,
            sight: Sight::new(Goal(metric)),
            handovers: Handovers::default(),
            controller: Controller::new(otherwise),
            way: Way::Walk(0, None),
            kind: Kind::Walk,
            mixture: Mixture::new(),
            covered: 0,
            executions: 0,
            told: false,
            began: false,
            traces: Vec::new(),
            shapes: FxHashSet::default(),
            surprises: 0,
            estimates: 0,
        }
    }

    fn next_way(&mut self) -> Way {
        let kind = match (self.sight.table.open(), self.aims) {
            // There is nothing to aim at.
            (0, _) if self.traces.is_empty() || self.rng.coin() => Kind::Walk,
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
                    let trace = self.traces.get(witness.trace as usize);
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
        let follows = kind == Kind::WalkOn && !self.traces.is_empty();
        let lead = follows.then(|| {
            let trace = &self.traces[self.rng.below(self.traces.len() as u64) as usize];
            let end = self.rng.below(trace.len() as u64 + 1) as usize;
            Lead::new(trace, end)
        });
        Way::Walk(stays, lead)
    }

    /// Covers what the execution has covered.
    fn cover(&mut self, record: &Record<'_>) {
        let sight = &mut self.sight;
        let goal = sight.goal;
        sight.begin();
        let objects: Vec<u32> = match goal.names_object() {
            true => record.objects.iter().map(|info| sight.table.object(named(info))).collect(),
            false => Vec::new(),
        };
        let mut accesses = if goal.is_about_data() { record.accesses } else { &[] };
        let mut deeds = Vec::new();
        let data = |accesses: &mut &[(usize, selvedge_model::Access)],
                    until: usize,
                    sight: &mut Sight,
                    deeds: &mut Vec<follow::Deed>| {
            while let [(step, access), rest @ ..] = *accesses
                && *step <= until
            {
                if let Variable::Data(object) = access.variable {
                    let place = sight.places.names.of_spot(access.spot);
                    deeds.push(follow::Deed {
                        thread: access.thread,
                        object: object.0,
                        kind: selvedge_model::OperationKind::MutexLock,
                        role: goal.of_access(access.kind),
                        stop: NOTHING,
                        closes_at: place,
                        sets_to: place,
                    });
                }
                *accesses = rest;
            }
        };
        for position in 0..=record.events.len() {
            data(&mut accesses, position, sight, &mut deeds);
            if let Some(event) = record.events.get(position) {
                deeds.extend(sight.of_event(event));
            }
            for deed in deeds.drain(..) {
                let pair = sight.follow.apply(goal, &deed, &mut sight.places.seconds);
                if let Some(pair) = pair {
                    let object = objects.get(deed.object as usize).copied().unwrap_or(0);
                    sight.table.cover(pair, object, &sight.places);
                }
            }
        }
    }

    /// Whether another estimate is likely to show something new: threads did what they never did
    /// before, or covered what was not thought possible. At first every such execution is, later on
    /// one in so many.
    fn is_worth_learning_from(&mut self, record: &Record<'_>) -> bool {
        let surprises = self.sight.table.surprises();
        let surprised = std::mem::replace(&mut self.surprises, surprises) != surprises;
        let estimates = self.shapes.len() as u64;
        let due = estimates < LEARN_ALL || self.executions.is_multiple_of(LEARN_ONE_IN);
        if !due && !surprised {
            return false;
        }
        let shape = self.shape(record);
        self.shapes.insert(shape)
    }

    /// A number for what each thread did, whatever the order.
    fn shape(&mut self, record: &Record<'_>) -> u64 {
        let mut threads: Vec<u64> = record.threads.iter().map(|info| info.key | 1).collect();
        for event in record.events {
            let done = u64::from(self.sight.places.names.of_site(event.operation.site)) << 8
                | u64::from(event.effect == Effect::Refused);
            let thread = &mut threads[event.thread.index()];
            *thread = (*thread ^ done).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
        threads.into_iter().fold(0, u64::wrapping_add)
    }

    /// Estimates from an execution what is possible.
    fn estimate(&mut self, record: &Record<'_>) {
        let Self { sight, handovers, conditions, traces, estimates, .. } = self;
        let goal = sight.goal;
        let Sight { places, table, expected, .. } = sight;
        let model = Model::new(record, goal, conditions.precedence(), places);
        if goal.0 == GuidedMetric::SyncPair {
            handovers.learn(record, &model);
        }
        let trace = *estimates % MOST_TRACES;
        *estimates += 1;
        let kept = Rc::new(Trace::new(&model));
        match traces.get_mut(trace) {
            Some(old) => *old = kept,
            None => traces.push(kept),
        }
        let trace = trace as u32;
        let stand = |index: u32| {
            let action = model.action(index);
            let thread = model.keys[action.thread as usize];
            Stand { thread, place: action.stop.0, visit: action.stop.1 }
        };
        let mut found = Vec::new();
        let is_settled = |pair: (u32, u32)| !goal.names_object() && table.is_covered(pair);
        accept(&model, goal, *conditions, handovers, record, is_settled, |accepted| {
            found.push(accepted);
        });
        for accepted in found {
            let (p, q) = accepted.actions;
            let witness = (p != NONE && q != NONE)
                .then(|| Witness { first: stand(p), second: stand(q), trace })
                .filter(|witness| {
                    witness.first.place != NOTHING && witness.second.place != NOTHING
                });
            let object = match goal.names_object() {
                true => {
                    let info = record.objects.get(accepted.object as usize);
                    info.map_or(0, |info| table.object(named(info)))
                }
                false => 0,
            };
            table.estimate((accepted.first, accepted.second), object, witness, places);
        }
        if goal.is_about_data() {
            expect(&model, expected);
        }
    }
}

/// Learns what follows on taking a lock.
fn expect(model: &Model, expected: &mut Vec<Expected>) {
    let mut at = (NOTHING, 0, 0);
    for (_, list) in model.objects.iter().flatten() {
        for &index in list {
            let action = model.action(index);
            let place = action.stop.0 as usize;
            if action.stop.0 == NOTHING {
                continue;
            }
            if expected.len() <= place {
                expected.resize(place + 1, Expected::default());
            }
            let now = (action.stop.0, action.stop.1, action.thread);
            let entry = &mut expected[place];
            if at != now {
                *entry = Expected::default();
                at = now;
            }
            if action.role.closes && entry.closes_at == NOTHING && entry.sets_to == NOTHING {
                entry.closes_at = action.first;
            }
            if action.role.sets {
                entry.sets_to = action.first;
            }
        }
    }
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
        if self.rng.goes_on(view) {
            return view.current;
        }
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

    fn wake(&mut self, _: &View<'_>, waiters: &[ThreadId]) -> usize {
        self.rng.below(waiters.len() as u64) as usize
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
            self.cover(record);
        }
        if let Way::Aim(number, _) = std::mem::replace(&mut self.way, Way::Walk(0, None)) {
            self.sight.table.tried(number);
        }
        let covered = self.sight.table.covered();
        let gained = covered - std::mem::replace(&mut self.covered, covered);
        if began {
            self.mixture.gained(self.kind, gained);
        }
        self.executions += 1;
        if self.is_worth_learning_from(record) {
            self.estimate(record);
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
