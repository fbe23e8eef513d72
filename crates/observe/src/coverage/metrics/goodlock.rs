//! GoodLock and GoodLock*: a lock was taken with another one in hand.
//!
//! Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), table 3.1:
//! (pl1, pl2, l1, l2 [, t1]), an edge of the lock graph, with every lock in hand as l1.
//!
//! Deviations: (1) a `try_lock` that succeeds counts, although it does not wait.

use super::Star;
use crate::coverage::{Facts, Found, Metric, PartKind, SiteNumber, tuple};
use selvedge_model::{HeldLocks, MetricName, ThreadId, Weights};

pub(crate) struct GoodLock {
    star: Star,
    held: HeldLocks<SiteNumber>,
}

impl GoodLock {
    pub(crate) fn new(star: Star) -> Self {
        Self { star, held: HeldLocks::default() }
    }
}

pub(super) fn make(name: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(GoodLock::new(Star::of(name)))
}

impl Metric for GoodLock {
    fn name(&self) -> String {
        let name = match self.star {
            Star::With => MetricName::GoodLockStar,
            Star::Without => MetricName::GoodLock,
        };
        name.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        let mut parts = vec![
            PartKind::Site("taken at"),
            PartKind::Site("then"),
            PartKind::Object("first"),
            PartKind::Object("second"),
        ];
        if self.star == Star::With {
            parts.push(PartKind::Thread("by"));
        }
        parts
    }

    fn begin(&mut self) {
        self.held.clear();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.iter() {
            if let Some((lock, _)) = fact.locks() {
                for held in self.held.by(ThreadId(fact.thread)) {
                    // A downgrade takes what the thread has.
                    if held.object.0 == lock {
                        continue;
                    }
                    found.add(match self.star {
                        Star::Without => tuple([held.site, fact.site, held.object.0, lock]),
                        Star::With => {
                            tuple([held.site, fact.site, held.object.0, lock, fact.thread])
                        }
                    });
                }
            }
            fact.hold(&mut self.held);
        }
    }
}
