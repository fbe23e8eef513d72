//! `mpsc`: channels, unbounded, bounded and rendezvous.
//!
//! The messages lie in the mirror; the engine counts them. `deliver` and `take` of the functions
//! below move a message in or out of the mirror's queue and are called at the moment at which the
//! operation takes place. How the ends go away is in `channel/close.rs`.

mod close;

use crate::context::Controlled;
use crate::execution::Execution;
use crate::object::Object;
use crate::objects::ObjectState;
use crate::step::Change;
use crate::thread::WayOut;
use selvedge_model::{Edge, Effect, Element, ObjectId, OperationKind, Site, ThreadId, ThreadSet};
use std::time::Duration;

/// How many messages a channel holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// As many as are sent.
    Unbounded,
    /// This many; with 0, sender and receiver meet.
    Bounded(usize),
}

/// The two ends of a channel, as the mirror counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Somebody is there.
    Open,
    /// Nobody is there any more.
    Closed,
}

/// The state of a channel.
pub(crate) struct ChannelState {
    capacity: Capacity,
    len: usize,
    /// How many messages have been taken out, ever.
    taken: u64,
    /// How many messages have been put in, ever.
    sent: u64,
    senders: End,
    receiver: End,
    receive_waiters: ThreadSet,
    send_waiters: ThreadSet,
    /// Senders of a rendezvous channel that have laid down their message, with its number.
    handing_over: Vec<(u64, ThreadId)>,
}

impl ChannelState {
    fn has_room(&self) -> bool {
        match self.capacity {
            Capacity::Unbounded => true,
            // A sender of a rendezvous channel lays its message down and then waits.
            Capacity::Bounded(0) => true,
            Capacity::Bounded(capacity) => self.len < capacity,
        }
    }

    fn can_receive(&self) -> bool {
        self.len > 0 || self.senders == End::Closed
    }
}

/// What is known of a channel when an execution meets it for the first time.
#[derive(Clone, Copy, Debug)]
pub struct ChannelFacts {
    /// How much it holds.
    pub capacity: Capacity,
    /// How many messages are in it.
    pub len: usize,
    /// Whether there are senders.
    pub senders: End,
    /// Whether there is a receiver.
    pub receiver: End,
}

/// How a send ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The message is in the channel or with the receiver.
    Delivered,
    /// There is no room (`try_send` only).
    Full,
    /// There is no receiver. A message that was laid down already is taken back from the end of
    /// the queue at this distance from its front.
    Disconnected {
        /// The position of the message in the queue, if it was laid down.
        laid_down: Option<usize>,
    },
}

/// How a receive ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// There is a message: the one at the front of the queue.
    Message,
    /// There is none (`try_recv` only).
    Empty,
    /// There is none and nobody is left to send one.
    Disconnected,
    /// There was none before the deadline.
    TimedOut,
}

impl Controlled {
    fn channel_id(
        self,
        channel: &Object,
        facts: impl FnOnce() -> ChannelFacts,
        site: Site,
    ) -> ObjectId {
        // The state depends on the mirror's, which `Object::id` can not pass through.
        let execution = &mut *self.execution();
        let before = execution.objects.len();
        let id = channel.id(execution, ChannelState::placeholder, site);
        if id.index() >= before {
            let facts = facts();
            let state = execution.channel(id);
            state.capacity = facts.capacity;
            state.len = facts.len;
            state.sent = facts.len as u64;
            state.senders = facts.senders;
            state.receiver = facts.receiver;
            execution.has_messages(id, facts.len);
        }
        id
    }

