//! How an execution comes to its end.

use crate::heap::{MemoryFault, Note};
use selvedge_model::{Site, ThreadId};

/// Why an execution is over. The details are read off the frozen state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every thread has ended and the test function returned.
    Passed,
    /// The test function panicked.
    Panicked {
        /// What it panicked with, if that was text.
        message: String,
    },
    /// The thread closed a circle of waits by wanting the object.
    Deadlock {
        /// The threads of the circle, each waiting for the next.
        cycle: Vec<ThreadId>,
    },
    /// Nobody can run.
    Stuck,
    /// Nobody can run, and somebody is held by the written schedule.
    Infeasible,
    /// The test function has returned, but threads are left that do not end.
    Leaked,
    /// Nothing changed any more, or there were more steps than there may be.
    StepLimit,
    /// It has had as many steps as it was given.
    CutOff,
    /// Somebody asked for it: the execution is too long to wait for its end.
    GivenUp,
    /// An object turned out to be in use by another test of the same process.
    Shared {
        /// Where it was created.
        created: Site,
    },
    /// A thread was about to change its process for good, in one that others will use.
    NeedsProcess,
    /// Something was done wrong with memory.
    Memory {
        /// What.
        fault: Box<MemoryFault>,
    },
    /// Something went wrong in a process of its own, which has said what. The finding has it.
    WentWrong,
    /// The thread would have brought the process down.
    Crashed {
        /// What happened.
        crash: Crash,
    },
}

/// What would have ended the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// A signal; the address is that of the access, if there was one.
    Signal {
        /// Its number.
        number: i32,
        /// The address that could not be accessed.
        address: usize,
        /// Where the thread stood; nowhere if it died with its process.
        at: Note,
    },
    /// The stack of a thread was not large enough.
    StackOverflow,
    /// Nothing happened for so long that the process was ended.
    Stalled {
        /// For how long.
        milliseconds: u64,
    },
    /// It had used so much processor time without coming to an operation that it was ended.
    Computing {
        /// How much.
        milliseconds: u64,
    },
    /// `std::process::exit` was called.
    Exit {
        /// With this code, if it is known.
        code: Option<i32>,
    },
}
