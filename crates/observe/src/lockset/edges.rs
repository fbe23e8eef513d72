//! How operations pass order on: what they leave behind for others, and what they pick up.
//!
//! Source: the edges of happens-before as the engine's clocks keep them, in the form of Goldilocks'
//! rules (T. Elmas, S. Qadeer, S. Tasiran, *Goldilocks*, 2007).
//!
//! Deviations: (1) messages of a channel are elements of their own, so that a message orders its
//! own receiver only. (2) Reader-writer locks have two elements, for what writers and what readers
//! leave: readers do not order each other. (3) A store to an atomic ends what was left there; a
//! read-modify-write keeps it. (4) Notifications are told as edges that do not order memory.
//!
//! May miss: order that fences establish, room in a bounded channel, and the end of a scope whose
//! threads had ended before (no operation tells of it).

use crate::coverage::{Fact, Hold, Outcome, What};
use selvedge_model::OperationKind;
use std::collections::VecDeque;

/// Something that passes order on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// A lock, as its last exclusive holder left it.
    Lock(u32),
    /// A reader-writer lock, as its readers left it.
    Readers(u32),
    /// An atomic, a `Once`, a barrier, the token of a thread.
    Object(u32),
    /// A message: the channel and its number in it.
    Message(u32, u32),
    /// A notification of a condition variable or futex.
    Signal(u32),
}

impl Element {
    /// The object behind it.
    pub const fn object(self) -> u32 {
        match self {
            Self::Lock(object)
            | Self::Readers(object)
            | Self::Object(object)
            | Self::Message(object, _)
            | Self::Signal(object) => object,
        }
    }
}

/// What an operation does to the order of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Whoever takes the element later comes after this, and not after those that left it earlier
    /// unless this thread does.
    Leave(Element),
    /// Whoever takes the element later comes after this as well.
    Join(Element),
    /// Nobody comes after those that left it any more.
    End(Element),
    /// Comes after those that left it.
    Take(Element),
    /// A thread was started.
    Start(u32),
    /// A thread was waited for.
    Await(u32),
}

/// Follows an execution and says which edges each operation has.
#[derive(Default)]
pub struct Edges {
    /// The messages in each channel, with their senders.
    channels: Vec<Channel>,
    /// Reader-writer locks that somebody has read since the last writer.
    read: Vec<bool>,
    /// What each thread waits on.
    waits: Vec<u32>,
}

#[derive(Clone, Default)]
struct Channel {
    sent: u32,
    queue: VecDeque<(u32, u32)>,
}

impl Edges {
    /// A new execution begins.
    pub fn begin(&mut self) {
        for channel in &mut self.channels {
            channel.sent = 0;
            channel.queue.clear();
        }
        self.read.clear();
        self.waits.clear();
    }

    /// Tells the edges of a fact, in order.
    #[inline(always)]
    pub fn of(&mut self, fact: &Fact, mut tell: impl FnMut(Edge)) {
        let What::Operation(kind) = fact.what else { return };
        match kind {
            OperationKind::MutexLock => tell(Edge::Take(Element::Lock(fact.object))),
            OperationKind::MutexUnlock => tell(Edge::Leave(Element::Lock(fact.object))),
            OperationKind::AtomicLoad
            | OperationKind::AtomicStore
            | OperationKind::AtomicRmw
            | OperationKind::AtomicCas => atomic(kind, fact, tell),
            _ => self.of_others(kind, fact, &mut tell),
        }
    }

    fn of_others(&mut self, kind: OperationKind, fact: &Fact, tell: &mut dyn FnMut(Edge)) {
        let (object, done) = (fact.object, fact.result == Outcome::Done);
        if let Some((lock, hold)) = fact.unlocks() {
            match hold {
                Hold::Exclusive => tell(Edge::Leave(Element::Lock(lock))),
                Hold::Shared => {
                    *slot(&mut self.read, lock) = true;
                    tell(Edge::Join(Element::Readers(lock)));
                }
            }
        }
        match (kind, fact.locks()) {
            (OperationKind::RwDowngrade, _) => {}
            (_, Some((lock, Hold::Exclusive))) if std::mem::take(slot(&mut self.read, lock)) => {
                tell(Edge::Take(Element::Readers(lock)));
                tell(Edge::End(Element::Readers(lock)));
            }
            (_, Some((lock, _))) => tell(Edge::Take(Element::Lock(lock))),
            _ => {}
        }
        match kind {
            OperationKind::Spawn => tell(Edge::Start(fact.other)),
            OperationKind::Join => tell(Edge::Await(fact.other)),
            OperationKind::Unpark | OperationKind::BarrierWait => {
                if kind == OperationKind::BarrierWait {
                    tell(Edge::Take(Element::Object(object)));
                }
                tell(Edge::Join(Element::Object(object)));
            }
            OperationKind::Park if done => tell(Edge::Take(Element::Object(object))),
            OperationKind::BarrierPass | OperationKind::OnceCall | OperationKind::OnceWait => {
                tell(Edge::Take(Element::Object(object)));
            }
            OperationKind::OnceGet if done => tell(Edge::Take(Element::Object(object))),
            OperationKind::OnceDone => tell(Edge::Leave(Element::Object(object))),
            OperationKind::Send | OperationKind::TrySend if done => {
                let channel = slot(&mut self.channels, object);
                let number = channel.sent;
                channel.sent += 1;
                channel.queue.push_back((fact.thread, number));
                tell(Edge::Leave(Element::Message(object, number)));
            }
            OperationKind::SendDone if !done => self.take_back(fact),
            OperationKind::Receive | OperationKind::TryReceive if done => {
                let queue = &mut slot(&mut self.channels, object).queue;
                if let Some((_, number)) = queue.pop_front() {
                    tell(Edge::Take(Element::Message(object, number)));
                }
            }
            OperationKind::CondvarWait => *slot(&mut self.waits, fact.thread) = object,
            OperationKind::CondvarWake if done => {
                let condvar = *slot(&mut self.waits, fact.thread);
                tell(Edge::Take(Element::Signal(condvar)));
            }
            OperationKind::NotifyOne | OperationKind::NotifyAll | OperationKind::FutexWake
                if fact.other > 0 =>
            {
                tell(Edge::Leave(Element::Signal(object)));
            }
            OperationKind::FutexWoken if done => tell(Edge::Take(Element::Signal(object))),
            _ => {}
        }
    }

    /// The sender of a rendezvous channel goes away with its message.
    fn take_back(&mut self, fact: &Fact) {
        let queue = &mut slot(&mut self.channels, fact.object).queue;
        if let Some(position) = queue.iter().rposition(|&(sender, _)| sender == fact.thread) {
            queue.remove(position);
        }
    }
}

#[inline(always)]
fn atomic(kind: OperationKind, fact: &Fact, mut tell: impl FnMut(Edge)) {
    let element = Element::Object(fact.object);
    if kind != OperationKind::AtomicStore && fact.order.acquires() {
        tell(Edge::Take(element));
    }
    match kind {
        OperationKind::AtomicStore if fact.order.releases() => tell(Edge::Leave(element)),
        OperationKind::AtomicStore => tell(Edge::End(element)),
        OperationKind::AtomicRmw | OperationKind::AtomicCas
            if fact.result == Outcome::Done && fact.order.releases() =>
        {
            tell(Edge::Join(element));
        }
        _ => {}
    }
}

fn slot<T: Default + Clone>(entries: &mut Vec<T>, index: u32) -> &mut T {
    let index = index as usize;
    if entries.len() <= index {
        entries.resize(index + 1, T::default());
    }
    &mut entries[index]
}