    /// Sends, waiting for room. `deliver` puts the message into the queue.
    #[inline]
    pub fn channel_send(
        self,
        channel: &Object,
        facts: impl FnOnce() -> ChannelFacts,
        site: Site,
        deliver: impl FnOnce(),
    ) -> Sent {
        let id = self.channel_id(channel, facts, site);
        let execution = &mut *self.execution();
        let me = execution.current;
        let state = execution.channel(id);
        state.send_waiters.insert(me);
        if !state.has_room() && state.receiver == End::Open {
            execution.states.block(me);
        }
        self.stop(OperationKind::Send, id, site);

        let execution = &mut *self.execution();
        let state = execution.channel(id);
        state.send_waiters.remove(me);
        if state.receiver == End::Closed {
            let kind = OperationKind::Send;
            execution.happened(kind, id, site, Effect::Refused, Change::Nothing);
            return Sent::Disconnected { laid_down: None };
        }
        let number = state.sent;
        let rendezvous = state.capacity == Capacity::Bounded(0);
        self.run_mirror_code(deliver);
        self.execution().put_message(id, OperationKind::Send, site);
        if rendezvous { self.hand_over(id, number, site) } else { Sent::Delivered }
    }

    /// Waits until the receiver has taken message `number` of a rendezvous channel.
    fn hand_over(self, id: ObjectId, number: u64, site: Site) -> Sent {
        let execution = &mut *self.execution();
        let me = execution.current;
        let state = execution.channel(id);
        state.handing_over.push((number, me));
        execution.states.block(me);
        self.stop(OperationKind::SendDone, id, site);

        let execution = &mut *self.execution();
        let state = execution.channel(id);
        state.handing_over.retain(|&(_, thread)| thread != me);
        let sent = if state.taken > number {
            Sent::Delivered
        } else {
            // Senders whose message was taken may still be on the list; those who took theirs
            // back are not.
            let in_queue = state.taken..number;
            let before = state.handing_over.iter().filter(|(other, _)| in_queue.contains(other));
            let before = before.count();
            state.len -= 1;
            Sent::Disconnected { laid_down: Some(before) }
        };
        let effect = if sent == Sent::Delivered { Effect::Done } else { Effect::Refused };
        execution.happened(OperationKind::SendDone, id, site, effect, Change::Something);
        sent
    }

    /// Sends if there is room. `deliver` puts the message into the queue.
    pub fn channel_try_send(
        self,
        channel: &Object,
        facts: impl FnOnce() -> ChannelFacts,
        site: Site,
        deliver: impl FnOnce(),
    ) -> Sent {
        let id = self.channel_id(channel, facts, site);
        self.stop(OperationKind::TrySend, id, site);
        let execution = &mut *self.execution();
        let state = execution.channel(id);
        let room = match state.capacity {
            // There is room for exactly one message if the receiver is waiting for it.
            Capacity::Bounded(0) => state.len == 0 && !state.receive_waiters.is_empty(),
            _ => state.has_room(),
        };
        let refused = match (state.receiver, room) {
            (End::Closed, _) => Sent::Disconnected { laid_down: None },
            (End::Open, false) => Sent::Full,
            (End::Open, true) => {
                self.run_mirror_code(deliver);
                self.execution().put_message(id, OperationKind::TrySend, site);
                return Sent::Delivered;
            }
        };
        execution.happened(OperationKind::TrySend, id, site, Effect::Refused, Change::Nothing);
        refused
    }

