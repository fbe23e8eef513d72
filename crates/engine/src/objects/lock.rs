//! What all objects have in common that threads take and give back: one protocol for who waits.
//!
//! 1. A thread *wants* the object ([`Execution::want`]): it stands before the operation that takes it, is
//!    among those who want it until it has it, and is blocked while it can not have it. If that closes a
//!    circle of waits, the execution ends.
//! 2. The object is *taken* ([`ThreadStates::taken`]): whoever can not have it any more is blocked.
//! 3. The object is *given back* ([`ThreadStates::given_back`]): whoever can have it now can run. Who gets it is
//!    up to the strategy.

use crate::execution::Execution;
use crate::objects::ObjectState;
use crate::thread_states::ThreadStates;
use selvedge_model::{ObjectId, ThreadId, ThreadSet};

/// An object that threads take and give back.
pub(crate) trait Lock: 'static {
    /// The ways in which it can be taken.
    type Mode: Copy + 'static;

    /// All of them.
    const MODES: &'static [Self::Mode];

    /// The lock that an object is.
    fn of(state: &mut ObjectState) -> &mut Self;

    /// Whether a thread that wants it in this way can have it now.
    fn admits(&self, mode: Self::Mode) -> bool;

    /// Those who want it in this way, if anybody ever has.
    fn wanted_by(&self, mode: Self::Mode) -> Option<&ThreadSet>;

    /// As [`wanted_by`](Self::wanted_by), to add somebody.
    fn wanted_by_mut(&mut self, mode: Self::Mode) -> &mut ThreadSet;
}

impl Execution {
    /// The thread stands before the operation that takes the lock.
    #[inline]
    pub(crate) fn want<L: Lock>(&mut self, thread: ThreadId, id: ObjectId, mode: L::Mode) {
        let lock = L::of(&mut self.objects[id.index()].state);
        lock.wanted_by_mut(mode).insert(thread);
        if lock.admits(mode) {
            self.states.wake(thread);
        } else {
            self.states.block(thread);
            self.blocked_on(thread, id);
        }
    }
}

impl ThreadStates {
    /// Somebody has taken the lock.
    #[inline(always)]
    pub(crate) fn taken<L: Lock>(&mut self, lock: &L) {
        for &mode in L::MODES {
            if !lock.admits(mode)
                && let Some(waiting) = lock.wanted_by(mode)
            {
                self.block_all(waiting);
            }
        }
    }

    /// Somebody has given the lock back.
    #[inline(always)]
    pub(crate) fn given_back<L: Lock>(&mut self, lock: &L) {
        for &mode in L::MODES {
            if lock.admits(mode)
                && let Some(waiting) = lock.wanted_by(mode)
            {
                self.wake_all(waiting);
            }
        }
    }
}
