//! Synchronisation pairs: a lock was taken at one place directly after it was taken at another.
//!
//! Source: S. Hong et al., *Testing Concurrent Programs to Achieve High Synchronization Coverage*
//! (ISSTA 2012), definitions 1 and 2: ⟨l1, l2⟩ is covered if l1 and l2 take one lock and nobody takes
//! it in between. The two may be one thread's.
//!
//! Deviations: (1) `try_lock` that succeeds, both ways of taking a reader-writer lock, and taking
//! the mutex again after a wait are lock statements, too.

use crate::coverage::tables::PerVariable;
use crate::coverage::{Fact, Found, Metric, NONE, PartKind, tuple};
use selvedge_model::MetricName;

#[derive(Default)]
pub(crate) struct SyncPairs {
    /// Where each lock was taken last, plus one.
    last: PerVariable<u32>,
}

impl Metric for SyncPairs {
    fn name(&self) -> String {
        MetricName::SyncPairs.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![PartKind::Site(""), PartKind::Site("then")]
    }

    fn begin(&mut self) {
        self.last.clear();
    }

    fn facts(&mut self, facts: &[Fact], found: &mut Found) {
        for fact in facts {
            let Some((lock, _)) = fact.locks() else { continue };
            debug_assert_ne!(lock, NONE, "a lock is an object");
            let last = self.last.of(lock);
            if *last != 0 {
                found.add(tuple([*last - 1, fact.site]));
            }
            *last = fact.site + 1;
        }
    }
}
