//! Synchronisation pairs: a lock was taken at one place directly after it was taken at another.
//!
//! Source: S. Hong et al., *Testing Concurrent Programs to Achieve High Synchronization Coverage*
//! (ISSTA 2012), definitions 1 and 2: ⟨l1, l2⟩ is covered if l1 and l2 take one lock and nobody takes
//! it in between. The two may be one thread's.
//!
//! Deviations: (1) `try_lock` that succeeds, both ways of taking a reader-writer lock, and taking
//! the mutex again after a wait are lock statements, too.

use crate::coverage::tables::PerVariable;
use crate::coverage::{Facts, Found, Metric, NONE, PartKind, SiteNumber, tuple};
use selvedge_model::{MetricName, Weights};

#[derive(Default)]
pub(crate) struct SyncPairs {
    locks: PerVariable<Lock>,
}

struct Lock {
    /// Where it was taken last.
    last: SiteNumber,
    /// The pair that was covered last: most locks see the same few again and again.
    covered: (SiteNumber, SiteNumber),
}

impl Default for Lock {
    fn default() -> Self {
        Self { last: NONE, covered: (NONE, NONE) }
    }
}

pub(super) fn make(_: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(SyncPairs::default())
}

impl Metric for SyncPairs {
    fn name(&self) -> String {
        MetricName::SyncPairs.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![PartKind::Site(""), PartKind::Site("then")]
    }

    fn begin(&mut self) {
        self.locks.clear();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.locks() {
            let lock = self.locks.of(fact.object);
            let pair = (lock.last, fact.site);
            lock.last = fact.site;
            if pair != lock.covered && pair.0 != NONE {
                lock.covered = pair;
                found.add(tuple([pair.0, pair.1]));
            }
        }
    }
}
