//! GoldiLock, GoldiLock* and GoldiLockSC: what proved that an access is ordered.
//!
//! Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), table 3.1 and section
//! 5.6: (pl1 [, variable], lockset or the element of a short circuit [, t1]), and (pl1, state) with
//! weights 1, 5, 5 and 10.
//!
//! Deviations: those of [`goldilocks`](crate::lockset::goldilocks); and only data behind locks and
//! plain memory are variables: atomics are what passes order on.

use super::Star;
use crate::coverage::tables::PerVariable;
use crate::coverage::{Fact, Facts, Found, Member, Metric, PartKind, Tuple, What, tuple};
use crate::lockset::goldilocks::{Check, Goldilocks, Owner, Variable, Verdict, Visit};
use selvedge_model::{AccessMode, MetricName, Weights};

/// An execution as Goldilocks sees it.
#[derive(Default)]
struct Locksets {
    goldilocks: Goldilocks,
    variables: PerVariable<Variable>,
}

impl Locksets {
    fn begin(&mut self) {
        self.goldilocks.begin();
        self.variables.clear();
    }

    /// Follows the execution; says what came of an access to plain data.
    fn see(&mut self, fact: &Fact) -> Option<Verdict> {
        let What::Access(kind) = fact.what else {
            self.goldilocks.see(fact);
            return None;
        };
        let (thread, site, mode) = (fact.thread, fact.site, AccessMode::Plain);
        let visit = Visit { thread, site, kind, mode };
        Some(self.goldilocks.access(self.variables.of(fact.object), visit))
    }
}

pub(crate) struct GoldiLock {
    star: Star,
    seen: Locksets,
}

impl GoldiLock {
    pub(crate) fn new(star: Star) -> Self {
        Self { star, seen: Locksets::default() }
    }
}

pub(super) fn make(name: MetricName, weights: Weights) -> Box<dyn Metric> {
    match name {
        MetricName::GoldiLockSc => Box::new(GoldiLockSc::new(weights)),
        _ => Box::new(GoldiLock::new(Star::of(name))),
    }
}

impl Metric for GoldiLock {
    fn name(&self) -> String {
        let name = match self.star {
            Star::With => MetricName::GoldiLockStar,
            Star::Without => MetricName::GoldiLock,
        };
        name.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        let mut parts = vec![PartKind::Site(""), PartKind::Set("may be accessed by")];
        if self.star == Star::With {
            parts.push(PartKind::Object("variable"));
            parts.push(PartKind::Thread("by"));
        }
        parts
    }

    fn begin(&mut self) {
        self.seen.begin();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.iter() {
            let Some(verdict) = self.seen.see(fact) else { continue };
            let member = |owner: &Owner| match *owner {
                Owner::Thread(thread) => Member::Thread(thread),
                Owner::Element(element) => Member::Object(element.object().0),
            };
            let members: Vec<_> = verdict.owners.iter().map(member).collect();
            let set = found.set(&members);
            found.add(match self.star {
                Star::Without => tuple([fact.site, set]),
                Star::With => tuple([fact.site, set, fact.object, fact.thread]),
            });
        }
    }
}

pub(crate) struct GoldiLockSc {
    weights: Weights,
    seen: Locksets,
}

impl GoldiLockSc {
    pub(crate) fn new(weights: Weights) -> Self {
        Self { weights, seen: Locksets::default() }
    }
}

impl Metric for GoldiLockSc {
    fn name(&self) -> String {
        MetricName::GoldiLockSc.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![PartKind::Site(""), PartKind::State("decided by", Check::NAMES)]
    }

    fn begin(&mut self) {
        self.seen.begin();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.iter() {
            if let Some(verdict) = self.seen.see(fact) {
                found.add(tuple([fact.site, verdict.state as u32]));
            }
        }
    }

    fn weight(&self, covered: &Tuple) -> Option<u64> {
        let Weights { same_thread, common_lock, lockset, race } = self.weights;
        let weight = [same_thread, common_lock, lockset, race][covered[1] as usize];
        Some(u64::from(weight))
    }
}
