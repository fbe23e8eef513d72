//! What is learned from an execution that is over: what it has covered, and what else is possible.

use super::estimate::{Conditions, accept};
use super::follow::Deed;
use super::goal::{Goal, Role};
use super::handover::Handovers;
use super::lead::Trace;
use super::model::{Model, NONE};
use super::names::NOTHING;
use super::sight::{Expected, Sight};
use super::table::{Stand, Witness, named};
use rustc_hash::FxHashSet;
use selvedge_model::{Access, Effect, GuidedMetric, Link, LockAction, Meaning, Record, Variable};
use std::rc::Rc;

/// So many executions are estimated from, if each of them is different from those before...
const LEARN_ALL: usize = 24;
/// ... and comes this early.
const EARLY: u64 = 1024;
/// Later on one in so many.
const LEARN_ONE_IN: u64 = 32;
/// More executions than this are not kept to be followed.
const MOST_TRACES: usize = 256;

/// What estimates have come to.
#[derive(Debug)]
pub(crate) struct Learner {
    conditions: Conditions,
    handovers: Handovers,
    executions: u64,
    /// Executions that were estimated from.
    traces: Vec<Rc<Trace>>,
    /// What these looked like.
    shapes: FxHashSet<u64>,
    /// How many requirements had been covered that nobody had thought possible.
    surprises: u64,
}

impl Learner {
    pub(crate) fn new(conditions: Conditions) -> Self {
        Self {
            conditions,
            handovers: Handovers::default(),
            executions: 0,
            traces: Vec::new(),
            shapes: FxHashSet::default(),
            surprises: 0,
        }
    }

    /// Executions that were estimated from, to be followed.
    pub(crate) fn traces(&self) -> &[Rc<Trace>] {
        &self.traces
    }

    /// Takes an execution into account.
    pub(crate) fn learn(&mut self, record: &Record<'_>, sight: &mut Sight) {
        self.executions += 1;
        if self.is_new(record, sight) {
            self.estimate(record, sight);
        }
    }

    /// Whether an estimate is likely to show something new: threads did what they never did before.
    /// It is asked at first, now and then, and whenever something was covered that was not thought
    /// possible.
    fn is_new(&mut self, record: &Record<'_>, sight: &mut Sight) -> bool {
        let surprises = sight.table.surprises();
        let surprised = std::mem::replace(&mut self.surprises, surprises) != surprises;
        let is_early = self.shapes.len() < LEARN_ALL && self.executions <= EARLY;
        let due = is_early || self.executions.is_multiple_of(LEARN_ONE_IN);
        (due || surprised) && self.shapes.insert(shape(record, sight))
    }

    fn keep(&mut self, trace: Trace) -> u32 {
        let number = (self.shapes.len() - 1) % MOST_TRACES;
        let trace = Rc::new(trace);
        match self.traces.get_mut(number) {
            Some(old) => *old = trace,
            None => self.traces.push(trace),
        }
        number as u32
    }

    /// Estimates from an execution what is possible.
    fn estimate(&mut self, record: &Record<'_>, sight: &mut Sight) {
        let goal = sight.goal;
        let Sight { places, table, expected, .. } = sight;
        let model = Model::new(record, goal, self.conditions.precedence(), places);
        if goal.0 == GuidedMetric::SyncPair {
            self.handovers.learn(record, &model);
        }
        let trace = self.keep(Trace::new(&model));
        let mut found = Vec::new();
        let is_settled = |pair: (u32, u32)| !goal.names_object() && table.is_covered(pair);
        let handovers = &self.handovers;
        accept(&model, goal, self.conditions, handovers, record, is_settled, |accepted| {
            found.push(accepted);
        });
        for accepted in found {
            let info = record.objects.get(accepted.object as usize);
            let object = match info {
                Some(info) if goal.names_object() => table.object(named(info)),
                _ => 0,
            };
            let witness = witness(&model, accepted.actions, trace);
            table.estimate((accepted.first, accepted.second), object, witness, places);
        }
        if goal.is_about_data() {
            expect(&model, expected);
        }
    }
}

