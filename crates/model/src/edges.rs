//! How operations pass order on: what they leave behind for others, and what they pick up.
//!
//! Source: the edges of happens-before (L. Lamport, *Time, clocks, and the ordering of events in a
//! distributed system*, 1978) as they are in std, C++20 and Linux, in the form of Goldilocks' rules
//! (T. Elmas, S. Qadeer, S. Tasiran, *Goldilocks*, 2007).
//!
//! Everybody who asks what comes before what asks here: the engine's clocks, detectors, metrics,
//! strategies and the arrows of the report. They differ in which relation they ask for and in what
//! they keep of an element.
//!
//! Deviations: (1) messages of a channel are elements of their own, so that a message orders its
//! own receiver only. (2) Reader-writer locks have two elements, for what writers and what readers
//! leave: readers do not order each other. (3) A store to an atomic ends what was left there; a
//! read-modify-write keeps it. (4) A notification of a condition variable is told, and orders no
//! memory: its element is [`Element::Signal`]. (5) Where older values of an atomic are kept, each value is an
//! element, and a read-modify-write carries on what was left at the value that it saw.
//!
//! May miss: room in a bounded channel (events do not tell whether it is bounded), and what the kernel
//! carries from file to file. The engine knows, and adds these edges itself.

use crate::{Act, Age, Hold, Link, ObjectId, Order, ThreadId, ValueUse};
use std::collections::VecDeque;

/// Something that passes order on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// A lock, as its last exclusive holder left it.
    Lock(ObjectId),
    /// What a `Once` has initialised, or failed to.
    Initialised(ObjectId),
    /// A reader-writer lock, as its readers left it.
    Readers(ObjectId),
    /// A value of an atomic, by its number. All values have the number 0 where older ones are not kept.
    Atomic(ObjectId, u32),
    /// A barrier.
    Barrier(ObjectId),
    /// The token of a thread.
    Token(ObjectId),
    /// A thread that has ended.
    End(ObjectId),
    /// A message: the channel and its number in it.
    Message(ObjectId, u32),
    /// What was taken out of a channel.
    Receipt(ObjectId),
    /// A channel without senders.
    Senders(ObjectId),
    /// Senders of a channel that are gone while others are left.
    Departed(ObjectId),
    /// A channel without a receiver.
    Receiver(ObjectId),
    /// A notification of a condition variable. Orders no memory.
    Signal(ObjectId),
    /// A futex on which threads were woken.
    Futex(ObjectId),
    /// Files, whichever. Orders no memory.
    Files(ObjectId),
    /// What the kernel was told. Only the engine knows.
    Told,
    /// What was closed. Only the engine knows.
    Closed,
    /// An atomic at an address that is no object of the execution.
    Word(usize),
}

impl Element {
    /// The object behind it, if it is one.
    #[inline]
    pub const fn object(self) -> ObjectId {
        match self {
            Self::Lock(object)
            | Self::Initialised(object)
            | Self::Readers(object)
            | Self::Atomic(object, _)
            | Self::Barrier(object)
            | Self::Token(object)
            | Self::End(object)
            | Self::Message(object, _)
            | Self::Receipt(object)
            | Self::Senders(object)
            | Self::Departed(object)
            | Self::Receiver(object)
            | Self::Signal(object)
            | Self::Futex(object)
            | Self::Files(object) => object,
            Self::Told | Self::Closed | Self::Word(_) => ObjectId::NONE,
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
    /// As [`Leave`](Self::Leave), with what the thread had seen at its last release fence: nothing if
    /// there was none.
    LeaveFenced(Element),
    /// As [`Join`](Self::Join), with what the thread had seen at its last release fence.
    JoinFenced(Element),
    /// Whoever takes the second element later comes after those as well that left the first.
    Carry(Element, Element),
    /// Comes after those that left it.
    Take(Element),
    /// Comes after those that left it as soon as it has passed an acquire fence.
    Glimpse(Element),
    /// Nobody comes after those that left it any more.
    Forget(Element),
    /// A thread was started, which comes after this.
    Start(ThreadId),
    /// A fence.
    Fence(Order),
}

impl Edge {
    /// What is left or taken, if something is.
    #[inline]
    pub const fn element(self) -> Option<Element> {
        match self {
            Self::Leave(element)
            | Self::Join(element)
            | Self::LeaveFenced(element)
            | Self::JoinFenced(element)
            | Self::Take(element)
            | Self::Glimpse(element)
            | Self::Carry(_, element)
            | Self::Forget(element) => Some(element),
            Self::Start(_) | Self::Fence(_) => None,
        }
    }
}

/// Which edges of atomics, threads and files are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// What orders memory: atomics by their memory orders.
    HappensBefore,
    /// What may decide what a thread does next: who has read an atomic comes after its last writer
    /// whatever the orders, who has found out that a thread has ended comes after its end, and who
    /// reads a file after those that wrote one.
    Influence,
}

/// Follows an execution and says which edges each operation has.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// The messages in each channel.
    channels: Vec<Channel>,
    /// Reader-writer locks that somebody has read since the last writer.
    read: Vec<Readers>,
    /// The values of each atomic of which older ones are kept.
    atomics: Vec<Values>,
}

