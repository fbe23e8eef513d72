//! Reads-from pairs: a read and the write that its value comes from, or that it is the initial one.
//!
//! Source: the reads-from relation of weak memory models, as a criterion: the pair-of-accesses
//! criterion of S. Lu, W. Jiang, Y. Zhou (2007) for write and read.
//!
//! Deviations: (1) reads of what was there before the execution are pairs with nothing.

use super::definitions::Definitions;
use crate::coverage::{Facts, Found, Metric, NONE, PartKind, tuple};
use selvedge_model::{MetricName, Weights};

#[derive(Default)]
pub(crate) struct ReadsFrom {
    definitions: Definitions,
}

pub(super) fn make(_: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(ReadsFrom::default())
}

impl Metric for ReadsFrom {
    fn name(&self) -> String {
        MetricName::ReadsFrom.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![PartKind::Site("read at"), PartKind::Site("written at")]
    }

    fn begin(&mut self) {
        self.definitions.clear();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.accesses() {
            self.definitions.see(fact, |read, write| {
                found.add(tuple([read.site, write.map_or(NONE, |write| write.site)]));
            });
        }
    }
}
