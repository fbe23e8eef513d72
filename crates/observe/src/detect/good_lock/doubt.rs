//! Whether other locks may order a circle.
//!
//! A thread may be told by data behind a lock that another one is done: a flag, a queue. Which data
//! that is can not be seen. If the circle is ordered as soon as it counts who had those locks first,
//! there is room for doubt.

use super::super::Certainty;
use super::super::must_order::{Handover, MustOrder};
use super::cycle::Cycle;
use selvedge_model::{Clock, Record};

/// Whether the circle is one as well if locks that it does not consist of are handed over in the
/// order of this execution.
pub(super) fn certainty(cycle: &Cycle<'_>, record: &Record<'_>) -> Certainty {
    let mut order = MustOrder::new(Handover::IsOrderExceptOf(cycle.locks()));
    let mut seen: Vec<Option<Clock>> = vec![None; cycle.parts.len()];
    for event in record.events {
        let now = order.next(event.thread);
        for (part, seen) in cycle.parts.iter().zip(&mut seen) {
            if part.at == now {
                *seen = Some(order.clock(event.thread).clone());
            }
        }
        order.apply(event);
    }
    let ordered = cycle.parts.iter().any(|first| {
        seen.iter()
            .flatten()
            .zip(&cycle.parts)
            .any(|(seen, second)| first.at.thread != second.at.thread && first.at.is_seen_by(seen))
    });
    if ordered { Certainty::OnlyIfConfirmed } else { Certainty::Told }
}
