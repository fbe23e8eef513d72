//! The engines under comparison: one file each, with the engine's own primitives, the programs
//! compiled against them, and how the engine runs a program.
//!
//! The files in `programs` are modules of every engine: they take whatever `prims` is beside them.

pub(crate) mod loom;
pub(crate) mod selvedge;
pub(crate) mod shuttle;

/// What an engine did when it was asked for a number of executions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ran {
    /// How many there were; an engine may have run out of schedules before.
    pub(crate) executions: u64,
    /// How many steps they had together, if the engine counts them.
    pub(crate) steps: Option<u64>,
}

/// What came of the search for a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// It was met in this execution, from 1.
    Found(u64),
    /// All schedules were run, this many, and it is not there.
    Exhausted(u64),
    /// The budget was used up after this many executions.
    GaveUp(u64),
    /// Something else went wrong.
    Failed(&'static str),
}
