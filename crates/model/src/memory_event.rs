//! What was done to memory in a finding, and where that stands in the code.

use crate::{AccessKind, AccessMode, OperationKind, Source, ThreadReport};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in the code of the program: where a call returns to, relative to where the program is
/// loaded, so that it is the same in every run and debug information can be asked. The call itself
/// is the instruction before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CodeAddress(pub u64);

impl fmt::Display for CodeAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// Memory was allocated or freed. The allocator does not know lines, so this says between which
/// operations it was and which calls led there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryEvent {
    /// By which thread; nothing if it was code of ours, such as for a thread that ended.
    pub thread: Option<ThreadReport>,
    /// The last operation of the thread before.
    pub after: Option<Source>,
    /// Where the calls come from that led there, innermost first.
    pub frames: Vec<CodeAddress>,
}

/// A block of memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryBlock {
    /// How many bytes were asked for.
    pub size: usize,
    /// How it was allocated.
    pub allocated: MemoryEvent,
    /// How it was freed, if it was.
    pub freed: Option<MemoryEvent>,
}

/// One of two accesses that nothing orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RacingAccess {
    /// The thread.
    pub thread: ThreadReport,
    /// What it did.
    pub kind: AccessKind,
    /// What it promised.
    pub mode: AccessMode,
    /// Where, if it was an operation.
    pub at: Option<Source>,
    /// Where it stands and the calls that led there, innermost first, if it was none.
    pub frames: Vec<CodeAddress>,
    /// How many steps there had been in the execution, if that is known.
    #[serde(default)]
    pub after: Option<u64>,
    /// The line of the workspace's own that it belongs to, if it was no operation and debug information knows it.
    #[serde(default)]
    pub line: Option<Source>,
    /// The atomic operation of this thread whose ordering was too weak to hand the memory over, if that is why the
    /// accesses race.
    #[serde(default)]
    pub weak: Option<TooWeak>,
}

/// An operation whose memory ordering was too weak.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TooWeak {
    /// What it is.
    pub kind: OperationKind,
    /// Where.
    pub at: Source,
    /// The ordering that would have done.
    pub needs: String,
}

/// How freed memory was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemoryUse {
    /// A thread was about to carry out an operation on an object there.
    Operation {
        /// The thread.
        thread: ThreadReport,
        /// What, if it is known.
        kind: Option<OperationKind>,
        /// Where.
        at: Source,
    },
    /// A thread was about to access it.
    Access {
        /// The thread, where it stands and the calls that led there.
        event: MemoryEvent,
        /// What it was about to do.
        kind: AccessKind,
    },
    /// A thread was about to access the stack of one that has ended.
    Stack {
        /// The thread, where it stands and the calls that led there.
        event: MemoryEvent,
        /// What it was about to do.
        kind: AccessKind,
        /// Whose stack it was.
        owner: ThreadReport,
    },
    /// It was found to be written to, some time after it was freed.
    Write,
    /// A thread accessed memory through a pointer that it had read from freed memory.
    Pointer {
        /// The thread.
        thread: ThreadReport,
        /// The name of the signal that refused it.
        signal: String,
        /// The last operation of the thread before it.
        after: Option<Source>,
    },
}