    /// Receives, waiting for a message, at most until the deadline. After
    /// [`Received::Message`] the caller takes the message at the front of the queue.
    #[inline]
    pub fn channel_receive(
        self,
        channel: &Object,
        facts: impl FnOnce() -> ChannelFacts,
        timeout: Option<Duration>,
        site: Site,
    ) -> Received {
        let id = self.channel_id(channel, facts, site);
        if self.execution().channel(id).capacity == Capacity::Bounded(0) {
            // `try_send` can tell a receiver that waits from one that is about to, so looking
            // for a sender is a step of its own.
            match self.receive_at_once(id, site) {
                Received::Empty => {}
                received => return received,
            }
        }
        let kind = OperationKind::Receive;
        let execution = &mut *self.execution();
        let me = execution.current;
        let state = execution.channel(id);
        state.receive_waiters.insert(me);
        if !state.can_receive() {
            execution.states.block(me);
        }
        if let Some(timeout) = timeout {
            let pending = selvedge_model::Operation::new(kind, id, site);
            execution.info[me.index()].pending = pending;
            execution.begin_timed_wait(execution.deadline(timeout));
            if let WayOut::Expired(_) = execution.threads[me.index()].way_out {
                execution.states.wake(me);
            }
        }
        self.stop(kind, id, site);

        let execution = &mut *self.execution();
        let way_out = execution.end_wait();
        let state = execution.channel(id);
        state.receive_waiters.remove(me);
        match (state.len > 0, state.senders, way_out) {
            (true, _, _) => {
                execution.take_message(id, kind, site);
                Received::Message
            }
            (false, End::Closed, _) => {
                execution.happened(kind, id, site, Effect::Refused, Change::Nothing);
                Received::Disconnected
            }
            (false, End::Open, WayOut::Expired(deadline)) => {
                execution.time_out(deadline);
                execution.happened(kind, id, site, Effect::TimedOut, Change::Something);
                Received::TimedOut
            }
            (false, End::Open, _) => unreachable!("a receiver is let in only for a reason"),
        }
    }

    /// Receives if there is a message. After [`Received::Message`] the caller takes the message
    /// at the front of the queue.
    pub fn channel_try_receive(
        self,
        channel: &Object,
        facts: impl FnOnce() -> ChannelFacts,
        site: Site,
    ) -> Received {
        let id = self.channel_id(channel, facts, site);
        self.receive_at_once(id, site)
    }

    fn receive_at_once(self, id: ObjectId, site: Site) -> Received {
        let kind = OperationKind::TryReceive;
        self.stop(kind, id, site);
        let execution = &mut *self.execution();
        let state = execution.channel(id);
        match (state.len > 0, state.senders) {
            (true, _) => {
                execution.take_message(id, kind, site);
                Received::Message
            }
            (false, End::Open) => {
                execution.happened(kind, id, site, Effect::Refused, Change::Nothing);
                Received::Empty
            }
            (false, End::Closed) => {
                execution.happened(kind, id, site, Effect::Refused, Change::Nothing);
                Received::Disconnected
            }
        }
    }
}

impl ChannelState {
    fn placeholder() -> ObjectState {
        ObjectState::Channel(Box::new(Self {
            capacity: Capacity::Unbounded,
            len: 0,
            taken: 0,
            sent: 0,
            senders: End::Open,
            receiver: End::Open,
            receive_waiters: ThreadSet::new(),
            send_waiters: ThreadSet::new(),
            handing_over: Vec::new(),
        }))
    }
}

impl Execution {
    /// A message was put into the queue.
    fn put_message(&mut self, id: ObjectId, kind: OperationKind, site: Site) {
        let ObjectState::Channel(state) = &mut self.objects[id.index()].state else {
            unreachable!("the object is no channel")
        };
        state.len += 1;
        state.sent += 1;
        self.states.wake_all(&state.receive_waiters);
        if !state.has_room() {
            self.states.block_all(&state.send_waiters);
        }
        // A sender that had to wait for room comes after the one who made it.
        if self.channel(id).capacity != Capacity::Unbounded {
            self.edge(Edge::Take(Element::Receipt(id)));
        }
        self.happened(kind, id, site, Effect::Done, Change::Something);
    }

    /// The message at the front of the queue is about to be taken.
    fn take_message(&mut self, id: ObjectId, kind: OperationKind, site: Site) {
        let ObjectState::Channel(state) = &mut self.objects[id.index()].state else {
            unreachable!("the object is no channel")
        };
        state.len -= 1;
        state.taken += 1;
        let taken = state.taken;
        self.states.wake_all(&state.send_waiters);
        for &(number, thread) in &state.handing_over {
            if number < taken {
                self.states.wake(thread);
            }
        }
        self.happened(kind, id, site, Effect::Done, Change::Something);
    }
}
