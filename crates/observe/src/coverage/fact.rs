//! What metrics see: events and accesses, in order, with places as numbers.

use selvedge_model::{
    Access, AccessKind, Act, Age, Event, HeldLocks, Hold, Link, LockAction, Meaning, ObjectId,
    OperationKind, Order, Outcome, ThreadId, ValueUse,
};
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
    pub outcome: Outcome,
    /// How it orders other accesses.
    pub order: Order,
    /// Which value of an atomic it has to do with.
    pub age: Age,
    /// What that means for locks, variables and order.
    pub meaning: &'static Meaning,
    /// Who did it, by its number in the execution.
    pub thread: u32,
    /// To what, by its number in the execution, or [`NONE`].
    pub object: u32,
    /// What else it concerns, as in [`Operation`](selvedge_model::Operation), or [`NONE`].
    pub second: u32,
    /// Where.
    pub site: SiteNumber,
    /// Of a spawn, the new thread; of a join or unpark, that thread; of a notification, how many were
    /// woken. Otherwise [`NONE`].
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

/// What accesses mean.
const READ: Meaning =
    Meaning { lock: LockAction::None, value: Some(ValueUse::Reads), link: Link::None };
const WRITE: Meaning = Meaning { value: Some(ValueUse::Writes), ..READ };

impl Fact {
    /// The fact of an event.
    #[inline]
    pub(crate) fn of_event(event: &Event, site: SiteNumber) -> Self {
        Self {
            what: What::Operation(event.operation.kind),
            outcome: event.effect.outcome(),
            order: event.order,
            age: event.age,
            meaning: event.meaning(),
            thread: event.thread.0,
            object: event.operation.object.0,
            second: event.operation.second.0,
            site,
            other: Act::other(event.effect),
        }
    }

    /// The fact of an access to data.
    #[inline]
    pub(crate) fn of_access(access: &Access, object: u32, site: SiteNumber) -> Self {
        Self {
            what: What::Access(access.kind),
            outcome: Outcome::Done,
            order: Order::Implied,
            age: Age::ONLY,
            meaning: match access.kind {
                AccessKind::Read => &READ,
                AccessKind::Write => &WRITE,
            },
            thread: access.thread.0,
            object,
            second: NONE,
            site,
            other: NONE,
        }
    }

    /// What was done, as far as locks and order go.
    #[inline(always)]
    pub fn act(&self) -> Act {
        Act {
            thread: ThreadId(self.thread),
            object: ObjectId(self.object),
            second: ObjectId(self.second),
            other: self.other,
            order: self.order,
            age: self.age,
            meaning: self.meaning,
        }
    }

    /// The lock that was taken, and how. To initialise something is not to take a lock.
    #[inline(always)]
    pub fn locks(&self) -> Option<(u32, Hold)> {
        Some((self.object, self.meaning.locks()?))
    }

    /// The lock that was given back, and how it was held. A downgrade gives the lock back and takes
    /// it again.
    #[inline(always)]
    pub fn unlocks(&self) -> Option<(u32, Hold)> {
        let (lock, hold) = self.act().gives_back()?;
        (hold != Hold::Initialising).then_some((lock.0, hold))
    }

    /// How data behind a lock or plain memory is accessed.
    #[inline(always)]
    pub fn plain_access(&self) -> Option<ValueUse> {
        match self.what {
            What::Access(_) => self.meaning.value,
            What::Operation(_) => None,
        }
    }

    /// How the variable [`object`](Self::object) is accessed, if it is: data behind a lock, memory,
    /// an atomic, what a channel carries, what a `Once` initialises.
    #[inline(always)]
    pub fn access(&self) -> Option<ValueUse> {
        self.meaning.value
    }

    /// Notes what it does to locks. To initialise something is not to hold a lock.
    #[inline]
    pub(crate) fn hold(&self, held: &mut HeldLocks<SiteNumber>) {
        if let What::Operation(kind) = self.what
            && (self.locks().is_some() || self.unlocks().is_some())
        {
            held.apply(&self.act(), kind, self.site);
        }
    }
}

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
        if fact.locks().is_some() {
            self.locks.push(position);
        }
        if fact.meaning.value.is_some() || fact.meaning.link == Link::TakesBack {
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
