//! What the ends of a channel do outside of controlled executions.

use super::queue::{Channel, Departure, Meetings, Presence};
use real::collections::VecDeque;
use real::mem;
use real::sync::mpsc::{RecvTimeoutError, SendError, TryRecvError, TrySendError};
use real::sync::{Condvar, MutexGuard, PoisonError};
use real::time::Instant;
use selvedge_engine::{Capacity, End, OutsideUse};

/// A channel whose lock is held. Dropped in this order.
struct Locked<'a, T> {
    channel: &'a Channel<T>,
    meetings: MutexGuard<'a, Meetings>,
    in_use: OutsideUse<'a>,
}

impl<T> Locked<'_, T> {
    fn messages(&mut self) -> &mut VecDeque<T> {
        // SAFETY: The lock is held, the object is in use outside, and `self` is borrowed for as
        // long as the result lives.
        unsafe { self.channel.messages() }
    }

    fn has_room(&mut self) -> bool {
        match self.channel.capacity {
            // A sender of a rendezvous channel lays its message down and then waits.
            Capacity::Unbounded | Capacity::Bounded(0) => true,
            Capacity::Bounded(capacity) => self.messages().len() < capacity,
        }
    }

    /// Whether a message can be left without waiting.
    fn accepts_at_once(&mut self) -> bool {
        match self.channel.capacity {
            Capacity::Bounded(0) => {
                self.meetings.receiver == Presence::Waiting && self.messages().is_empty()
            }
            _ => self.has_room(),
        }
    }

    /// Adds a message and says which number it has.
    fn put(&mut self, message: T) -> u64 {
        let number = self.meetings.taken + self.messages().len() as u64;
        self.messages().push_back(message);
        self.channel.arrived.notify_one();
        number
    }

    /// Takes the message at the front.
    fn take(&mut self) -> Option<T> {
        let message = self.messages().pop_front()?;
        self.meetings.taken += 1;
        match self.channel.capacity {
            Capacity::Unbounded => {}
            // The senders that wait are after different messages.
            Capacity::Bounded(0) => self.channel.departed.notify_all(),
            Capacity::Bounded(_) => self.channel.departed.notify_one(),
        }
        Some(message)
    }

    /// Takes a message back that the receiver, which is gone, has not taken.
    fn take_back(&mut self, number: u64) -> Option<T> {
        let before = |&&other: &&u64| other < number;
        let moved_up = self.meetings.taken_back.iter().filter(before).count();
        let position = (number - self.meetings.taken) as usize - moved_up;
        self.meetings.taken_back.push(number);
        self.messages().remove(position)
    }

    fn wait(self, condvar: &Condvar) -> Self {
        let Self { channel, meetings, in_use } = self;
        let meetings = condvar.wait(meetings).unwrap_or_else(PoisonError::into_inner);
        Self { channel, meetings, in_use }
    }

    /// Waits as the receiver, or says that the time is up.
    fn wait_for_message(mut self, deadline: Option<Instant>) -> Option<Self> {
        let left = match deadline {
            None => None,
            Some(deadline) => Some(deadline.checked_duration_since(Instant::now())?),
        };
        self.meetings.receiver = Presence::Waiting;
        let mut locked = match left {
            None => {
                let arrived = &self.channel.arrived;
                self.wait(arrived)
            }
            Some(left) => {
                let Self { channel, meetings, in_use } = self;
                let (meetings, _) = channel
                    .arrived
                    .wait_timeout(meetings, left)
                    .unwrap_or_else(PoisonError::into_inner);
                Self { channel, meetings, in_use }
            }
        };
        locked.meetings.receiver = Presence::Away;
        Some(locked)
    }
}

impl<T> Channel<T> {
    #[track_caller]
    fn lock(&self) -> Locked<'_, T> {
        let in_use = self.object.use_outside();
        let meetings = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
        Locked { channel: self, meetings, in_use }
    }

    #[track_caller]
    pub(super) fn send_outside(&self, message: T) -> Result<(), SendError<T>> {
        let mut locked = self.lock();
        while self.receiver() == End::Open && !locked.has_room() {
            locked = locked.wait(&self.departed);
        }
        if self.receiver() == End::Closed {
            return Err(SendError(message));
        }
        let number = locked.put(message);
        if self.capacity == Capacity::Bounded(0) { locked.hand_over(number) } else { Ok(()) }
    }

    #[track_caller]
    pub(super) fn try_send_outside(&self, message: T) -> Result<(), TrySendError<T>> {
        let mut locked = self.lock();
        if self.receiver() == End::Closed {
            Err(TrySendError::Disconnected(message))
        } else if locked.accepts_at_once() {
            locked.put(message);
            Ok(())
        } else {
            Err(TrySendError::Full(message))
        }
    }

    /// Waits for a message, at most until the deadline.
    #[track_caller]
    pub(super) fn receive_outside(&self, deadline: Option<Instant>) -> Result<T, RecvTimeoutError> {
        let mut locked = self.lock();
        loop {
            if let Some(message) = locked.take() {
                return Ok(message);
            }
            if self.senders() == End::Closed {
                return Err(RecvTimeoutError::Disconnected);
            }
            locked = locked.wait_for_message(deadline).ok_or(RecvTimeoutError::Timeout)?;
        }
    }

    #[track_caller]
    pub(super) fn try_receive_outside(&self) -> Result<T, TryRecvError> {
        let mut locked = self.lock();
        match (locked.take(), self.senders()) {
            (Some(message), _) => Ok(message),
            (None, End::Open) => Err(TryRecvError::Empty),
            (None, End::Closed) => Err(TryRecvError::Disconnected),
        }
    }

    #[track_caller]
    pub(super) fn drop_sender_outside(&self) {
        if self.remove_sender() == Departure::Last {
            let _locked = self.lock();
            self.close_senders();
            self.arrived.notify_one();
        }
    }

    #[track_caller]
    pub(super) fn drop_receiver_outside(&self) {
        let mut locked = self.lock();
        self.close_receiver();
        self.departed.notify_all();
        let left = match self.capacity {
            // The senders wait, and take their messages back.
            Capacity::Bounded(0) => VecDeque::new(),
            _ => mem::take(locked.messages()),
        };
        // The destructors may do anything, also to this channel, so the lock is given back first.
        drop(locked);
        drop(left);
    }
}

impl<T> Locked<'_, T> {
    /// Waits until the receiver has taken the message with this number.
    fn hand_over(mut self, number: u64) -> Result<(), SendError<T>> {
        while self.meetings.taken <= number && self.channel.receiver() == End::Open {
            let departed = &self.channel.departed;
            self = self.wait(departed);
        }
        if self.meetings.taken > number {
            return Ok(());
        }
        let back = self.take_back(number);
        Err(SendError(back.expect("a message that was not taken is still there")))
    }
}
