//! Which pairs a test can cover, estimated from what it has done.
//!
//! Source: S. Hong, J. Ahn, S. Park, M. Kim, M. J. Harrold, *Testing Concurrent Programs to Achieve
//! High Synchronization Coverage* (ISSTA 2012), section 2.3: a pair of actions p and q at one lock is
//! accepted if
//! * AC1: they are one thread's, and q is the next after p; or they are different threads' and
//! * AC2: no lock is in hand from p to the next action of its thread and at q as well,
//! * AC3: no lock is in hand at p and from the last action of q's thread to q as well,
//! * AC4: q does not precede p.
//!
//! [`Conditions::OfSeed`] is exactly this, with precedence by thread creation. Deviations of
//! [`Conditions::Improved`]: (1) precedence is whatever holds in every execution
//! ([`order`](super::order)); (2) a pair is cut if another action at the lock always comes in between;
//! (3) locks that are held for reading exclude writers only; (4) locks that go from hand to hand
//! with what they protect are paired where they change hands ([`handover`](super::handover)).
//!
//! May miss: actions that this execution did not have, and pairs of objects that other executions
//! give to other threads. May falsely accept: what only data forbid.

use super::follow::Places;
use super::goal::Goal;
use super::handover::Handovers;
use super::model::{Action, Audience, Model, NONE, OwnLock};
use super::names::NOTHING;
use super::order::{Precedence, Wakes};
use super::table::requirement;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_model::{GuidedMetric, Hold, Record, Requirement};

/// By which conditions pairs are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conditions {
    /// Those of the paper.
    OfSeed,
    /// Those and more.
    Improved(Wakes),
}

impl Conditions {
    pub(crate) fn precedence(self) -> Precedence {
        match self {
            Self::OfSeed => Precedence::Creation,
            Self::Improved(wakes) => Precedence::Certain(wakes),
        }
    }
}

/// The synchronisation pairs that are thought to be possible.
#[derive(Debug)]
pub struct Estimate {
    conditions: Conditions,
    places: Places,
    handovers: Handovers,
    known: FxHashSet<(u32, u32)>,
    pairs: Vec<(u32, u32)>,
}

impl Estimate {
    /// Nothing has been seen yet.
    pub fn new(conditions: Conditions) -> Self {
        Self {
            conditions,
            places: Places::new(),
            handovers: Handovers::default(),
            known: FxHashSet::default(),
            pairs: Vec::new(),
        }
    }

    /// What one execution shows, by the conditions of the paper.
    pub fn of_seed(record: &Record<'_>) -> Self {
        let mut estimate = Self::new(Conditions::OfSeed);
        estimate.add(record);
        estimate
    }

    /// What one execution shows, by the improved conditions.
    pub fn improved(record: &Record<'_>, wakes: Wakes) -> Self {
        let mut estimate = Self::new(Conditions::Improved(wakes));
        estimate.add(record);
        estimate
    }

    /// What another execution shows is added.
    pub fn add(&mut self, record: &Record<'_>) {
        let goal = Goal(GuidedMetric::SyncPair);
        let Self { conditions, places, handovers, known, pairs } = self;
        let model = Model::new(record, goal, conditions.precedence(), places);
        if matches!(conditions, Conditions::Improved(_)) {
            handovers.learn(record, &model);
        }
        let mut found = Vec::new();
        let is_settled = |pair: (u32, u32)| known.contains(&pair);
        accept(&model, goal, *conditions, handovers, record, is_settled, |accepted| {
            found.push((accepted.first, accepted.second));
        });
        pairs.extend(found.into_iter().filter(|&pair| known.insert(pair)));
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pairs, as the metric `sp` names them, sorted.
    pub fn requirements(&self) -> Vec<Requirement> {
        let goal = Goal(GuidedMetric::SyncPair);
        let named = |&pair: &(u32, u32)| requirement(goal, pair, None, &self.places);
        let mut requirements: Vec<_> = self.pairs.iter().map(named).collect();
        requirements.sort_unstable();
        requirements
    }
}

/// An accepted pair: its places, its object, and the two actions. The first is [`NONE`] if the pair
/// begins with nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accepted {
    pub(crate) first: u32,
    pub(crate) second: u32,
    pub(crate) object: u32,
    pub(crate) actions: (u32, u32),
}

/// Of the visits of a thread to a place at one object, so many of the first and of the last are
/// looked at.
const MOST_VISITS: usize = 4;

