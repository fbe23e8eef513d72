//! The order that every execution with the same communication has.
//!
//! Source: the must-happen-before relation of Flanagan, Freund and others' predictive analyses:
//! happens-before without the hand-over of locks, since another thread could have had a lock first.
//!
//! Deviations: (1) the edges are those of [`Relation::Influence`]: an atomic that was read orders its
//! last writer before the reader whatever the memory orderings, since what was read may decide what is
//! done next; (2) a notification orders its thread before every waiter of the condition variable that
//! is woken later; (3) threads that make room in a bounded channel are ordered before those who wait
//! for room only if the channel is a rendezvous.
//!
//! May claim an order that another execution does not have (1, 2), so predictions made with it miss
//! something. May miss an order that only data behind a lock brings about; who needs to know can
//! ask for the hand-over of some locks as well ([`Handover`]).

use selvedge_model::{
    Act, Clock, Element, Event, HappensBefore, Instant, Link, ObjectId, Outcome, Relation,
    ThreadId, WaitFor,
};

/// Whether who gives a lock back comes before who takes it next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Handover {
    /// It is chance who comes first.
    IsChance,
    /// It is order, except for these locks.
    IsOrderExceptOf(Vec<ObjectId>),
}

impl Handover {
    fn counts(&self, element: Element) -> bool {
        match (self, element) {
            (Self::IsChance, Element::Lock(_) | Element::Readers(_)) => false,
            (Self::IsOrderExceptOf(locks), Element::Lock(lock) | Element::Readers(lock)) => {
                !locks.contains(&lock)
            }
            _ => true,
        }
    }
}

/// The clocks of an execution.
#[derive(Debug)]
pub(crate) struct MustOrder {
    handover: Handover,
    order: HappensBefore,
}

impl MustOrder {
    pub(crate) fn new(handover: Handover) -> Self {
        Self { handover, order: HappensBefore::new(Relation::Influence) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.order.clear();
    }

    /// About how much memory it takes, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.order.weight()
    }

    /// What the thread has seen, its next event included.
    pub(crate) fn clock(&mut self, thread: ThreadId) -> &Clock {
        self.order.clock(thread)
    }

    /// The thread's next event.
    pub(crate) fn next(&mut self, thread: ThreadId) -> Instant {
        self.order.next(thread)
    }

    /// Takes an event into account. Says which event of another thread it had to wait for, if it is
    /// a wait that one event ends.
    pub(crate) fn apply(&mut self, event: &Event) -> Option<Instant> {
        let last = self.order.apply(&Act::from(event), |element| self.handover.counts(element));
        self.order.tick(event.thread);
        last.filter(|_| ends_by_event(event))
    }
}

/// Whether the event is the end of a wait that one event of another thread has ended.
pub(crate) fn ends_by_event(event: &Event) -> bool {
    let is_over =
        event.effect.outcome() == Outcome::Done || event.meaning().link == Link::TakesBack;
    match event.operation.kind.wait() {
        WaitFor::Notification
        | WaitFor::Initialisation
        | WaitFor::ThreadEnd
        | WaitFor::Token
        | WaitFor::Receipt
        | WaitFor::Message => is_over,
        WaitFor::Never
        | WaitFor::Lock(_)
        | WaitFor::Time
        | WaitFor::Futex
        | WaitFor::Barrier
        | WaitFor::Room
        | WaitFor::Input
        | WaitFor::Output
        | WaitFor::Files
        | WaitFor::Turn => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_model::{Effect, Operation, OperationKind, Site};

    /// On an object, and of waits on the condition variable 7.
    fn event(thread: u32, kind: OperationKind, object: u32, effect: Effect) -> Event {
        let (object, second) = (ObjectId(object), ObjectId(7));
        let operation = Operation { kind, object, second, site: Site::caller() };
        let (order, age) = (selvedge_model::Order::Implied, selvedge_model::Age::ONLY);
        Event { thread: ThreadId(thread), order, age, operation, effect }
    }

    /// Whether the first event is ordered before what the second thread does after all of them.
    fn orders(handover: Handover, events: &[Event]) -> bool {
        let mut order = MustOrder::new(handover);
        let first = order.next(events[0].thread);
        let last = events[events.len() - 1].thread;
        for event in events {
            order.apply(event);
        }
        order.clock(last).of(first.thread) >= first.time
    }

    #[test]
    fn what_communicates_orders_and_locks_do_not() {
        use Effect::{Changed, Done, Read, Refused, Woke, Wrote};
        use OperationKind as Kind;
        let chance = |events: &[Event]| orders(Handover::IsChance, events);
        let pair = |first, its: Effect, second, result: Effect| {
            chance(&[event(1, first, 7, its), event(2, second, 7, result)])
        };
        assert!(pair(Kind::Send, Done, Kind::Receive, Done));
        assert!(pair(Kind::SenderDrop, Done, Kind::Receive, Refused));
        assert!(pair(Kind::Unpark, Effect::Thread(ThreadId(2)), Kind::Park, Done));
        assert!(pair(Kind::OnceDone, Done, Kind::OnceGet, Done));
        assert!(pair(Kind::AtomicStore, Wrote(1), Kind::AtomicLoad, Read(1)));
        assert!(pair(Kind::AtomicRmw, Changed { from: 0, to: 1 }, Kind::AtomicLoad, Read(1)));
        assert!(!pair(Kind::MutexUnlock, Done, Kind::MutexLock, Done));
        assert!(!pair(Kind::Unpark, Effect::Thread(ThreadId(2)), Kind::Park, Effect::Spurious));
        assert!(!pair(Kind::OnceGet, Done, Kind::OnceDone, Done));
        assert!(!pair(Kind::TrySend, Refused, Kind::Receive, Done));
        assert!(chance(&[
            event(2, Kind::CondvarWait, 7, Done),
            event(1, Kind::NotifyOne, 7, Woke(1)),
            event(2, Kind::CondvarWake, 8, Done),
        ]));
    }

    #[test]
    fn threads_are_ordered_by_spawn_and_join() {
        let chance = |events: &[Event]| orders(Handover::IsChance, events);
        let child = Effect::Thread(ThreadId(1));
        let spawn = event(0, OperationKind::Spawn, 1, child);
        assert!(chance(&[spawn, event(1, OperationKind::ThreadStart, 1, Effect::Done)]));
        let end = event(1, OperationKind::ThreadEnd, 1, Effect::Done);
        assert!(chance(&[end, event(0, OperationKind::Join, 1, child)]));
        assert!(!chance(&[end, event(0, OperationKind::Yield, 1, Effect::Done)]));
    }

    #[test]
    fn locks_order_where_that_is_asked_for() {
        let events = [
            event(1, OperationKind::MutexUnlock, 7, Effect::Done),
            event(2, OperationKind::MutexLock, 7, Effect::Done),
        ];
        assert!(orders(Handover::IsOrderExceptOf(vec![]), &events));
        assert!(!orders(Handover::IsOrderExceptOf(vec![ObjectId(7)]), &events));
    }

    #[test]
    fn a_wait_names_what_ended_it() {
        let mut order = MustOrder::new(Handover::IsChance);
        order.apply(&event(1, OperationKind::Yield, 0, Effect::Done));
        order.apply(&event(1, OperationKind::Send, 7, Effect::Done));
        let cause = order.apply(&event(2, OperationKind::Receive, 7, Effect::Done));
        assert_eq!(cause, Some(Instant { thread: ThreadId(1), time: 2 }));
    }
}
