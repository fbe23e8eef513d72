//! The structural reference: which operations and accesses were reached at all.
//!
//! Source: basic-block coverage in Z. Letko's thesis (2012), table 3.1, with operations and accesses
//! instead of blocks. Under repetition its curve is flat, which is what it is shown for.

use crate::coverage::{Facts, Found, Metric, PartKind, tuple};
use selvedge_model::{MetricName, Weights};

pub(crate) struct SitesReached;

pub(super) fn make(_: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(SitesReached)
}

impl Metric for SitesReached {
    fn name(&self) -> String {
        MetricName::Sites.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![PartKind::Site("")]
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        facts.iter().for_each(|fact| found.add(tuple([fact.site])));
    }
}