/// The values of an atomic by their numbers.
#[derive(Clone, Debug, Default)]
struct Values {
    /// In the order of modification, the newest first. The number 0 is that of the value from before the first
    /// operation; nothing if there was none.
    order: VecDeque<u32>,
    /// How many were written.
    written: u32,
}

#[derive(Clone, Debug, Default)]
struct Channel {
    sent: u32,
    /// Who sent each message that lies in it, and its number.
    queue: VecDeque<(ThreadId, u32)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Readers {
    #[default]
    None,
    Some,
}

impl Edges {
    /// A new execution begins.
    pub fn begin(&mut self) {
        for channel in &mut self.channels {
            channel.sent = 0;
            channel.queue.clear();
        }
        self.read.clear();
        self.atomics.clear();
    }

    /// There are messages in a channel of whose sending nothing is known.
    pub fn add_messages(&mut self, channel: ObjectId, count: usize) {
        let channel = slot(&mut self.channels, channel.0);
        for _ in 0..count {
            channel.queue.push_back((ThreadId::MAIN, channel.sent));
            channel.sent += 1;
        }
    }

    /// The messages in a channel are thrown away: tells the edges of that.
    pub fn drain_messages(&mut self, channel: ObjectId, mut tell: impl FnMut(Edge)) {
        for (_, number) in slot(&mut self.channels, channel.0).queue.drain(..) {
            tell(Edge::Take(Element::Message(channel, number)));
            tell(Edge::Forget(Element::Message(channel, number)));
        }
    }

    /// Tells the edges of what a thread did, in order: first what it picks up, then what it leaves.
    #[inline(always)]
    pub fn of(&mut self, act: &Act, relation: Relation, mut tell: impl FnMut(Edge)) {
        if let Some((lock, hold)) = act.gives_back() {
            match hold {
                Hold::Exclusive => tell(Edge::Leave(Element::Lock(lock))),
                Hold::Initialising => tell(Edge::Leave(Element::Initialised(lock))),
                Hold::Shared => {
                    *slot(&mut self.read, lock.0) = Readers::Some;
                    tell(Edge::Join(Element::Readers(lock)));
                }
            }
        } else if let Some((lock, hold)) = act.takes() {
            let has_readers = self.read.get(lock.index()).is_some_and(|&of| of == Readers::Some);
            match hold {
                // They have seen what the last writer left.
                Hold::Exclusive if has_readers => {
                    self.read[lock.index()] = Readers::None;
                    tell(Edge::Take(Element::Readers(lock)));
                    tell(Edge::Forget(Element::Readers(lock)));
                }
                Hold::Exclusive | Hold::Shared => tell(Edge::Take(Element::Lock(lock))),
                Hold::Initialising => tell(Edge::Take(Element::Initialised(lock))),
            }
        }
        match act.meaning.link {
            Link::None => {}
            Link::Loads | Link::Stores | Link::Updates => self.of_atomic(act, relation, tell),
            _ => self.of_others(act, relation, &mut tell),
        }
    }

    #[inline(always)]
    fn of_atomic(&mut self, act: &Act, relation: Relation, mut tell: impl FnMut(Edge)) {
        let Some(value) = act.meaning.value else { return };
        let order = match relation {
            Relation::HappensBefore => act.order,
            Relation::Influence => Order::Both,
        };
        match act.age.newer() {
            None => atomic_edges(Element::Atomic(act.object, 0), value, order, tell),
            Some(newer) => self.of_value(act.object, newer, value, order, &mut tell),
        }
    }

