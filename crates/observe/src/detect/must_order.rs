//! The order that every execution with the same communication has.
//!
//! Source: the must-happen-before relation of Flanagan, Freund and others' predictive analyses:
//! happens-before without the hand-over of locks, since another thread could have had a lock first.
//!
//! Deviations: (1) an atomic that was read orders its last writer before the reader whatever the
//! memory orderings, since what was read may decide what is done next; (2) a notification orders
//! its thread before every waiter of the condition variable that is woken later; (3) threads that
//! make room in a bounded channel are ordered before those who wait for room only if the channel is
//! a rendezvous.
//!
//! May claim an order that another execution does not have (1, 2), so predictions made with it miss
//! something. May miss an order that only data behind a lock brings about; who needs to know can
//! ask for the hand-over of some locks as well ([`Handover`]).

use rustc_hash::FxHashMap;
use selvedge_model::{Clock, Effect, Event, ObjectId, OperationKind, ThreadId};
use std::collections::VecDeque;

/// An event of an execution, by its thread and its place among that thread's events, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instant {
    pub(crate) thread: ThreadId,
    pub(crate) time: u32,
}

/// Whether who gives a lock back comes before who takes it next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Handover {
    /// It is chance who comes first.
    IsChance,
    /// It is order, except for these locks.
    IsOrderExceptOf(Vec<ObjectId>),
}

/// The clocks of an execution.
#[derive(Debug)]
pub(crate) struct MustOrder {
    handover: Handover,
    threads: Vec<Clock>,
    /// What those had seen who left something at an object, and the last of them.
    objects: FxHashMap<ObjectId, Left>,
    channels: FxHashMap<ObjectId, Channel>,
    /// What threads had seen when they ended.
    ended: FxHashMap<ThreadId, Left>,
    /// Which condition variable a thread waits for.
    waits: FxHashMap<ThreadId, ObjectId>,
    /// How many messages lie in all channels together.
    messages: usize,
}

#[derive(Clone, Debug, Default)]
struct Left {
    clock: Clock,
    by: Option<Instant>,
}

#[derive(Debug, Default)]
struct Channel {
    messages: VecDeque<Left>,
    /// What those had seen who took messages or closed an end.
    others: Left,
}

