//! Accesses to data: what threads read and write between their operations.
//!
//! An access is not decided about and is no step: it belongs to the operation before it. Those who
//! watch are told of accesses if they ask for them.

use crate::{CodeAddress, ObjectId, Site, ThreadId};

/// Whether data was read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// Only read.
    Read,
    /// Written, or handed out to be written.
    Write,
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
    /// To what.
    pub variable: Variable,
    /// Where.
    pub spot: Spot,
}

/// A stretch of memory came to life or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryChange {
    /// Who did it.
    pub thread: ThreadId,
    /// The first byte.
    pub address: usize,
    /// How many bytes.
    pub size: usize,
}