    /// Tells the edges of an access to one of the values of an atomic.
    fn of_value(
        &mut self,
        atomic: ObjectId,
        newer: usize,
        value: ValueUse,
        order: Order,
        tell: &mut dyn FnMut(Edge),
    ) {
        let values = slot(&mut self.atomics, atomic.0);
        if values.order.is_empty() {
            values.order.push_back(0);
        }
        let newer = newer.min(values.order.len() - 1);
        let seen = Element::Atomic(atomic, values.order[newer]);
        if value.reads() {
            tell(if order.acquires() { Edge::Take(seen) } else { Edge::Glimpse(seen) });
        }
        if value.writes() {
            values.written += 1;
            let written = Element::Atomic(atomic, values.written);
            values.order.insert(newer, values.written);
            if value.reads() {
                tell(Edge::Carry(seen, written));
            }
            tell(match (value.reads(), order.releases()) {
                (false, true) => Edge::Leave(written),
                (false, false) => Edge::LeaveFenced(written),
                (true, true) => Edge::Join(written),
                (true, false) => Edge::JoinFenced(written),
            });
            if values.order.len() > Age::KEPT
                && let Some(oldest) = values.order.pop_back()
            {
                tell(Edge::Forget(Element::Atomic(atomic, oldest)));
            }
        }
    }

    fn of_others(&mut self, act: &Act, relation: Relation, tell: &mut dyn FnMut(Edge)) {
        let object = act.object;
        match act.meaning.link {
            Link::None | Link::Loads | Link::Stores | Link::Updates => {}
            Link::AwaitsNotification | Link::AwaitsFutex => {}
            Link::Starts => tell(Edge::Start(ThreadId(act.other))),
            Link::Ends => tell(Edge::Leave(Element::End(object))),
            Link::AfterEnd => tell(Edge::Take(Element::End(object))),
            Link::FindsEnded => match relation {
                Relation::HappensBefore => {}
                Relation::Influence => tell(Edge::Take(Element::End(object))),
            },
            Link::GivesToken => tell(Edge::Join(Element::Token(object))),
            Link::TakesToken => tell(Edge::Take(Element::Token(object))),
            Link::AfterInitialisation => tell(Edge::Take(Element::Initialised(object))),
            Link::Arrives => {
                tell(Edge::Take(Element::Barrier(object)));
                tell(Edge::Join(Element::Barrier(object)));
            }
            Link::Passes => tell(Edge::Take(Element::Barrier(object))),
            Link::Sends => {
                let channel = slot(&mut self.channels, object.0);
                let number = channel.sent;
                channel.sent += 1;
                channel.queue.push_back((act.thread, number));
                tell(Edge::Leave(Element::Message(object, number)));
            }
            Link::Receives => {
                if let Some((_, number)) = slot(&mut self.channels, object.0).queue.pop_front() {
                    tell(Edge::Take(Element::Message(object, number)));
                    tell(Edge::Forget(Element::Message(object, number)));
                }
                tell(Edge::Join(Element::Receipt(object)));
            }
            Link::AfterReceipt => tell(Edge::Take(Element::Receipt(object))),
            Link::TakesBack => {
                let queue = &mut slot(&mut self.channels, object.0).queue;
                if let Some(at) = queue.iter().rposition(|&(sender, _)| sender == act.thread) {
                    let (_, number) = queue.remove(at).expect("it was found there");
                    tell(Edge::Forget(Element::Message(object, number)));
                }
                tell(Edge::Take(Element::Receiver(object)));
            }
            Link::AfterReceiver => tell(Edge::Take(Element::Receiver(object))),
            Link::AfterSenders => tell(Edge::Take(Element::Senders(object))),
            Link::EndsSending => tell(Edge::Join(Element::Senders(object))),
            Link::EndsReceiving => {
                tell(Edge::Take(Element::Senders(object)));
                tell(Edge::Join(Element::Receiver(object)));
            }
            Link::Fences => tell(Edge::Fence(act.order)),
            Link::Notifies if act.other == 0 => {}
            Link::Notifies => tell(Edge::Join(Element::Signal(object))),
            Link::Notified => tell(Edge::Take(Element::Signal(act.second))),
            Link::WakesFutex if act.other == 0 => {}
            Link::WakesFutex => tell(Edge::Join(Element::Futex(object))),
            Link::WokenOnFutex => tell(Edge::Take(Element::Futex(object))),
            Link::Tells => match relation {
                Relation::HappensBefore => {}
                Relation::Influence => tell(Edge::Join(Element::Files(object))),
            },
            Link::Hears => match relation {
                Relation::HappensBefore => {}
                Relation::Influence => tell(Edge::Take(Element::Files(object))),
            },
        }
    }
}

/// Tells the edges of an access to an atomic.
#[inline(always)]
pub fn atomic_edges(element: Element, value: ValueUse, order: Order, mut tell: impl FnMut(Edge)) {
    let (acquires, releases) = (order.acquires(), order.releases());
    if value.reads() {
        tell(if acquires { Edge::Take(element) } else { Edge::Glimpse(element) });
    }
    if value.writes() {
        tell(match (value.reads(), releases) {
            (false, true) => Edge::Leave(element),
            (false, false) => Edge::LeaveFenced(element),
            (true, true) => Edge::Join(element),
            (true, false) => Edge::JoinFenced(element),
        });
    }
}

fn slot<T: Default + Clone>(entries: &mut Vec<T>, index: u32) -> &mut T {
    let index = index as usize;
    if entries.len() <= index {
        entries.resize(index + 1, T::default());
    }
    &mut entries[index]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OperationKind as Kind, Outcome};

