//! Concurrent sites: two threads were at these places at the same time.
//!
//! Source: the concurrent function pairs of D. Deng, W. Zhang, S. Lu (*Efficient Concurrency-Bug
//! Detection across Inputs*, 2013), with places of operations instead of functions: which function a
//! place belongs to can not be known on stable Rust.
//!
//! A pair is covered when a thread carries out an operation at one place while another thread is
//! about to carry out one at the other. The order of the two does not matter.

use crate::coverage::{Found, Metric, PartKind, Sites, tuple};
use selvedge_model::{Event, MetricName, Moment, OperationKind, Weights};

pub(crate) struct ConcurrentSites;

pub(super) fn make(_: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(ConcurrentSites)
}

impl Metric for ConcurrentSites {
    fn name(&self) -> String {
        MetricName::ConcurrentSites.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![PartKind::Site(""), PartKind::Site("beside")]
    }

    fn wants_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &Event, moment: &Moment<'_>, sites: &mut Sites, found: &mut Found) {
        let is_inside =
            |kind| !matches!(kind, OperationKind::ThreadStart | OperationKind::ThreadEnd);
        if !is_inside(event.operation.kind) {
            return;
        }
        let here = sites.of_site(event.operation.site);
        for (index, thread) in moment.threads.iter().enumerate() {
            if index != event.thread.index() && is_inside(thread.pending.kind) {
                let there = sites.of_site(thread.pending.site);
                found.add(tuple([here.min(there), here.max(there)]));
            }
        }
    }
}