/// Where threads have to be held for a pair; nothing if that is not known.
fn witness(model: &Model, (first, second): (u32, u32), trace: u32) -> Option<Witness> {
    let stand = |index: u32| {
        let action = (index != NONE).then(|| model.action(index))?;
        let thread = model.keys[action.thread as usize];
        let (place, visit) = action.stop;
        (place != NOTHING).then_some(Stand { thread, place, visit })
    };
    Some(Witness { first: stand(first)?, second: stand(second)?, trace })
}

/// A number for what each thread did, whatever the order.
fn shape(record: &Record<'_>, sight: &mut Sight) -> u64 {
    let mut threads: Vec<u64> = record.threads.iter().map(|info| info.key | 1).collect();
    for event in record.events {
        let refused = u64::from(event.effect == Effect::Refused);
        let place = sight.places.names.of_site(event.operation.site);
        let thread = &mut threads[event.thread.index()];
        let done = *thread ^ (u64::from(place) << 1 | refused);
        *thread = done.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
    threads.into_iter().fold(0, u64::wrapping_add)
}

/// Covers what the execution has covered.
pub(crate) fn cover(record: &Record<'_>, sight: &mut Sight) {
    let goal = sight.goal;
    sight.begin();
    let objects: Vec<u32> = match goal.names_object() {
        true => record.objects.iter().map(|info| sight.table.object(named(info))).collect(),
        false => Vec::new(),
    };
    let mut accesses = if goal.is_about_data() { record.accesses } else { &[] };
    for position in 0..=record.events.len() {
        while let [(step, access), rest @ ..] = accesses
            && *step <= position
        {
            if let Some(deed) = of_access(access, goal, sight) {
                cover_by(&deed, &objects, sight);
            }
            accesses = rest;
        }
        let Some(event) = record.events.get(position) else { continue };
        let meaning = event.meaning();
        // Who aims at locks has nothing to do with most events of most tests.
        if goal.0 == GuidedMetric::SyncPair && meaning.locks().is_none() {
            continue;
        }
        if meaning.link == Link::TakesBack {
            sight.follow.take_back(event.thread, event.operation.object.0);
        }
        if let Some(deed) = sight.of_event(event) {
            cover_by(&deed, &objects, sight);
        }
        // A wait gives its mutex back.
        if meaning.lock == LockAction::GivesBackSecond && goal.tells_readers_apart() {
            let place = sight.places.names.of_site(event.operation.site);
            let given_back = Deed {
                thread: event.thread,
                object: event.operation.second.0,
                meaning,
                role: Role { sets: true, closes: false },
                stop: NOTHING,
                closes_at: place,
                sets_to: place,
            };
            cover_by(&given_back, &objects, sight);
        }
    }
}

fn cover_by(deed: &Deed, objects: &[u32], sight: &mut Sight) {
    let pair = sight.follow.apply(sight.goal, deed, &mut sight.places.seconds);
    if let Some(pair) = pair {
        let object = objects.get(deed.object as usize).copied().unwrap_or(0);
        sight.table.cover(pair, object, &sight.places);
    }
}

/// An access is no operation.
const NO_OPERATION: Meaning = Meaning { lock: LockAction::None, value: None, link: Link::None };

fn of_access(access: &Access, goal: Goal, sight: &mut Sight) -> Option<Deed> {
    let Variable::Data(object) = access.variable else { return None };
    let place = sight.places.names.of_spot(access.spot);
    Some(Deed {
        thread: access.thread,
        object: object.0,
        meaning: &NO_OPERATION,
        role: goal.of_access(access.kind),
        stop: NOTHING,
        closes_at: place,
        sets_to: place,
    })
}

/// Learns what follows on taking a lock.
fn expect(model: &Model, expected: &mut Vec<Expected>) {
    let mut at = (NOTHING, 0, 0);
    for (_, list) in model.objects.iter().flatten() {
        for action in list.iter().map(|&index| model.action(index)) {
            let (place, visit) = action.stop;
            if place == NOTHING {
                continue;
            }
            if expected.len() <= place as usize {
                expected.resize(place as usize + 1, Expected::default());
            }
            let entry = &mut expected[place as usize];
            let now = (place, visit, action.thread);
            if std::mem::replace(&mut at, now) != now {
                *entry = Expected::default();
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
