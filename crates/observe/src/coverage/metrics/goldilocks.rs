//! GoldiLock, GoldiLock* and GoldiLockSC: what proved that an access is ordered.
//!
//! Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), table 3.1 and section
//! 5.6: (pl1 [, variable], lockset or the element of a short circuit [, t1]), and (pl1, state) with
//! weights 1, 5, 5 and 10.
//!
//! Deviations: those of [`goldilocks`](crate::lockset::goldilocks); and only data behind locks and
//! plain memory are variables: atomics are what passes order on.

use super::Star;
use crate::coverage::{Facts, Found, Member, Metric, PartKind, Tuple, tuple};
use crate::lockset::goldilocks::{Goldilocks, Owner, State};
use selvedge_model::{MetricName, Weights};

pub(crate) struct GoldiLock {
    star: Star,
    goldilocks: Goldilocks,
}

impl GoldiLock {
    pub(crate) fn new(star: Star) -> Self {
        Self { star, goldilocks: Goldilocks::default() }
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
        self.goldilocks.begin();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.iter() {
            let Some(verdict) = self.goldilocks.see(fact) else { continue };
            let member = |owner: &Owner| match *owner {
                Owner::Thread(thread) => Member::Thread(thread),
                Owner::Element(element) => Member::Object(element.object()),
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
    goldilocks: Goldilocks,
}

impl GoldiLockSc {
    pub(crate) fn new(weights: Weights) -> Self {
        Self { weights, goldilocks: Goldilocks::default() }
    }
}

impl Metric for GoldiLockSc {
    fn name(&self) -> String {
        MetricName::GoldiLockSc.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![PartKind::Site(""), PartKind::State("decided by", State::NAMES)]
    }

    fn begin(&mut self) {
        self.goldilocks.begin();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.iter() {
            if let Some(verdict) = self.goldilocks.see(fact) {
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
