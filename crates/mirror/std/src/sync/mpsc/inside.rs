//! What the ends of a channel do under control.
//!
//! The engine calls `facts` and `deliver` and `close` at moments at which the channel belongs to
//! the running thread: it has registered the object, and no other thread runs before they return.
//! The same holds between the return of an operation and the next one.

use super::queue::{Channel, Departure};
use real::collections::VecDeque;
use real::mem;
use real::sync::mpsc::{RecvTimeoutError, SendError, TryRecvError, TrySendError};
use real::time::Duration;
use selvedge_engine::{Capacity, ChannelFacts, Controlled, End, Received, Sent};
use selvedge_model::Site;

impl<T> Channel<T> {
    /// The facts, at a moment at which the engine asks for them.
    fn facts_inside(&self) -> ChannelFacts {
        // SAFETY: The engine asks when it has just registered the object.
        unsafe { self.facts() }
    }

    /// Adds a message, at the moment at which the engine says so.
    fn put_inside(&self, message: &mut Option<T>) {
        if let Some(message) = message.take() {
            // SAFETY: The operation that takes place belongs to the running thread.
            unsafe { self.messages() }.push_back(message);
        }
    }

    pub(super) fn send_inside(
        &self,
        controlled: Controlled,
        message: T,
        site: Site,
    ) -> Result<(), SendError<T>> {
        let mut message = Some(message);
        let deliver = || self.put_inside(&mut message);
        let sent = controlled.channel_send(&self.object, || self.facts_inside(), site, deliver);
        let back = match sent {
            Sent::Delivered => return Ok(()),
            Sent::Disconnected { laid_down: Some(position) } => {
                // SAFETY: The operation has just taken place; nobody else has run since.
                controlled.run_mirror_code(|| unsafe { self.messages() }.remove(position))
            }
            Sent::Disconnected { laid_down: None } | Sent::Full => message,
        };
        Err(SendError(back.expect("a message that was not delivered is still there")))
    }

    pub(super) fn try_send_inside(
        &self,
        controlled: Controlled,
        message: T,
        site: Site,
    ) -> Result<(), TrySendError<T>> {
        let mut message = Some(message);
        let deliver = || self.put_inside(&mut message);
        let sent = controlled.channel_try_send(&self.object, || self.facts_inside(), site, deliver);
        let back = |message: Option<T>| message.expect("the message was not delivered");
        match sent {
            Sent::Delivered => Ok(()),
            Sent::Full => Err(TrySendError::Full(back(message))),
            Sent::Disconnected { .. } => Err(TrySendError::Disconnected(back(message))),
        }
    }

    /// The message at the front, which the engine has just granted.
    fn take_inside(&self, controlled: Controlled) -> T {
        // SAFETY: The operation has just taken place; nobody else has run since.
        let message = controlled.run_mirror_code(|| unsafe { self.messages() }.pop_front());
        message.expect("the engine counts the messages")
    }

    pub(super) fn receive_inside(
        &self,
        controlled: Controlled,
        timeout: Option<Duration>,
        site: Site,
    ) -> Result<T, RecvTimeoutError> {
        match controlled.channel_receive(&self.object, || self.facts_inside(), timeout, site) {
            Received::Message => Ok(self.take_inside(controlled)),
            Received::Disconnected => Err(RecvTimeoutError::Disconnected),
            Received::TimedOut | Received::Empty => Err(RecvTimeoutError::Timeout),
        }
    }

    pub(super) fn try_receive_inside(
        &self,
        controlled: Controlled,
        site: Site,
    ) -> Result<T, TryRecvError> {
        match controlled.channel_try_receive(&self.object, || self.facts_inside(), site) {
            Received::Message => Ok(self.take_inside(controlled)),
            Received::Disconnected => Err(TryRecvError::Disconnected),
            Received::Empty | Received::TimedOut => Err(TryRecvError::Empty),
        }
    }

    pub(super) fn drop_sender_inside(&self, controlled: Controlled, site: Site) {
        let facts = || self.facts_inside();
        match (self.remove_sender(), self.receiver()) {
            // Nobody is left to notice.
            (Departure::OneOfSeveral, End::Closed) => {}
            (Departure::Last, End::Closed) => self.close_senders(),
            (Departure::OneOfSeveral, End::Open) => {
                controlled.channel_leave_senders(&self.object, facts, site);
            }
            (Departure::Last, End::Open) => {
                let close = || self.close_senders();
                controlled.channel_close_senders(&self.object, facts, site, close);
            }
        }
    }

    pub(super) fn drop_receiver_inside(&self, controlled: Controlled, site: Site) {
        if self.senders() == End::Closed {
            // SAFETY: This is the only end that is left.
            let nothing_left = controlled.run_mirror_code(|| unsafe { self.messages() }.is_empty());
            if nothing_left {
                // Nobody can tell whether the receiver is there.
                return self.close_receiver();
            }
        }
        let mut left = VecDeque::new();
        let close = || {
            self.close_receiver();
            if self.capacity != Capacity::Bounded(0) {
                // SAFETY: The operation that takes place belongs to the running thread.
                left = mem::take(unsafe { self.messages() });
            }
        };
        controlled.channel_close_receiver(&self.object, || self.facts_inside(), site, close);
        // The destructors may do anything, also to this channel, so the operation is over first.
        drop(left);
    }
}
