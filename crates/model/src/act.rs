//! What a thread did, as far as locks and order go.

use crate::{Age, Effect, Event, Hold, Meaning, ObjectId, Order, ThreadId};

/// What a thread did, as far as locks and the order of threads go. An event has one, and so has whatever
/// else stands for one (a step of a finding, a fact of coverage).
#[derive(Clone, Copy, Debug)]
pub struct Act {
    /// Who.
    pub thread: ThreadId,
    /// To what.
    pub object: ObjectId,
    /// What else it concerns, as in [`Operation`](crate::Operation).
    pub second: ObjectId,
    /// The thread that was started, or how many were woken.
    pub other: u32,
    /// The memory order that was asked for.
    pub order: Order,
    /// Which value of an atomic it has to do with.
    pub age: Age,
    /// What it means.
    pub meaning: &'static Meaning,
}

impl Act {
    /// What [`other`](Self::other) is where something else came of an operation.
    pub const NOBODY: u32 = u32::MAX;

    /// The thread that was started, or how many were woken.
    #[inline(always)]
    pub const fn other(effect: Effect) -> u32 {
        match effect {
            Effect::Thread(thread) => thread.0,
            Effect::Woke(count) => count,
            Effect::Done
            | Effect::Refused
            | Effect::Timed
            | Effect::TimedOut
            | Effect::Spurious
            | Effect::Read(_)
            | Effect::Wrote(_)
            | Effect::Changed { .. }
            | Effect::Kept(_) => Self::NOBODY,
        }
    }

    /// The lock that was taken, and how.
    #[inline(always)]
    pub fn takes(&self) -> Option<(ObjectId, Hold)> {
        Some((self.object, self.meaning.lock.takes()?))
    }

    /// The lock that was given back, and how it was held. A downgrade gives the lock back and takes
    /// it again.
    #[inline(always)]
    pub fn gives_back(&self) -> Option<(ObjectId, Hold)> {
        let hold = self.meaning.lock.gives_back()?;
        match self.meaning.lock {
            crate::LockAction::GivesBackSecond => Some((self.second, hold)),
            _ => Some((self.object, hold)),
        }
    }
}

impl From<&Event> for Act {
    #[inline(always)]
    fn from(event: &Event) -> Self {
        Self {
            thread: event.thread,
            object: event.operation.object,
            second: event.operation.second,
            other: Self::other(event.effect),
            order: event.order,
            age: event.age,
            meaning: event.meaning(),
        }
    }
}