/// Tells of pairs that are accepted, each pair of places at most once for each object; those that are
/// settled are of no interest.
pub(crate) fn accept(
    model: &Model,
    goal: Goal,
    conditions: Conditions,
    handovers: &Handovers,
    record: &Record<'_>,
    is_settled: impl Fn((u32, u32)) -> bool,
    mut tell: impl FnMut(Accepted),
) {
    let mut accepted: FxHashSet<(u32, u32)> = FxHashSet::default();
    for (object, threads) in model.objects.iter().enumerate() {
        let object = object as u32;
        accepted.clear();
        if let Conditions::Improved(_) = conditions
            && let Some(pairs) = handovers.pairs(record, object, model)
        {
            pairs.into_iter().for_each(|(first, second, actions)| {
                tell(Accepted { first, second, object, actions });
            });
            continue;
        }
        let thinned = thin(model, threads);
        let judge = Judge { model, goal, conditions, threads };
        for &p in thinned.iter().filter(|&&p| model.action(p).role.sets) {
            let first = model.action(p);
            let between = judge.after(first);
            for &q in thinned.iter().filter(|&&q| p != q) {
                let second = model.action(q);
                let pair = (first.first, second.second);
                if second.role.closes
                    && second.second != NOTHING
                    && !is_settled(pair)
                    && !accepted.contains(&pair)
                    && judge.accepts((p, first), (q, second), &between)
                {
                    accepted.insert(pair);
                    let actions = (p, q);
                    tell(Accepted { first: pair.0, second: pair.1, object, actions });
                }
            }
        }
        if goal.begins_with_nothing() {
            for &q in &thinned {
                let second = model.action(q);
                if second.role.closes
                    && !accepted.contains(&(NOTHING, second.second))
                    && judge.may_be_first(second)
                {
                    accepted.insert((NOTHING, second.second));
                    let (first, second) = (NOTHING, second.second);
                    tell(Accepted { first, second, object, actions: (NONE, q) });
                }
            }
        }
    }
}

/// The actions at an object, without the many in the middle of a loop.
fn thin(model: &Model, threads: &[(u32, Vec<u32>)]) -> Vec<u32> {
    let mut thinned = Vec::new();
    let mut visits: FxHashMap<(u32, u32), (usize, usize)> = FxHashMap::default();
    for (_, list) in threads {
        visits.clear();
        let place = |index: u32| (model.action(index).first, model.action(index).second);
        for &index in list {
            visits.entry(place(index)).or_default().1 += 1;
        }
        for &index in list {
            let Some((seen, all)) = visits.get_mut(&place(index)) else { continue };
            *seen += 1;
            if *seen <= MOST_VISITS || *seen + MOST_VISITS > *all {
                thinned.push(index);
            }
        }
    }
    thinned
}

struct Judge<'a> {
    model: &'a Model,
    goal: Goal,
    conditions: Conditions,
    threads: &'a [(u32, Vec<u32>)],
}

impl Judge<'_> {
    /// Of each thread, the first action at the object that sets and always comes after this one.
    fn after(&self, first: &Action) -> Vec<u32> {
        if self.conditions == Conditions::OfSeed {
            return Vec::new();
        }
        let first_of = |(thread, list): &(u32, Vec<u32>)| {
            if *thread == first.thread {
                return first.next;
            }
            let from = list
                .partition_point(|&index| !self.model.precedes(first, self.model.action(index)));
            let sets = |&&index: &&u32| self.model.action(index).role.sets;
            list[from..].iter().find(sets).copied().unwrap_or(NONE)
        };
        self.threads.iter().map(first_of).collect()
    }

    fn accepts(&self, (from, p): (u32, &Action), (at, q): (u32, &Action), between: &[u32]) -> bool {
        let model = self.model;
        if p.left_for == Audience::Writers && q.hold == Some(Hold::Shared) {
            return false;
        }
        if p.thread == q.thread {
            // AC1
            return q.previous == from
                && !self.goal.is_foreign()
                && !self.is_between(between, at, q);
        }
        let own = match self.conditions {
            Conditions::OfSeed => OwnLock::LeftOut,
            Conditions::Improved(_) => OwnLock::Counts,
        };
        // AC4 first: it is the cheapest.
        if model.precedes(q, p) {
            return false;
        }
        // AC2
        if p.next != NONE && model.excludes(p, model.action(p.next), q, own) {
            return false;
        }
        // AC3
        if q.previous != NONE && model.excludes(model.action(q.previous), q, p, own) {
            return false;
        }
        !self.is_between(between, at, q)
    }

    /// Whether one of these always comes before the second action.
    fn is_between(&self, between: &[u32], at: u32, q: &Action) -> bool {
        let precedes = |&&index: &&u32| {
            index != NONE && index != at && self.model.precedes(self.model.action(index), q)
        };
        between.iter().any(|index| precedes(&index))
    }

    /// Whether nobody must have been there before.
    fn may_be_first(&self, q: &Action) -> bool {
        q.previous == NONE
            && !self.threads.iter().flat_map(|(_, list)| list).any(|&index| {
                let other = self.model.action(index);
                other.role.sets && self.model.precedes(other, q)
            })
    }
}
