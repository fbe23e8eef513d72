//! How the ends of a channel go away.

use super::{Capacity, ChannelFacts, End};
use crate::context::Controlled;
use crate::object::Object;
use crate::objects::ObjectState;
use crate::step::Change;
use selvedge_model::{Edge, Effect, Element, OperationKind, Site};

impl Controlled {
    /// One of several senders goes away, which is no operation because nobody can tell. Whoever
    /// learns later that all are gone learns what this one knew.
    pub fn channel_leave_senders(
        self,
        channel: &Object,
        facts: impl FnOnce() -> ChannelFacts,
        site: Site,
    ) {
        let id = self.channel_id(channel, facts, site);
        self.execution().edge(Edge::Join(Element::Departed(id)));
    }

    /// The last sender goes away. `close` notes that in the mirror.
    pub fn channel_close_senders(
        self,
        channel: &Object,
        facts: impl FnOnce() -> ChannelFacts,
        site: Site,
        close: impl FnOnce(),
    ) {
        let id = self.channel_id(channel, facts, site);
        self.stop(OperationKind::SenderDrop, id, site);
        self.run_mirror_code(close);
        let execution = &mut *self.execution();
        let ObjectState::Channel(state) = &mut execution.objects[id.index()].state else {
            unreachable!("the object is no channel")
        };
        state.senders = End::Closed;
        execution.states.wake_all(&state.receive_waiters);
        execution.edge(Edge::Take(Element::Departed(id)));
        execution.happened(OperationKind::SenderDrop, id, site, Effect::Done, Change::Something);
    }

    /// The receiver goes away. `close` notes that in the mirror and throws the messages away,
    /// except those of a rendezvous channel, which their senders take back.
    pub fn channel_close_receiver(
        self,
        channel: &Object,
        facts: impl FnOnce() -> ChannelFacts,
        site: Site,
        close: impl FnOnce(),
    ) {
        let id = self.channel_id(channel, facts, site);
        self.stop(OperationKind::ReceiverDrop, id, site);
        self.run_mirror_code(close);
        let execution = &mut *self.execution();
        let ObjectState::Channel(state) = &mut execution.objects[id.index()].state else {
            unreachable!("the object is no channel")
        };
        state.receiver = End::Closed;
        if state.capacity != Capacity::Bounded(0) {
            state.len = 0;
        }
        execution.states.wake_all(&state.send_waiters);
        for &(_, thread) in &state.handing_over {
            execution.states.wake(thread);
        }
        // The messages that are thrown away were sent before; senders that are refused learn what
        // the receiver knew.
        if execution.channel(id).len == 0 {
            execution.throw_messages_away(id);
        }
        execution.happened(OperationKind::ReceiverDrop, id, site, Effect::Done, Change::Something);
    }
}
