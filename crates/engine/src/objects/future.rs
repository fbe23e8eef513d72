//! Futures: what may become of a poll.
//!
//! A future has to live with whatever its poller does: it may be polled although nobody woke it,
//! with another waker each time, and it may be dropped before it is ready. Pollers do that seldom, so
//! here each of these is a fault that the strategy may let happen.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::step::Change;
use selvedge_model::{Effect, Fault, ObjectId, Operation, OperationKind, Site};

/// What becomes of a poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PollFate {
    /// The future is polled, and that is all.
    Undisturbed,
    /// If the future is pending, it is polled once more, although nobody woke it.
    Again,
    /// The future is polled with another waker first; if it is pending, with its poller's then.
    OtherWaker,
}

/// Whose future is polled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PollOf {
    /// One that the test has wrapped to have its polls disturbed: a reason to run the test again.
    Wrapper,
    /// Any other.
    Code,
}

/// What becomes of a future that may be dropped at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropFate {
    /// It is polled.
    Polled,
    /// It is dropped instead.
    Dropped,
}

impl Controlled {
    /// The running thread is about to poll a future.
    pub fn poll(self, of: PollOf, site: Site) -> PollFate {
        let execution = &mut *self.execution();
        execution.about_to_poll(of, site);
        let fate = if execution.ask_fault(Fault::OtherWaker) {
            PollFate::OtherWaker
        } else if execution.ask_fault(Fault::PolledAgain) {
            PollFate::Again
        } else {
            PollFate::Undisturbed
        };
        execution.polled(
            site,
            if fate == PollFate::Undisturbed { Effect::Done } else { Effect::Spurious },
        );
        fate
    }

    /// The running thread is about to poll a future that may be dropped at any time.
    pub fn poll_or_drop(self, site: Site) -> DropFate {
        let execution = &mut *self.execution();
        execution.about_to_poll(PollOf::Wrapper, site);
        let (fate, effect) = match execution.ask_fault(Fault::EarlyDrop) {
            true => (DropFate::Dropped, Effect::Spurious),
            false => (DropFate::Polled, Effect::Done),
        };
        execution.polled(site, effect);
        fate
    }
}

impl Execution {
    fn about_to_poll(&mut self, of: PollOf, site: Site) {
        self.account.wrapped_polls += u64::from(of == PollOf::Wrapper);
        let operation = Operation::new(OperationKind::Poll, ObjectId::NONE, site);
        self.info[self.current.index()].pending = operation;
    }

    /// That a future is polled is nothing that others could notice, so the thread did not stop.
    fn polled(&mut self, site: Site, effect: Effect) {
        self.happened(OperationKind::Poll, ObjectId::NONE, site, effect, Change::Nothing);
    }
}
