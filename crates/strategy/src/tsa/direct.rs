//! Aiming at one pair: two threads are brought to the two places, and nobody comes in between.
//!
//! The rules of algorithm 1 see as far as the next action of each thread. A pair whose second action
//! lies further ahead, or whose first comes early, may never stand before them. An estimate knows two
//! actions that make the pair: which threads', where, and for which time. So both threads are let go up
//! to there and held; when both have come (or the second waits for the first), the first goes, and
//! whoever would use the object waits until the second has.
//!
//! May miss: pairs for which others must be held back as well.

use super::follow::Deed;
use super::lead::Lead;
use super::sight::Sight;
use super::table::{Stand, Witness};
use crate::Rng;
use selvedge_model::{ThreadId, View};

/// How far an attempt has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The first action has not been carried out.
    Before,
    /// It has, on this object.
    Between(u32),
    /// Both have been carried out, or there is no hope.
    Over,
}

/// A thread on its way to a place.
#[derive(Debug)]
struct Party {
    stand: Stand,
    thread: Option<ThreadId>,
    /// How often each thread was there.
    visits: Vec<u32>,
}

/// An attempt at one pair in the running execution.
#[derive(Debug)]
pub(crate) struct Direct {
    first: Party,
    second: Party,
    stage: Stage,
    /// The execution that shows how to get there, if it is followed.
    lead: Option<Lead>,
    /// How many threads have been looked at.
    known: usize,
    free: Vec<ThreadId>,
}

impl Party {
    fn new(stand: Stand) -> Self {
        Self { stand, thread: None, visits: Vec::new() }
    }

    fn meet(&mut self, view: &View<'_>, known: usize) {
        if self.thread.is_none() {
            let new = view.threads.iter().enumerate().skip(known);
            let found = new.into_iter().find(|(_, info)| info.key == self.stand.thread);
            self.thread = found.map(|(index, _)| ThreadId(index as u32));
        }
    }

    /// Whether the thread is where it is to be.
    fn is_there(&self, view: &View<'_>, sight: &mut Sight) -> bool {
        let Some(thread) = self.thread else { return false };
        let visits = self.visits.get(thread.index()).copied().unwrap_or(0);
        visits + 1 == self.stand.visit
            && sight.deed(view, thread).is_some_and(|deed| deed.stop == self.stand.place)
    }
}

impl Direct {
    pub(crate) fn new(witness: &Witness, lead: Option<Lead>) -> Self {
        Self {
            first: Party::new(witness.first),
            second: Party::new(witness.second),
            stage: Stage::Before,
            lead,
            known: 0,
            free: Vec::new(),
        }
    }

    /// Who goes next, as long as the attempt is not over.
    pub(crate) fn choose(
        &mut self,
        view: &View<'_>,
        sight: &mut Sight,
        rng: &mut Rng,
    ) -> Option<ThreadId> {
        if self.known < view.threads.len() {
            self.first.meet(view, self.known);
            self.second.meet(view, self.known);
            self.known = view.threads.len();
        }
        match self.stage {
            Stage::Before => self.approach(view, sight, rng),
            Stage::Between(object) => self.follow_up(view, sight, rng, object),
            Stage::Over => None,
        }
    }

    fn approach(&mut self, view: &View<'_>, sight: &mut Sight, rng: &mut Rng) -> Option<ThreadId> {
        let first = self.first.thread.filter(|_| self.first.is_there(view, sight));
        let second = self.second.thread.filter(|_| self.second.is_there(view, sight));
        let can_run = |thread: Option<ThreadId>| thread.filter(|&t| view.enabled.contains(t));
        let alone = self.first.stand.thread == self.second.stand.thread;
        if (second.is_some() || alone)
            && let Some(first) = can_run(first)
        {
            return Some(first);
        }
        let held = [first, second];
        if let Some(lead) = &mut self.lead
            && let Some(thread) = lead.choose(view, sight, held)
        {
            return Some(thread);
        }
        self.free.clear();
        let free = view.enabled.iter().filter(|&thread| !held.contains(&Some(thread)));
        self.free.extend(free);
        if let Some(thread) = self.pick(rng) {
            return Some(thread);
        }
        // Nobody else can run: the second may be waiting for the first.
        let next = can_run(first);
        if next.is_none() {
            self.stage = Stage::Over;
        }
        next
    }

    fn follow_up(
        &mut self,
        view: &View<'_>,
        sight: &mut Sight,
        rng: &mut Rng,
        object: u32,
    ) -> Option<ThreadId> {
        if self.second.is_there(view, sight)
            && let Some(second) = self.second.thread.filter(|&t| view.enabled.contains(t))
        {
            return Some(second);
        }
        self.free.clear();
        for thread in view.enabled.iter() {
            let uses = |deed: Deed| deed.object == object;
            if !sight.deed(view, thread).is_some_and(uses) {
                self.free.push(thread);
            }
        }
        let chosen = self.pick(rng);
        if chosen.is_none() {
            self.stage = Stage::Over;
        }
        chosen
    }

    /// One of those who are free; mostly one of the two.
    fn pick(&self, rng: &mut Rng) -> Option<ThreadId> {
        let free = &self.free;
        let wanted = [self.second.thread, self.first.thread];
        let mut wanted = wanted.into_iter().flatten().filter(|thread| free.contains(thread));
        match (wanted.next(), wanted.next()) {
            (Some(one), _) if !rng.chance(1, 4) => Some(one),
            (Some(_), Some(other)) if rng.coin() => Some(other),
            _ if free.is_empty() => None,
            _ => Some(free[rng.below(free.len() as u64) as usize]),
        }
    }

    /// An action was carried out.
    pub(crate) fn happened(&mut self, deed: &Deed) {
        if let Some(lead) = &mut self.lead {
            lead.happened(deed);
        }
        let is_first = self.first.is_at(deed);
        let is_second = self.second.is_at(deed);
        self.stage = match self.stage {
            Stage::Before if is_first => Stage::Between(deed.object),
            Stage::Before if is_second => Stage::Over,
            // Who gives back what it took is still at it.
            Stage::Between(object)
                if deed.object == object
                    && (deed.role.closes || self.first.thread != Some(deed.thread)) =>
            {
                Stage::Over
            }
            stage => stage,
        };
    }
}

impl Party {
    /// Whether the action is the one that the party is for.
    fn is_at(&mut self, deed: &Deed) -> bool {
        if self.stand.place != deed.stop {
            return false;
        }
        let index = deed.thread.index();
        if self.visits.len() <= index {
            self.visits.resize(index + 1, 0);
        }
        self.visits[index] += 1;
        self.thread == Some(deed.thread) && self.visits[index] == self.stand.visit
    }
}
