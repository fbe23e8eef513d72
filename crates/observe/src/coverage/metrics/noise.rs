//! The metric that drives noise: two threads met at a variable or a lock, in this order.
//!
//! Source: Z. Letko, *Analysis and Testing of Concurrent Programs* (2012), section 4.2:
//! (t1, pl1, t2, pl2) is covered (a) if t1 accesses a variable at pl1 and the next access, by t2, is
//! at pl2; (b) then also with pl1 the place where t1 took the last lock that it had in hand; (c) if
//! t1 gives a lock back that it took at pl1 and t2 is the next to take it, at pl2.
//!
//! Deviations: (1) no elapsed time: executions run on a virtual clock that stands still.

use crate::coverage::tables::{At, PerVariable};
use crate::coverage::{Facts, Found, Metric, NONE, PartKind, SiteNumber, tuple};
use selvedge_model::{HeldLocks, MetricName, ThreadId, Weights};

#[derive(Default)]
pub(crate) struct Noise {
    held: HeldLocks<SiteNumber>,
    accesses: PerVariable<Option<Accessed>>,
    /// Who gave each lock back last, and where that thread had taken it.
    released: PerVariable<Option<At>>,
}

#[derive(Clone, Copy)]
struct Accessed {
    at: At,
    /// Where the thread had taken its last lock, or nothing.
    lock_taken: u32,
}

pub(super) fn make(_: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(Noise::default())
}

impl Metric for Noise {
    fn name(&self) -> String {
        MetricName::NoisePairs.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![
            PartKind::Thread(""),
            PartKind::Site("at"),
            PartKind::Thread("then"),
            PartKind::Site("at"),
        ]
    }

    fn begin(&mut self) {
        self.held.clear();
        self.accesses.clear();
        self.released.clear();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.iter() {
            let mut meet = |from: At| {
                if from.thread != fact.thread && from.site != NONE {
                    found.add(tuple([from.thread, from.site, fact.thread, fact.site]));
                }
            };
            if fact.access().is_some() {
                let lock_taken =
                    self.held.by(ThreadId(fact.thread)).last().map_or(NONE, |held| held.site);
                let now = Accessed { at: At::of(fact), lock_taken };
                if let Some(last) = self.accesses.of(fact.object).replace(now) {
                    meet(last.at);
                    meet(At { thread: last.at.thread, site: last.lock_taken });
                }
            }
            if let Some((lock, hold)) = fact.unlocks() {
                let held = self.held.by(ThreadId(fact.thread)).iter().rev();
                let taken = { held }.find(|held| held.object.0 == lock && held.hold == hold);
                *self.released.of(lock) =
                    taken.map(|taken| At { thread: fact.thread, site: taken.site });
            }
            if let Some((lock, _)) = fact.locks()
                && let Some(last) = self.released.of(lock).take()
            {
                meet(last);
            }
            fact.hold(&mut self.held);
        }
    }
}
