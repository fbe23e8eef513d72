//! What happened.

use crate::{Operation, ThreadId};
use serde::{Deserialize, Serialize};

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

/// An operation that was carried out: one step of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Who did it.
    pub thread: ThreadId,
    /// What it did.
    pub operation: Operation,
    /// What came of it.
    pub effect: Effect,
}