    const A: ObjectId = ObjectId(1);

    fn edges(relation: Relation, acts: &[(u32, Kind, Outcome, Order)]) -> Vec<Edge> {
        let mut edges = Edges::default();
        let mut told = Vec::new();
        for &(thread, kind, outcome, order) in acts {
            let act = Act {
                thread: ThreadId(thread),
                object: A,
                second: ObjectId(7),
                other: 1,
                order,
                age: Age::ONLY,
                meaning: kind.meaning(outcome),
            };
            edges.of(&act, relation, |edge| told.push(edge));
        }
        told
    }

    fn done(thread: u32, kind: Kind) -> (u32, Kind, Outcome, Order) {
        (thread, kind, Outcome::Done, Order::Implied)
    }

    #[test]
    fn a_writer_comes_after_readers_and_readers_do_not_order_each_other() {
        let told = edges(
            Relation::HappensBefore,
            &[
                done(1, Kind::RwRead),
                done(1, Kind::RwReadUnlock),
                done(2, Kind::RwRead),
                done(2, Kind::RwReadUnlock),
                done(3, Kind::RwWrite),
            ],
        );
        let (lock, readers) = (Element::Lock(A), Element::Readers(A));
        let read = [Edge::Take(lock), Edge::Join(readers)];
        let write = [Edge::Take(readers), Edge::Forget(readers)];
        assert_eq!(told, [read, read, write].concat());
    }

    #[test]
    fn a_message_orders_its_own_receiver_only() {
        let told = edges(
            Relation::HappensBefore,
            &[done(1, Kind::Send), done(2, Kind::Send), done(3, Kind::Receive)],
        );
        let message = |number| Element::Message(A, number);
        let expected = [
            Edge::Leave(message(0)),
            Edge::Leave(message(1)),
            Edge::Take(message(0)),
            Edge::Forget(message(0)),
            Edge::Join(Element::Receipt(A)),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn relaxed_accesses_influence_and_do_not_order() {
        let story = [
            (1, Kind::AtomicStore, Outcome::Done, Order::Relaxed),
            (2, Kind::AtomicLoad, Outcome::Done, Order::Relaxed),
        ];
        let atomic = Element::Atomic(A, 0);
        let order = edges(Relation::HappensBefore, &story);
        assert_eq!(order, [Edge::LeaveFenced(atomic), Edge::Glimpse(atomic)]);
        let influence = edges(Relation::Influence, &story);
        assert_eq!(influence, [Edge::Leave(atomic), Edge::Take(atomic)]);
    }

    #[test]
    fn a_wake_up_takes_its_mutex_and_knows_its_notification() {
        let told = edges(Relation::HappensBefore, &[done(1, Kind::CondvarWake)]);
        let signal = Element::Signal(ObjectId(7));
        assert_eq!(told, [Edge::Take(Element::Lock(A)), Edge::Take(signal)]);
        let late = [(1, Kind::CondvarWake, Outcome::TimedOut, Order::Implied)];
        assert_eq!(edges(Relation::HappensBefore, &late), [Edge::Take(Element::Lock(A))]);
    }
}
