//! What the two ends of a channel share.

use real::cell::UnsafeCell;
use real::collections::VecDeque;
use real::panic::{RefUnwindSafe, UnwindSafe};
use real::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use real::sync::{Condvar, Mutex};
use selvedge_engine::{Capacity, ChannelFacts, End, Object};
use selvedge_model::Site;

/// A channel.
pub(super) struct Channel<T> {
    pub(super) object: Object,
    pub(super) capacity: Capacity,
    /// How many senders there are. Nobody can tell how many are left as long as some are, so the
    /// count changes without an operation until the last of them goes away.
    senders: AtomicUsize,
    receiver_gone: AtomicBool,
    /// Protects the messages outside of controlled executions.
    pub(super) outside: Mutex<Meetings>,
    /// The receiver waits here, outside, for a message or for the last sender to go away.
    pub(super) arrived: Condvar,
    /// Senders wait here, outside, for room, for their message to be taken or for the receiver to
    /// go away.
    pub(super) departed: Condvar,
    /// The messages. Those of a rendezvous channel are laid down here by senders that wait until
    /// they are taken.
    ///
    /// Whoever holds a reference to them neither runs code of the user (and so drops no message)
    /// nor lets another thread of the execution run.
    messages: UnsafeCell<VecDeque<T>>,
}

/// How senders and the receiver of a rendezvous channel meet outside of controlled executions.
#[derive(Default)]
pub(super) struct Meetings {
    /// How many messages have been taken, ever.
    pub(super) taken: u64,
    /// The numbers of the messages that their senders took back because the receiver was gone.
    pub(super) taken_back: Vec<u64>,
    pub(super) receiver: Presence,
}

/// Whether the receiver is there to take a message at once.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Presence {
    #[default]
    Away,
    Waiting,
}

/// What becomes of a channel when one of its senders goes away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Departure {
    /// There are others; this one is no longer counted.
    OneOfSeveral,
    /// There are no others; this one is still counted.
    Last,
}

// SAFETY: Messages move from one thread to another, so they must be `Send`; they are never shared.
// The queue itself is reached by one thread at a time: outside of executions `outside` sees to
// that, inside the engine does, and `Object` sees to it that both are never in use at the same
// time. All other fields are `Sync`.
unsafe impl<T: Send> Sync for Channel<T> {}

// A panic can not leave the queue half-changed, because no code of the user runs meanwhile.
impl<T> UnwindSafe for Channel<T> {}
impl<T> RefUnwindSafe for Channel<T> {}

impl<T> Channel<T> {
    /// A channel with a receiver and one sender.
    pub(super) fn new(capacity: Capacity, site: Site) -> Self {
        Self {
            object: Object::new(site),
            capacity,
            senders: AtomicUsize::new(1),
            receiver_gone: AtomicBool::new(false),
            outside: Mutex::new(Meetings::default()),
            arrived: Condvar::new(),
            departed: Condvar::new(),
            messages: UnsafeCell::new(VecDeque::new()),
        }
    }

    /// The messages.
    ///
    /// # Safety
    ///
    /// Nobody else may reach them while the result lives: the caller holds `outside` and the
    /// [`OutsideUse`](selvedge_engine::OutsideUse) of the object, or is the running thread of the
    /// execution that has the object registered, or has the only end that is left.
    #[expect(clippy::mut_from_ref, reason = "the contract makes the caller the only user")]
    pub(super) unsafe fn messages(&self) -> &mut VecDeque<T> {
        // SAFETY: The caller sees to it that this is the only reference.
        unsafe { &mut *self.messages.get() }
    }

    /// What an execution has to know that meets the channel.
    ///
    /// # Safety
    ///
    /// As for [`messages`](Self::messages).
    pub(super) unsafe fn facts(&self) -> ChannelFacts {
        ChannelFacts {
            capacity: self.capacity,
            // SAFETY: The contract is passed on.
            len: unsafe { self.messages() }.len(),
            senders: self.senders(),
            receiver: self.receiver(),
        }
    }

    /// Whether there are senders.
    pub(super) fn senders(&self) -> End {
        match self.senders.load(Ordering::Acquire) {
            0 => End::Closed,
            _ => End::Open,
        }
    }

    /// There is one more sender.
    pub(super) fn add_sender(&self) {
        self.senders.fetch_add(1, Ordering::Relaxed);
    }

    /// A sender is about to go away. The last one has to say so with
    /// [`close_senders`](Self::close_senders) when it is its turn.
    pub(super) fn remove_sender(&self) -> Departure {
        let others = self.senders.fetch_update(Ordering::AcqRel, Ordering::Acquire, |senders| {
            (senders > 1).then(|| senders - 1)
        });
        match others {
            Ok(_) => Departure::OneOfSeveral,
            Err(_) => Departure::Last,
        }
    }

    /// The last sender has gone away.
    pub(super) fn close_senders(&self) {
        self.senders.store(0, Ordering::Release);
    }

    /// Whether there is a receiver.
    pub(super) fn receiver(&self) -> End {
        if self.receiver_gone.load(Ordering::Acquire) { End::Closed } else { End::Open }
    }

    /// The receiver has gone away.
    pub(super) fn close_receiver(&self) {
        self.receiver_gone.store(true, Ordering::Release);
    }
}
