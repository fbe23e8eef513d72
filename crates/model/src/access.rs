//! Accesses to data: what threads read and write between their operations.
//!
//! An access is not decided about and is no step: it belongs to the operation before it. Those who
//! watch are told of accesses if they ask for them.

use crate::{CodeAddress, ObjectId, Site, ThreadId};
use serde::{Deserialize, Serialize};

/// Whether data was read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AccessKind {
    /// Only read.
    Read,
    /// Written, or handed out to be written.
    Write,
}

/// What an access promises to those that are made at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AccessMode {
    /// Nothing: nobody else may write at the same time.
    Plain,
    /// It is done in one go, whatever others do.
    Atomic,
    /// As the machine does it. Counts as atomic, which is how it is used by those who know why.
    Volatile,
    /// Nothing, as a plain one, and the memory ends with it: it is freed, or is on the stack of a
    /// thread that ends.
    Freeing,
}

/// What was accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// What a lock protects, a channel carries, a `OnceLock` holds.
    Data(ObjectId),
    /// Plain memory. Addresses mean something within one execution only.
    Memory {
        /// The first byte.
        address: usize,
        /// How many bytes.
        size: usize,
    },
}

/// Where in the program an access stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// A place in the source.
    Line(Site),
    /// An instruction. Its line is known to debug information.
    Code(CodeAddress),
}

/// An access to data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Who.
    pub thread: ThreadId,
    /// In which way.
    pub kind: AccessKind,
    /// In which way as to others.
    pub mode: AccessMode,
    /// To what.
    pub variable: Variable,
    /// Where.
    pub spot: Spot,
}

/// A stretch of memory came to life or ended: what was there before is another variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryChange {
    /// Who did it.
    pub thread: ThreadId,
    /// The first byte.
    pub address: usize,
    /// How many bytes.
    pub size: usize,
    /// Where it was freed, if it was; otherwise it is new.
    pub end: Option<CodeAddress>,
}

/// One of the two accesses of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceSide {
    /// Who.
    pub thread: ThreadId,
    /// The thread's own entry of its clock.
    pub time: u32,
    /// In which way.
    pub kind: AccessKind,
    /// In which way as to ordering.
    pub mode: AccessMode,
    /// Where.
    pub spot: Spot,
}

/// Two accesses to the same memory that nothing orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The one that came first in this execution.
    pub first: RaceSide,
    /// The one that came then.
    pub second: RaceSide,
    /// The first byte that the second one accessed.
    pub address: usize,
    /// How many bytes it accessed.
    pub size: usize,
}
