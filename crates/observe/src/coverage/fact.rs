//! What metrics see: events and accesses, in order, with places as numbers.

use selvedge_model::{Access, AccessKind, Effect, Event, OperationKind, Order};
use std::ops::Deref;

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
    /// What that means for locks and variables, found out once for all metrics.
    class: Class,
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

/// What came of an operation, and what [`Fact::other`] is.
#[inline]
pub(crate) fn outcome(effect: Effect) -> (Outcome, u32) {
    match effect {
        Effect::Refused | Effect::Kept(_) => (Outcome::Refused, NONE),
        Effect::TimedOut => (Outcome::TimedOut, NONE),
        Effect::Spurious => (Outcome::Spurious, NONE),
        Effect::Thread(thread) => (Outcome::Done, thread.0),
        Effect::Woke(count) => (Outcome::Done, count),
        Effect::Done
        | Effect::Timed
        | Effect::Read(_)
        | Effect::Wrote(_)
        | Effect::Changed { .. } => (Outcome::Done, NONE),
    }
}

impl Fact {
    /// The fact of an event. What [`other`](Self::other) of a wait is must be filled in.
    #[inline]
    pub(crate) fn of_event(event: &Event, site: SiteNumber) -> Self {
        let (result, other) = outcome(event.effect);
        let kind = event.operation.kind;
        let class = match result {
            Outcome::Done => DONE[kind as usize],
            _ => Class::of(kind, result),
        };
        Self {
            what: What::Operation(kind),
            result,
            class,
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
    #[inline(always)]
    pub fn locks(&self) -> Option<(u32, Hold)> {
        if self.class.has(Class::LOCKS) {
            Some((self.object, Hold::Exclusive))
        } else if self.class.has(Class::LOCKS_SHARED) {
            Some((self.object, Hold::Shared))
        } else {
            None
        }
    }

    /// The lock that was given back, and how it was held. A downgrade gives the lock back and takes
    /// it again.
    #[inline(always)]
    pub fn unlocks(&self) -> Option<(u32, Hold)> {
        if self.class.has(Class::UNLOCKS) {
            Some((self.object, Hold::Exclusive))
        } else if self.class.has(Class::UNLOCKS_SHARED) {
            Some((self.object, Hold::Shared))
        } else if self.class.has(Class::WAITS) {
            Some((self.other, Hold::Exclusive))
        } else {
            None
        }
    }

    /// How data behind a lock or plain memory is accessed.
    #[inline(always)]
    pub fn plain_access(&self) -> Option<Mode> {
        match self.what {
            What::Access(AccessKind::Read) => Some(Mode::Read),
            What::Access(AccessKind::Write) => Some(Mode::Write),
            What::Operation(_) => None,
        }
    }

    /// How the variable [`object`](Self::object) is accessed, if it is: data behind a lock, memory,
    /// an atomic, what a channel carries, what a `Once` initialises.
    #[inline(always)]
    pub fn access(&self) -> Option<Mode> {
        match (self.class.has(Class::READS), self.class.has(Class::WRITES)) {
            (true, false) => Some(Mode::Read),
            (false, true) => Some(Mode::Write),
            (true, true) => Some(Mode::Update),
            (false, false) => None,
        }
    }

    /// The fact of an access to data.
    #[inline]
    pub(crate) fn of_access(access: &Access, object: u32, site: SiteNumber) -> Self {
        Self {
            what: What::Access(access.kind),
            result: Outcome::Done,
            class: match access.kind {
                AccessKind::Read => Class::READS,
                AccessKind::Write => Class::WRITES,
            },
            order: Order::Implied,
            thread: access.thread.0,
            object,
            site,
            other: NONE,
        }
    }

    /// Of a wait on a condition variable: the mutex that it gives back.
    #[inline]
    pub(crate) fn set_mutex(&mut self, mutex: u32) {
        self.other = mutex;
        self.class = Class::WAITS;
    }
}

/// What facts mean for locks and variables: a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Class(u8);

impl Class {
    const NOTHING: Self = Self(0);
    const LOCKS: Self = Self(1);
    const LOCKS_SHARED: Self = Self(1 << 1);
    const UNLOCKS: Self = Self(1 << 2);
    const UNLOCKS_SHARED: Self = Self(1 << 3);
    /// Gives the mutex of a wait back.
    const WAITS: Self = Self(1 << 4);
    const READS: Self = Self(1 << 5);
    const WRITES: Self = Self(1 << 6);
    /// Takes a message back out of a channel.
    const TAKES_BACK: Self = Self(1 << 7);

    #[inline(always)]
    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// What an operation means, done or not.
    const fn of(kind: OperationKind, result: Outcome) -> Self {
        let done = matches!(result, Outcome::Done);
        match kind {
            OperationKind::MutexUnlock | OperationKind::RwWriteUnlock => Self::UNLOCKS,
            OperationKind::RwReadUnlock => Self::UNLOCKS_SHARED,
            OperationKind::RwDowngrade => Self(Self::UNLOCKS.0 | Self::LOCKS_SHARED.0),
            // However a wait ended, the mutex was taken again.
            OperationKind::CondvarWake => Self::LOCKS,
            OperationKind::AtomicLoad => Self::READS,
            OperationKind::AtomicStore => Self::WRITES,
            OperationKind::AtomicRmw => Self(Self::READS.0 | Self::WRITES.0),
            OperationKind::AtomicCas if done => Self(Self::READS.0 | Self::WRITES.0),
            OperationKind::AtomicCas => Self::READS,
            OperationKind::OnceCall if matches!(result, Outcome::Refused) => Self::READS,
            OperationKind::OnceCall => Self::NOTHING,
            OperationKind::SendDone if !done => Self::TAKES_BACK,
            _ if !done => Self::NOTHING,
            OperationKind::MutexLock
            | OperationKind::MutexTryLock
            | OperationKind::RwWrite
            | OperationKind::RwTryWrite => Self::LOCKS,
            OperationKind::RwRead | OperationKind::RwTryRead => Self::LOCKS_SHARED,
            OperationKind::Send | OperationKind::TrySend | OperationKind::OnceDone => Self::WRITES,
            OperationKind::Receive
            | OperationKind::TryReceive
            | OperationKind::OnceGet
            | OperationKind::OnceWait => Self::READS,
            _ => Self::NOTHING,
        }
    }
}

/// The classes of all operations that are done.
static DONE: [Class; OperationKind::ALL.len()] = {
    let mut classes = [Class::NOTHING; OperationKind::ALL.len()];
    let mut index = 0;
    while index < classes.len() {
        classes[index] = Class::of(OperationKind::ALL[index], Outcome::Done);
        index += 1;
    }
    classes
};

/// A stretch of facts, in order.
#[derive(Default)]
pub struct Facts {
    all: Vec<Fact>,
    /// The positions of those that take a lock.
    locks: Vec<u32>,
    /// The positions of those that access a variable or take a message back.
    accesses: Vec<u32>,
}

impl Facts {
    /// Those that take a lock.
    #[inline]
    pub fn locks(&self) -> impl Iterator<Item = &Fact> {
        self.locks.iter().map(|&position| &self.all[position as usize])
    }

    /// Those that access a variable, and those by which the sender of a rendezvous channel takes
    /// its message back because nobody will receive it.
    #[inline]
    pub fn accesses(&self) -> impl Iterator<Item = &Fact> {
        self.accesses.iter().map(|&position| &self.all[position as usize])
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, fact: Fact) {
        let position = self.all.len() as u32;
        if fact.class.has(Class(Class::LOCKS.0 | Class::LOCKS_SHARED.0)) {
            self.locks.push(position);
        }
        if fact.class.has(Class(Class::READS.0 | Class::WRITES.0 | Class::TAKES_BACK.0)) {
            self.accesses.push(position);
        }
        self.all.push(fact);
    }

    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.locks.clear();
        self.accesses.clear();
    }
}

impl Deref for Facts {
    type Target = [Fact];

    #[inline]
    fn deref(&self) -> &[Fact] {
        &self.all
    }
}
