//! Whether data behind locks may order a circle.
//!
//! A thread may be told by data behind a lock that another one is done: a flag, a queue. What the data means
//! can not be seen. For locks that the circle does not consist of, there is room for doubt if the circle is
//! ordered as soon as it counts who had them first. For those that it does consist of, there is if the
//! thread that holds one of them when it waits has looked at the data, and the thread that waits for the
//! lock had written it before: always the same one, in all executions that show the circle.

use super::super::Certainty;
use super::super::must_order::{Handover, MustOrder};
use super::cycle::Cycle;
use super::dependency::Wants;
use selvedge_model::{AccessKind, Act, Clock, ObjectId, Record, Site, ThreadId, Variable, Warning};
use std::ops::Range;

/// What may order a circle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// Nothing that is known.
    None,
    /// Data behind locks that it does not consist of.
    Others,
    /// Data behind its own locks, of which somebody has learned before waiting there.
    Own(Vec<Site>),
}

/// Of so many circles it is known what has ordered them.
const MOST: usize = 256;

/// Circles that data behind their own locks has ordered in all executions so far, and where threads wait that
/// may have been told.
#[derive(Debug, Default)]
pub(super) struct Ordered(Vec<(Warning, Vec<Site>)>);

impl Ordered {
    /// How sure it is what was predicted from one more execution.
    pub(super) fn certainty(&mut self, warning: &Warning, doubt: Doubt) -> Certainty {
        let told = match doubt {
            Doubt::None => return Certainty::Told,
            Doubt::Others => return Certainty::OnlyIfConfirmed,
            Doubt::Own(told) => told,
        };
        let Some((_, always)) = self.0.iter_mut().find(|(known, _)| known.same_problem(warning))
        else {
            if self.0.len() < MOST {
                self.0.push((warning.clone(), told));
            }
            return Certainty::OnlyIfConfirmed;
        };
        always.retain(|site| told.contains(site));
        if always.is_empty() { Certainty::Told } else { Certainty::OnlyIfConfirmed }
    }
}

/// Whether the circle is one as well if locks that it does not consist of are handed over in the
/// order of this execution, and nobody has learned anything from those that it does consist of.
pub(super) fn doubt(cycle: &Cycle<'_>, record: &Record<'_>) -> Doubt {
    let mut order = MustOrder::new(Handover::IsOrderExceptOf(cycle.locks()));
    let mut seen: Vec<Option<Clock>> = vec![None; cycle.parts.len()];
    let mut places: Vec<Option<usize>> = vec![None; cycle.parts.len()];
    for (index, event) in record.events.iter().enumerate() {
        let now = order.next(event.thread);
        for (number, part) in cycle.parts.iter().enumerate() {
            if part.at == now {
                seen[number] = Some(order.clock(event.thread).clone());
                places[number] = Some(index);
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
    if ordered {
        return Doubt::Others;
    }
    let told = told(cycle, record, &places);
    if told.is_empty() { Doubt::None } else { Doubt::Own(told) }
}

/// Where threads of the circle wait that may know from the data behind a lock in their hand that the one that
/// waits for the lock is past its wait. The places are those of the waits in the record.
fn told(cycle: &Cycle<'_>, record: &Record<'_>, places: &[Option<usize>]) -> Vec<Site> {
    let next = |number: usize| (number + 1) % cycle.parts.len();
    let is_told = |number: &usize| {
        let number = *number;
        let (waiter, holder) = (cycle.parts[number], cycle.parts[next(number)]);
        let (Wants::Lock(lock, _), Some(waits), Some(until)) =
            (waiter.wants, places[number], places[next(number)])
        else {
            return false;
        };
        let Some(since) = taken(record, holder.at.thread, lock, until) else { return false };
        let looks = |_: AccessKind| true;
        let writes = |kind: AccessKind| kind == AccessKind::Write;
        has_access(record, lock, holder.at.thread, since + 1..until + 1, looks)
            && has_access(record, lock, waiter.at.thread, waits + 1..since + 1, writes)
    };
    let waits = (0..cycle.parts.len()).filter(is_told);
    waits.map(|number| cycle.parts[next(number)].operation.site).collect()
}

/// Where a thread has taken the lock that it holds at the given event.
fn taken(record: &Record<'_>, thread: ThreadId, lock: ObjectId, at: usize) -> Option<usize> {
    record.events[..at].iter().rposition(|event| {
        event.thread == thread && Act::from(event).takes().is_some_and(|(object, _)| object == lock)
    })
}

/// Whether a thread has used the data behind a lock in this way when there had been so many events.
fn has_access(
    record: &Record<'_>,
    lock: ObjectId,
    thread: ThreadId,
    when: Range<usize>,
    how: impl Fn(AccessKind) -> bool,
) -> bool {
    record.accesses.iter().any(|(events, access)| {
        when.contains(events)
            && access.thread == thread
            && access.variable == Variable::Data(lock)
            && how(access.kind)
    })
}
