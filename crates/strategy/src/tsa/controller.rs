//! The scheduling controller: algorithm 1 of the paper.
//!
//! Threads are paused at actions that are in open requirements, or at an object that somebody is
//! paused at. When everybody who can run is paused, a rule chooses one:
//! 1. whose action covers something at once;
//! 2. whose action lets another one that is paused cover something directly after;
//! 3. whose action is in the fewest open requirements.
//!
//! Deviations: (1) ties are broken at random, and of those that rule 1 names, such are preferred after
//! which another one covers something again; (2) what a rule has chosen stands until it is carried out,
//! where the paper decides anew after pausing it again; (3) if all who can run are paused to begin with,
//! the rules choose at once.

use super::follow::Deed;
use super::sight::Sight;
use crate::Rng;
use selvedge_model::{ThreadId, ThreadSet, View};

/// What to do if neither rule 1 nor rule 2 names anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// Rule 3.
    FewestRequirements,
    /// Anybody, as the paper's TSA-h.
    Anybody,
}

/// Which rule has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    One,
    Two,
    Three,
}

/// What one turn of the algorithm's loop did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The thread whose action was looked at.
    pub(crate) selected: ThreadId,
    /// The rule that was applied, and whom it chose.
    pub(crate) rule: Option<(Rule, ThreadId)>,
    /// The thread that carries out its action.
    pub(crate) executes: Option<ThreadId>,
}

/// The controller in the running execution.
#[derive(Debug)]
pub(crate) struct Controller {
    otherwise: Otherwise,
    paused: ThreadSet,
    /// Whom a rule has chosen.
    chosen: Option<(Rule, ThreadId)>,
    /// Kept for their memory.
    free: Vec<ThreadId>,
    deeds: Vec<(Deed, Option<u32>)>,
    best: Vec<ThreadId>,
}

impl Controller {
    pub(crate) fn new(otherwise: Otherwise) -> Self {
        Self {
            otherwise,
            paused: ThreadSet::new(),
            chosen: None,
            free: Vec::new(),
            deeds: Vec::new(),
            best: Vec::new(),
        }
    }

    /// A new execution begins.
    pub(crate) fn begin(&mut self) {
        self.paused.clear();
        self.chosen = None;
    }

    /// Another one than the rules has chosen this thread.
    pub(crate) fn overruled(&mut self, thread: ThreadId) {
        self.paused.remove(thread);
        self.chosen = None;
    }

    /// Who carries out its action.
    pub(crate) fn choose(&mut self, view: &View<'_>, sight: &mut Sight, rng: &mut Rng) -> ThreadId {
        loop {
            if let Some(thread) = self.turn(view, sight, rng).executes {
                return thread;
            }
        }
    }

    /// One turn of the loop.
    pub(crate) fn turn(&mut self, view: &View<'_>, sight: &mut Sight, rng: &mut Rng) -> Turn {
        self.free.clear();
        self.free.extend(view.enabled.iter().filter(|&thread| !self.paused.contains(thread)));
        let selected = match self.free.as_slice() {
            [] => {
                let (rule, thread) = self.apply_rules(view, sight, rng);
                self.paused.remove(thread);
                let (rule, executes) = (Some((rule, thread)), Some(thread));
                return Turn { selected: thread, rule, executes };
            }
            [only] => *only,
            several => several[rng.below(several.len() as u64) as usize],
        };
        let mut left = self.free.len();
        if let Some(deed) = sight.deed(view, selected)
            && (sight.is_relevant(&deed) || self.is_paused_at(view, sight, deed.object))
        {
            self.paused.insert(selected);
            left -= 1;
        }
        let mut rule = None;
        if left == 0 {
            let chosen = match self.chosen.take() {
                Some(chosen) if chosen.1 == selected => chosen,
                _ => self.apply_rules(view, sight, rng),
            };
            self.paused.remove(chosen.1);
            if chosen.1 != selected {
                self.chosen = Some(chosen);
            }
            rule = Some(chosen);
        }
        let executes = (!self.paused.contains(selected)).then_some(selected);
        Turn { selected, rule, executes }
    }

    /// Whether somebody who can run is paused before an action at the object.
    fn is_paused_at(&self, view: &View<'_>, sight: &mut Sight, object: u32) -> bool {
        let mut paused = view.enabled.iter().filter(|&thread| self.paused.contains(thread));
        paused.any(|thread| sight.deed(view, thread).is_some_and(|deed| deed.object == object))
    }

    fn apply_rules(
        &mut self,
        view: &View<'_>,
        sight: &mut Sight,
        rng: &mut Rng,
    ) -> (Rule, ThreadId) {
        let Self { deeds, best, .. } = self;
        deeds.clear();
        for thread in view.enabled.iter() {
            deeds.extend(sight.deed(view, thread).map(|deed| (deed, sight.second(&deed))));
        }
        let goes_on = |first: &Deed| {
            let mut others = deeds.iter().filter(|(then, _)| then.object == first.object);
            others.any(|&(then, second)| sight.covers_after(first, &then, second))
        };
        best.clear();
        for (deed, second) in deeds.iter() {
            if sight.covers_now(deed, *second) {
                best.push(deed.thread);
            }
        }
        if best.len() > 1 {
            // Deviation (1).
            let named = deeds.iter().filter(|(deed, _)| best.contains(&deed.thread));
            let ahead = named.filter(|(deed, _)| goes_on(deed)).map(|(deed, _)| deed.thread);
            let ahead: Vec<ThreadId> = ahead.collect();
            if !ahead.is_empty() {
                *best = ahead;
            }
        }
        if !best.is_empty() {
            return (Rule::One, best[rng.below(best.len() as u64) as usize]);
        }
        best.extend(deeds.iter().filter(|(deed, _)| goes_on(deed)).map(|(deed, _)| deed.thread));
        if !best.is_empty() {
            return (Rule::Two, best[rng.below(best.len() as u64) as usize]);
        }
        match self.otherwise {
            Otherwise::Anybody => best.extend(deeds.iter().map(|(deed, _)| deed.thread)),
            Otherwise::FewestRequirements => {
                let fewest = deeds.iter().map(|(deed, _)| sight.relevant(deed)).min();
                let deeds = deeds.iter().map(|(deed, _)| deed);
                let is_best = |deed: &&Deed| Some(sight.relevant(deed)) == fewest;
                best.extend(deeds.filter(is_best).map(|deed| deed.thread));
            }
        }
        match best.is_empty() {
            // A paused thread is always before an action.
            true => (Rule::Three, view.undisturbed()),
            false => (Rule::Three, best[rng.below(best.len() as u64) as usize]),
        }
    }
}