impl MustOrder {
    pub(crate) fn new(handover: Handover) -> Self {
        Self {
            handover,
            threads: Vec::new(),
            objects: FxHashMap::default(),
            channels: FxHashMap::default(),
            ended: FxHashMap::default(),
            waits: FxHashMap::default(),
            messages: 0,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.threads.clear();
        self.objects.clear();
        self.channels.clear();
        self.ended.clear();
        self.waits.clear();
        self.messages = 0;
    }

    /// About how much memory it takes, in bytes: a clock for each thread, object and message, with an
    /// entry for each thread.
    pub(crate) fn weight(&self) -> usize {
        let clocks = 2 * self.threads.len() + self.objects.len() + self.messages;
        clocks * (2 * size_of::<Left>() + size_of::<u32>() * self.threads.len())
    }

    fn thread(&mut self, thread: ThreadId) -> &mut Clock {
        while self.threads.len() <= thread.index() {
            let mut clock = Clock::new();
            clock.tick(ThreadId(self.threads.len() as u32));
            self.threads.push(clock);
        }
        &mut self.threads[thread.index()]
    }

    /// What the thread has seen, its next event included.
    pub(crate) fn clock(&mut self, thread: ThreadId) -> &Clock {
        self.thread(thread)
    }

    /// The thread's next event.
    pub(crate) fn next(&mut self, thread: ThreadId) -> Instant {
        Instant { thread, time: self.thread(thread).of(thread) }
    }

    /// Takes an event into account. Says which event of another thread it had to wait for, if it is
    /// a wait that one event ends.
    pub(crate) fn apply(&mut self, event: &Event) -> Option<Instant> {
        use OperationKind as Kind;
        let Event { thread, operation, effect, .. } = *event;
        let object = operation.object;
        self.thread(thread);
        let mut cause = None;
        match operation.kind {
            Kind::Spawn => {
                if let Effect::Thread(child) = effect {
                    self.thread(child);
                    let parent = self.threads[thread.index()].clone();
                    self.threads[child.index()].join(&parent);
                }
            }
            Kind::ThreadEnd => {
                let left = self.left_by(thread);
                // Who asks for the end knows the thread as an object.
                self.objects.insert(object, left.clone());
                self.ended.insert(thread, left);
            }
            Kind::Join => {
                if let Effect::Thread(other) = effect {
                    let left = self.ended.get(&other).cloned();
                    cause = self.see(thread, left);
                }
            }
            Kind::IsFinished if effect == Effect::Done => {
                self.acquire(thread, object);
            }
            Kind::Send | Kind::TrySend if effect == Effect::Done => {
                let left = self.left_by(thread);
                self.channels.entry(object).or_default().messages.push_back(left);
                self.messages += 1;
            }
            Kind::Receive | Kind::TryReceive if effect == Effect::Done => {
                let message = self.channels.entry(object).or_default().messages.pop_front();
                self.messages -= usize::from(message.is_some());
                cause = self.see(thread, message);
                self.leave_at_channel(thread, object);
            }
            Kind::SendDone if effect == Effect::Refused => {
                let message = self.channels.entry(object).or_default().messages.pop_back();
                self.messages -= usize::from(message.is_some());
                cause = self.see_channel(thread, object);
            }
            Kind::SendDone => cause = self.see_channel(thread, object),
            Kind::Send | Kind::TrySend | Kind::Receive if effect == Effect::Refused => {
                self.see_channel(thread, object);
            }
            Kind::SenderDrop | Kind::ReceiverDrop => self.leave_at_channel(thread, object),
            Kind::Unpark => self.release(thread, object),
            Kind::Park if effect == Effect::Done => cause = self.acquire(thread, object),
            Kind::OnceDone => self.release(thread, object),
            Kind::OnceWait => cause = self.acquire(thread, object),
            Kind::OnceCall if effect == Effect::Refused => {
                self.acquire(thread, object);
            }
            Kind::OnceGet if effect == Effect::Done => {
                self.acquire(thread, object);
            }
            Kind::BarrierWait => {
                self.acquire(thread, object);
                self.release(thread, object);
            }
            Kind::BarrierPass => {
                self.acquire(thread, object);
            }
            Kind::CondvarWait => {
                self.waits.insert(thread, object);
            }
            Kind::CondvarWake => {
                if let Some(condvar) = self.waits.remove(&thread)
                    && effect == Effect::Done
                {
                    cause = self.acquire(thread, condvar);
                }
            }
            Kind::NotifyOne | Kind::NotifyAll if effect != Effect::Woke(0) => {
                self.release(thread, object);
            }
            Kind::AtomicLoad => {
                self.acquire(thread, object);
            }
            Kind::AtomicStore => {
                let left = self.left_by(thread);
                self.objects.insert(object, left);
            }
            Kind::AtomicRmw | Kind::AtomicCas => {
                self.acquire(thread, object);
                if matches!(effect, Effect::Changed { .. }) {
                    self.release(thread, object);
                }
            }
            Kind::FutexWake | Kind::FutexRequeue | Kind::IoWrite => self.release(thread, object),
            Kind::FutexWoken | Kind::IoRead | Kind::IoWait => {
                self.acquire(thread, object);
            }
            _ => {}
        }
        if self.hands_over(object) {
            self.hand_over(event);
        }
        self.threads[thread.index()].tick(thread);
        cause.filter(|cause| cause.thread != thread)
    }

    fn hands_over(&self, object: ObjectId) -> bool {
        match &self.handover {
            Handover::IsChance => false,
            Handover::IsOrderExceptOf(locks) => !locks.contains(&object),
        }
    }

    fn hand_over(&mut self, event: &Event) {
        let Event { thread, operation, effect, .. } = *event;
        match operation.kind {
            OperationKind::MutexUnlock
            | OperationKind::RwReadUnlock
            | OperationKind::RwWriteUnlock
            | OperationKind::RwDowngrade => self.release(thread, operation.object),
            kind if super::held::takes(kind).is_some() && effect != Effect::Refused => {
                self.acquire(thread, operation.object);
            }
            _ => {}
        }
    }

    /// What the thread leaves for others to see, this event included.
    fn left_by(&mut self, thread: ThreadId) -> Left {
        let by = Some(self.next(thread));
        Left { clock: self.thread(thread).clone(), by }
    }

    fn release(&mut self, thread: ThreadId, object: ObjectId) {
        let left = self.left_by(thread);
        let entry = self.objects.entry(object).or_default();
        entry.clock.join(&left.clock);
        entry.by = left.by;
    }

    fn acquire(&mut self, thread: ThreadId, object: ObjectId) -> Option<Instant> {
        let entry = self.objects.get(&object)?;
        self.threads[thread.index()].join(&entry.clock);
        entry.by
    }

    fn leave_at_channel(&mut self, thread: ThreadId, object: ObjectId) {
        let left = self.left_by(thread);
        let others = &mut self.channels.entry(object).or_default().others;
        others.clock.join(&left.clock);
        others.by = left.by;
    }

    fn see_channel(&mut self, thread: ThreadId, object: ObjectId) -> Option<Instant> {
        let left = self.channels.get(&object).map(|channel| channel.others.clone());
        self.see(thread, left)
    }

    fn see(&mut self, thread: ThreadId, left: Option<Left>) -> Option<Instant> {
        let left = left?;
        self.threads[thread.index()].join(&left.clock);
        left.by
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_model::{Operation, Site};

    fn event(thread: u32, kind: OperationKind, object: u32, effect: Effect) -> Event {
        let operation = Operation { kind, object: ObjectId(object), site: Site::caller() };
        Event { thread: ThreadId(thread), operation, effect, order: selvedge_model::Order::Implied }
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
