//! ConcurPairs: two operations in a row, and whether threads switched in between.
//!
//! Source: A. Bron et al., *Applications of Synchronization Coverage* (2005), as in Z. Letko's thesis
//! (2012), table 3.1: (pl1, pl2, switch).
//!
//! Deviations: (1) accesses to data are no operations.

use crate::coverage::tables::At;
use crate::coverage::{Facts, Found, Metric, PartKind, What, tuple};
use selvedge_model::{MetricName, Weights};

#[derive(Default)]
pub(crate) struct ConcurPairs {
    last: Option<At>,
}

pub(super) fn make(_: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(ConcurPairs::default())
}

impl Metric for ConcurPairs {
    fn name(&self) -> String {
        MetricName::ConcurPairs.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![
            PartKind::Site(""),
            PartKind::Site("then"),
            PartKind::State("in", &["the same thread", "another thread"]),
        ]
    }

    fn begin(&mut self) {
        self.last = None;
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.iter() {
            if let What::Access(_) = fact.what {
                continue;
            }
            if let Some(last) = self.last {
                let switch = u32::from(last.thread != fact.thread);
                found.add(tuple([last.site, fact.site, switch]));
            }
            self.last = Some(At::of(fact));
        }
    }
}
