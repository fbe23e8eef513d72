//! What comes before what in an execution, and why: the arrows of the diagram.
//!
//! Source: the happens-before relation of L. Lamport, *Time, clocks, and the ordering of events in a
//! distributed system* (1978), as far as the steps of a finding show it. Deviations:
//!
//! 1. Only the last edge into a step is given for each reason: who reads a value or takes a lock is
//!    connected to the last one who wrote it or gave it back.
//! 2. A read is connected to the write that it reads whatever memory order the program asked for:
//!    the arrow says where the value comes from, not that everything before it is visible.
//! 3. Order within a thread is not given; it is the lane.
//!
//! May miss: orders through plain memory and through objects that are not under control. May give
//! too much: see 2.

use crate::data::Order;
use selvedge_model::{Effect, Finding, ObjectKind, OperationKind as Kind, Step};
use std::collections::{BTreeMap, VecDeque};

/// The steps of which the first comes before the second, by position.
pub(crate) fn edges(finding: &Finding) -> Vec<(usize, usize, Order)> {
    let mut past = Past::default();
    let mut edges = Vec::new();
    for (index, step) in finding.steps.iter().enumerate() {
        let thread = finding.threads.iter().position(|thread| thread.path == step.thread);
        let Some(thread) = thread else { continue };
        for (from, order) in past.before(step, thread) {
            if finding.steps[from].thread != step.thread {
                edges.push((from, index, order));
            }
        }
        past.add(index, step, thread);
    }
    edges
}

type Object = (ObjectKind, u32);

/// The last steps that a later one may come after.
#[derive(Default)]
struct Past {
    /// By the thread that was spawned, has ended or was given its token.
    spawned: BTreeMap<usize, usize>,
    ended: BTreeMap<usize, usize>,
    unparked: BTreeMap<usize, usize>,
    /// By the object that was given back, written, notified, finished, arrived at.
    released: BTreeMap<Object, usize>,
    written: BTreeMap<Object, usize>,
    notified: BTreeMap<Object, usize>,
    done: BTreeMap<Object, usize>,
    /// The messages in a channel, and the last one that was taken out.
    messages: BTreeMap<Object, VecDeque<usize>>,
    received: BTreeMap<Object, usize>,
    closed: BTreeMap<Object, usize>,
    /// The condition variable on which a thread waits.
    waiting: BTreeMap<usize, Object>,
}

impl Past {
    /// What a step comes after.
    fn before(&mut self, step: &Step, thread: usize) -> Vec<(usize, Order)> {
        let object = step.object.as_ref().map(|object| (object.kind, object.number));
        let of = |past: &BTreeMap<Object, usize>| object.and_then(|o| past.get(&o).copied());
        let other = match step.effect {
            Effect::Thread(id) => Some(id.index()),
            _ => None,
        };
        let refused = step.effect == Effect::Refused;
        let lock = (of(&self.released), Order::Lock);
        let found = match step.kind {
            Kind::ThreadStart => vec![(self.spawned.get(&thread).copied(), Order::Spawn)],
            Kind::Join => {
                vec![(other.and_then(|other| self.ended.get(&other).copied()), Order::Join)]
            }
            Kind::Park => vec![(self.unparked.remove(&thread), Order::Wake)],
            Kind::MutexLock | Kind::RwRead | Kind::RwWrite => vec![lock],
            Kind::MutexTryLock | Kind::RwTryRead | Kind::RwTryWrite if !refused => vec![lock],
            Kind::CondvarWake => {
                let woken = !matches!(step.effect, Effect::TimedOut | Effect::Spurious);
                let condvar = self.waiting.remove(&thread).filter(|_| woken);
                let notify = condvar.and_then(|condvar| self.notified.get(&condvar).copied());
                vec![(notify, Order::Wake), lock]
            }
            Kind::FutexWoken if !matches!(step.effect, Effect::TimedOut | Effect::Spurious) => {
                vec![(of(&self.notified), Order::Wake)]
            }
            Kind::Receive | Kind::TryReceive if refused => {
                let closed = of(&self.closed).filter(|_| step.kind == Kind::Receive);
                vec![(closed, Order::Message)]
            }
            Kind::Receive | Kind::TryReceive => {
                let queue = object.and_then(|object| self.messages.get_mut(&object));
                vec![(queue.and_then(VecDeque::pop_front), Order::Message)]
            }
            Kind::SendDone => vec![(of(&self.received), Order::Message)],
            Kind::AtomicLoad | Kind::AtomicRmw | Kind::AtomicCas => {
                vec![(of(&self.written), Order::Value)]
            }
            Kind::OnceCall | Kind::OnceGet | Kind::OnceWait | Kind::BarrierPass => {
                vec![(of(&self.done), Order::Done)]
            }
            _ => Vec::new(),
        };
        found.into_iter().filter_map(|(from, order)| Some((from?, order))).collect()
    }

    /// A step that later ones may come after.
    fn add(&mut self, index: usize, step: &Step, thread: usize) {
        if let Effect::Thread(id) = step.effect {
            let table = match step.kind {
                Kind::Spawn => &mut self.spawned,
                Kind::Unpark => &mut self.unparked,
                _ => return,
            };
            table.insert(id.index(), index);
            return;
        }
        if step.kind == Kind::ThreadEnd {
            self.ended.insert(thread, index);
            return;
        }
        let Some(object) = step.object.as_ref().map(|o| (o.kind, o.number)) else { return };
        let refused = step.effect == Effect::Refused;
        let table = match step.kind {
            Kind::MutexUnlock | Kind::RwReadUnlock | Kind::RwWriteUnlock | Kind::RwDowngrade => {
                &mut self.released
            }
            Kind::NotifyOne | Kind::NotifyAll | Kind::FutexWake | Kind::FutexRequeue
                if step.effect != Effect::Woke(0) =>
            {
                &mut self.notified
            }
            Kind::AtomicStore | Kind::AtomicRmw => &mut self.written,
            Kind::AtomicCas if matches!(step.effect, Effect::Changed { .. }) => &mut self.written,
            Kind::OnceDone | Kind::BarrierWait => &mut self.done,
            Kind::Send | Kind::TrySend if !refused => {
                self.messages.entry(object).or_default().push_back(index);
                return;
            }
            Kind::Receive | Kind::TryReceive if !refused => &mut self.received,
            Kind::SenderDrop => &mut self.closed,
            Kind::CondvarWait => {
                self.waiting.insert(thread, object);
                return;
            }
            _ => return,
        };
        table.insert(object, index);
    }
}
