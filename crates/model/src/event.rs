//! What happened.

use crate::{Meaning, Operation, Outcome, ThreadId};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;

/// What an operation did, as far as that is worth telling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Nothing beyond what the kind of operation says.
    Done,
    /// A `try_` operation found the way barred, a compare-exchange another value.
    Refused,
    /// A wait began that a deadline ends at the latest.
    Timed,
    /// A timed wait came to its deadline.
    TimedOut,
    /// A wait ended although nobody had asked for that.
    Spurious,
    /// A value was read.
    Read(u64),
    /// A value was written.
    Wrote(u64),
    /// A value was read and replaced.
    Changed {
        /// The value before.
        from: u64,
        /// The value after.
        to: u64,
    },
    /// A compare-exchange read this value and left it.
    Kept(u64),
    /// A thread was spawned, joined or woken.
    Thread(ThreadId),
    /// This many threads were woken.
    Woke(u32),
}

impl Effect {
    /// The value that an operation on an atomic has read, if it has.
    pub const fn read(self) -> Option<u64> {
        match self {
            Self::Read(value) | Self::Kept(value) | Self::Changed { from: value, .. } => {
                Some(value)
            }
            Self::Done
            | Self::Refused
            | Self::Timed
            | Self::TimedOut
            | Self::Spurious
            | Self::Wrote(_)
            | Self::Thread(_)
            | Self::Woke(_) => None,
        }
    }

    /// The value that an operation on an atomic has written, if it has.
    pub const fn written(self) -> Option<u64> {
        match self {
            Self::Wrote(value) | Self::Changed { to: value, .. } => Some(value),
            Self::Done
            | Self::Refused
            | Self::Timed
            | Self::TimedOut
            | Self::Spurious
            | Self::Read(_)
            | Self::Kept(_)
            | Self::Thread(_)
            | Self::Woke(_) => None,
        }
    }

    /// What came of the operation.
    #[inline(always)]
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Refused | Self::Kept(_) => Outcome::Refused,
            Self::TimedOut => Outcome::TimedOut,
            Self::Spurious => Outcome::Spurious,
            Self::Done
            | Self::Timed
            | Self::Read(_)
            | Self::Wrote(_)
            | Self::Changed { .. }
            | Self::Thread(_)
            | Self::Woke(_) => Outcome::Done,
        }
    }
}

/// How an operation orders the accesses around it, as far as the program could choose that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Order {
    /// As its kind says: the program had no choice.
    Implied,
    /// Not at all.
    Relaxed,
    /// Those after it stay after it.
    Acquire,
    /// Those before it stay before it.
    Release,
    /// Both.
    Both,
    /// Both, and all of this kind have one order that every thread agrees on.
    SeqCst,
}

impl Order {
    /// Whether it sees what a releasing write has left.
    pub const fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::Both | Self::SeqCst)
    }

    /// Whether it leaves what an acquiring read sees.
    pub const fn releases(self) -> bool {
        matches!(self, Self::Release | Self::Both | Self::SeqCst)
    }
}

impl From<Ordering> for Order {
    #[inline]
    fn from(ordering: Ordering) -> Self {
        match ordering {
            Ordering::Relaxed => Self::Relaxed,
            Ordering::Acquire => Self::Acquire,
            Ordering::Release => Self::Release,
            Ordering::SeqCst => Self::SeqCst,
            _ => Self::Both,
        }
    }
}

/// Which value of an atomic an operation has to do with: how many are newer, in the order of modification.
///
/// A load sees the value with that many newer ones. A store puts its value below them. A read-modify-write sees
/// the value, and puts its own right above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Age(u16);

impl Default for Age {
    fn default() -> Self {
        Self::ONLY
    }
}

impl Age {
    /// The newest, of an atomic of which older values are not kept. So it is for everything but atomics, and for
    /// these unless memory is weak.
    pub const ONLY: Self = Self(u16::MAX);
    /// The newest, of an atomic of which older values are kept.
    pub const NEWEST: Self = Self(0);
    /// So many values of an atomic are kept.
    pub const KEPT: usize = 32;

    /// The value with this many newer ones.
    #[inline]
    pub fn of(newer: usize) -> Self {
        Self(newer.min(Self::KEPT) as u16)
    }

    /// How many are newer; nothing if older values are not kept.
    #[inline]
    pub const fn newer(self) -> Option<usize> {
        match self {
            Self::ONLY => None,
            Self(newer) => Some(newer as usize),
        }
    }

    /// Whether there are newer ones.
    #[inline]
    pub const fn is_old(self) -> bool {
        !matches!(self, Self::ONLY | Self::NEWEST)
    }
}

/// An operation that was carried out: one step of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Who did it.
    pub thread: ThreadId,
    /// How it orders other accesses, if it is one of an atomic or a fence.
    pub order: Order,
    /// Which value it has to do with, if it is one of an atomic.
    pub age: Age,
    /// What it did.
    pub operation: Operation,
    /// What came of it.
    pub effect: Effect,
}

impl Event {
    /// What it means.
    #[inline(always)]
    pub fn meaning(&self) -> &'static Meaning {
        self.operation.kind.meaning(self.effect.outcome())
    }
}
