//! What metrics see: events and accesses, in order, with places as numbers.

use selvedge_model::{AccessKind, Effect, Event, OperationKind, Order};

/// The number of a place in the program, the same in all executions of a campaign.
pub type SiteNumber = u32;

/// Stands where there is no object, thread or place.
pub const NONE: u32 = u32::MAX;

/// Variables from here on are words of memory, those below are objects of the execution.
pub const FIRST_WORD: u32 = 1 << 31;

/// An event or an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What was done.
    pub what: What,
    /// What came of it.
    pub result: Outcome,
    /// How it orders other accesses.
    pub order: Order,
    /// Who did it, by its number in the execution.
    pub thread: u32,
    /// To what, by its number in the execution, or [`NONE`].
    pub object: u32,
    /// Where.
    pub site: SiteNumber,
    /// Of a wait on a condition variable, the mutex that is given back; of a spawn, the new thread;
    /// of a join or unpark, that thread; of a notification, how many were woken. Otherwise
    /// [`NONE`].
    pub other: u32,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// An operation was carried out.
    Operation(OperationKind),
    /// The data behind a lock, or plain memory, was accessed.
    Access(AccessKind),
}

/// What came of an operation, as far as metrics care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what it is for.
    Done,
    /// It found the way barred, or another value than expected.
    Refused,
    /// It came to its deadline.
    TimedOut,
    /// It ended for no reason.
    Spurious,
}

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hold {
    /// By one thread alone.
    Exclusive,
    /// Together with other readers.
    Shared,
}

/// How a variable is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Only read.
    Read,
    /// Only written.
    Write,
    /// Read and written in one go.
    Update,
}

impl Mode {
    /// Whether the value is used.
    pub const fn reads(self) -> bool {
        matches!(self, Self::Read | Self::Update)
    }

    /// Whether the value is replaced.
    pub const fn writes(self) -> bool {
        matches!(self, Self::Write | Self::Update)
    }
}

impl Fact {
    /// The fact of an event. What [`other`](Self::other) of a wait is must be filled in.
    #[inline]
    pub(crate) fn of_event(event: &Event, site: SiteNumber) -> Self {
        let mut other = NONE;
        let result = match event.effect {
            Effect::Refused | Effect::Kept(_) => Outcome::Refused,
            Effect::TimedOut => Outcome::TimedOut,
            Effect::Spurious => Outcome::Spurious,
            Effect::Thread(thread) => {
                other = thread.0;
                Outcome::Done
            }
            Effect::Woke(count) => {
                other = count;
                Outcome::Done
            }
            Effect::Done | Effect::Read(_) | Effect::Wrote(_) | Effect::Changed { .. } => {
                Outcome::Done
            }
        };
        Self {
            what: What::Operation(event.operation.kind),
            result,
            order: event.order,
            thread: event.thread.0,
            object: event.operation.object.0,
            site,
            other,
        }
    }

    /// The operation, if it is one that did what it is for.
    #[inline]
    pub fn done(&self) -> Option<OperationKind> {
        match self.what {
            What::Operation(kind) if self.result == Outcome::Done => Some(kind),
            _ => None,
        }
    }

    /// The lock that was taken, and how.
    #[inline]
    pub fn locks(&self) -> Option<(u32, Hold)> {
        let What::Operation(kind) = self.what else { return None };
        match kind {
            // However a wait ended, the mutex was taken again.
            OperationKind::CondvarWake => Some((self.object, Hold::Exclusive)),
            _ if self.result == Outcome::Refused => None,
            OperationKind::MutexLock
            | OperationKind::MutexTryLock
            | OperationKind::RwWrite
            | OperationKind::RwTryWrite => Some((self.object, Hold::Exclusive)),
            OperationKind::RwRead | OperationKind::RwTryRead | OperationKind::RwDowngrade => {
                Some((self.object, Hold::Shared))
            }
            _ => None,
        }
    }

    /// The lock that was given back, and how it was held. A downgrade gives the lock back and takes
    /// it again.
    #[inline]
    pub fn unlocks(&self) -> Option<(u32, Hold)> {
        let What::Operation(kind) = self.what else { return None };
        match kind {
            OperationKind::MutexUnlock
            | OperationKind::RwWriteUnlock
            | OperationKind::RwDowngrade => Some((self.object, Hold::Exclusive)),
            OperationKind::RwReadUnlock => Some((self.object, Hold::Shared)),
            OperationKind::CondvarWait if self.other != NONE => {
                Some((self.other, Hold::Exclusive))
            }
            _ => None,
        }
    }

    /// How data behind a lock or plain memory is accessed.
    #[inline]
    pub fn plain_access(&self) -> Option<Mode> {
        match self.what {
            What::Access(AccessKind::Read) => Some(Mode::Read),
            What::Access(AccessKind::Write) => Some(Mode::Write),
            What::Operation(_) => None,
        }
    }

    /// How the variable [`object`](Self::object) is accessed, if it is: data behind a lock, memory,
    /// an atomic, what a channel carries, what a `Once` initialises.
    #[inline]
    pub fn access(&self) -> Option<Mode> {
        let What::Operation(kind) = self.what else { return self.plain_access() };
        match (kind, self.result) {
            (OperationKind::AtomicLoad, _) => Some(Mode::Read),
            (OperationKind::AtomicStore, _) => Some(Mode::Write),
            (OperationKind::AtomicRmw, _) => Some(Mode::Update),
            (OperationKind::AtomicCas, Outcome::Done) => Some(Mode::Update),
            (OperationKind::AtomicCas, _) => Some(Mode::Read),
            (OperationKind::Send | OperationKind::TrySend, Outcome::Done) => Some(Mode::Write),
            (OperationKind::Receive | OperationKind::TryReceive, Outcome::Done) => Some(Mode::Read),
            (OperationKind::OnceDone, Outcome::Done) => Some(Mode::Write),
            (OperationKind::OnceCall, Outcome::Refused)
            | (OperationKind::OnceGet | OperationKind::OnceWait, Outcome::Done) => Some(Mode::Read),
            _ => None,
        }
    }
}
