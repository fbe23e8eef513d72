//! What went wrong, as data. Text for people is rendered from it elsewhere.

use crate::{
    Age, CallStacks, CodeAddress, Effect, MemoryBlock, MemoryEvent, MemoryUse, ObjectKind,
    OperationKind, Problem, RacingAccess, Schedule, Source, ThreadPath, Trouble,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An object as a finding names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ObjectName {
    /// What it is.
    pub kind: ObjectKind,
    /// Its number among the objects of its kind, from 1, in the order of first use.
    pub number: u32,
    /// Where it was created, if it remembers.
    pub created: Option<Source>,
}

impl fmt::Display for ObjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.number)
    }
}

/// A thread of the failing execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadReport {
    /// Its identity in every execution.
    pub path: ThreadPath,
    /// Its name, if it was given one.
    pub name: Option<String>,
    /// Where it was spawned; nowhere for the test's own thread.
    pub spawned: Option<Source>,
}

impl fmt::Display for ThreadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{} '{name}'", self.path),
            None if self.path == ThreadPath::main() => f.write_str("0 (the test)"),
            None => write!(f, "{}", self.path),
        }
    }
}

/// A lock that a thread holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The lock.
    pub object: ObjectName,
    /// The operation that took it.
    pub kind: OperationKind,
    /// Where it was taken.
    pub at: Source,
}

/// A thread that can not go on, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The thread.
    pub thread: ThreadReport,
    /// What it wants to do.
    pub kind: OperationKind,
    /// What it wants to do it to.
    pub object: Option<ObjectName>,
    /// Where.
    pub at: Source,
    /// The threads that would have to act first, as far as that is known.
    pub for_threads: Vec<ThreadPath>,
    /// The locks that it holds meanwhile.
    pub holds: Vec<Held>,
}

/// A thread that a written schedule does not let go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldBack {
    /// The thread.
    pub thread: ThreadReport,
    /// What it is held before, as a schedule would write it.
    pub before: String,
    /// Where; nowhere if it is the end of the test.
    pub at: Option<Source>,
    /// What has to happen first, in words: the schedule says so, and who reads it knows its language.
    pub needs: Vec<String>,
}

/// Something that a written schedule mentions and that has happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedEvent {
    /// As a schedule would write it.
    pub event: String,
    /// The thread that it happened to.
    pub thread: ThreadReport,
    /// Where, if that is known.
    pub at: Option<Source>,
}

/// The last notification of a condition variable on which somebody waits for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastNotify {
    /// The condition variable.
    pub object: ObjectName,
    /// Who notified, how and where; nobody ever did if absent.
    pub notify: Option<(ThreadReport, OperationKind, Source)>,
    /// How many threads it woke.
    pub woke: u32,
}

/// A panic, as the panic hook saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Panic {
    /// The thread that panicked.
    pub thread: ThreadReport,
    /// The message, if it was text.
    pub message: String,
    /// Where.
    pub at: Option<Source>,
}

/// A place at which threads went round and round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpinSite {
    /// The thread.
    pub thread: ThreadReport,
    /// What it does there.
    pub kind: OperationKind,
    /// Where.
    pub at: Source,
    /// How often, in the last stretch of the execution.
    pub times: u64,
}

/// The kinds of finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FindingKind {
    /// The test function panicked.
    Panic(Panic),
    /// Threads wait for each other in a circle, each for what the next one holds.
    Deadlock {
        /// The circle.
        cycle: Vec<Wait>,
    },
    /// A thread waits for a lock that it holds itself.
    DoubleLock {
        /// The thread.
        wait: Box<Wait>,
    },
    /// Nobody can run: somebody waits for something that nobody will do.
    Stuck {
        /// Everybody that waits.
        waits: Vec<Wait>,
        /// What became of the notifications that they wait for.
        notifies: Vec<LastNotify>,
    },
    /// The step limit was reached.
    Livelock {
        /// The limit.
        steps: u64,
        /// Where the threads spun.
        sites: Vec<SpinSite>,
    },
    /// The test function returned while threads that it started were blocked or still running.
    LeakedThreads {
        /// Those threads.
        waits: Vec<Wait>,
    },
    /// The written schedule of the test can not be kept: nobody can go on, and somebody waits for
    /// the schedule to let it.
    Infeasible {
        /// The schedule, as it was written.
        schedule: String,
        /// Those that it does not let go on.
        held: Vec<HeldBack>,
        /// What has happened of what it mentions, in order.
        occurred: Vec<NamedEvent>,
        /// Everybody else that waits.
        waits: Vec<Wait>,
        /// What may have been meant where it names what never happened, in words.
        hints: Vec<String>,
    },
    /// The process would have died of a signal.
    Crash {
        /// The thread that was running.
        thread: ThreadReport,
        /// The name of the signal.
        signal: String,
        /// What is known of the cause.
        cause: String,
        /// The last operation of the thread before it.
        after: Option<Source>,
        /// Where it stands and the calls that led there, innermost first, as far as they are known.
        #[serde(default)]
        frames: Vec<CodeAddress>,
    },
    /// A thread ran out of stack.
    StackOverflow {
        /// The thread.
        thread: ThreadReport,
        /// How large its stack was, in bytes.
        stack_size: usize,
        /// Its last operation before.
        after: Option<Source>,
    },
    /// The test called `std::process::exit`.
    Exit {
        /// The thread.
        thread: ThreadReport,
        /// The exit code. Unknown if somebody has called it in this process before: std then
        /// lets nobody else come as far as where the code is seen.
        code: Option<i32>,
        /// Its last operation before.
        after: Option<Source>,
    },
    /// Two threads accessed the same memory, at least one of them to write, and nothing orders the
    /// one before the other.
    DataRace {
        /// The access that came first in this execution.
        first: Box<RacingAccess>,
        /// The other one.
        second: Box<RacingAccess>,
        /// How many bytes it accessed.
        size: usize,
        /// The block that it lies in, if it was allocated.
        block: Option<Box<MemoryBlock>>,
    },
    /// Freed memory was used.
    UseAfterFree {
        /// In which way.
        used: MemoryUse,
        /// The memory, if it is known.
        block: Option<Box<MemoryBlock>>,
    },
    /// Memory was freed a second time.
    DoubleFree {
        /// The memory, with how it was freed the first time.
        block: Box<MemoryBlock>,
        /// The second time.
        again: Box<MemoryEvent>,
    },
    /// Something was freed that is no block of memory.
    InvalidFree {
        /// The block in the middle of which it lies, if it does.
        block: Option<Box<MemoryBlock>>,
        /// How it was freed.
        free: Box<MemoryEvent>,
    },
    /// Memory was left over after the test that nobody can free any more.
    Leak {
        /// Some of the blocks, those that were allocated first.
        blocks: Vec<MemoryBlock>,
        /// How many blocks there are.
        count: u64,
        /// How large they are together.
        bytes: u64,
    },
    /// The test allocated more memory than it may.
    Memory {
        /// How many bytes would have been allocated at a time.
        bytes: u64,
        /// How many may be.
        limit: u64,
        /// The allocation that was one too many.
        last: Box<MemoryEvent>,
    },
    /// A thread blocked in something that is not under control, such as a real socket.
    Stalled {
        /// The thread.
        thread: ThreadReport,
        /// For how long nothing had happened, in milliseconds.
        milliseconds: u64,
        /// Its last operation before.
        after: Option<Source>,
    },
    /// The same schedule gave another execution the second time.
    Nondeterminism {
        /// The first step that differed, from 1.
        step: u64,
        /// What happened the first time.
        first: Option<Step>,
        /// What happened the second time.
        second: Option<Step>,
    },
}

impl FindingKind {
    /// The name used in expectations, exit summaries and file names.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Panic(_) => "panic",
            Self::Deadlock { .. } => "deadlock",
            Self::DoubleLock { .. } => "double-lock",
            Self::Stuck { .. } => "stuck",
            Self::Livelock { .. } => "livelock",
            Self::LeakedThreads { .. } => "leaked-threads",
            Self::Infeasible { .. } => "infeasible",
            Self::Crash { .. } => "crash",
            Self::StackOverflow { .. } => "stack-overflow",
            Self::Exit { .. } => "exit",
            Self::DataRace { .. } => "data-race",
            Self::UseAfterFree { .. } => "use-after-free",
            Self::DoubleFree { .. } => "double-free",
            Self::InvalidFree { .. } => "invalid-free",
            Self::Leak { .. } => "leak",
            Self::Memory { .. } => "memory",
            Self::Stalled { .. } => "stalled",
            Self::Nondeterminism { .. } => "nondeterminism",
        }
    }

    /// The kind of concurrency error that this is, if it is known to be one.
    pub fn trouble(&self) -> Option<Trouble> {
        match self {
            Self::Deadlock { .. } | Self::DoubleLock { .. } => Some(Trouble::Deadlock),
            // Somebody was notified too early, or never.
            Self::Stuck { notifies, .. } if notifies.iter().any(|last| last.notify.is_some()) => {
                Some(Trouble::MissedSignal)
            }
            Self::Stuck { .. } | Self::LeakedThreads { .. } => Some(Trouble::BlockedThread),
            Self::Livelock { .. } => Some(Trouble::Livelock),
            Self::DataRace { .. } => Some(Trouble::DataRace),
            _ => None,
        }
    }

    /// The same as it is seen before anybody has asked who calls the two accesses of a race. What is seen with
    /// callers and what is seen without can be compared like this.
    pub fn without_callers(&self) -> Self {
        let mut kind = self.clone();
        if let Self::DataRace { first, second, .. } = &mut kind {
            first.frames.truncate(1);
            second.frames.truncate(1);
        }
        kind
    }

    /// Whether this is the same problem as the other, possibly met in another interleaving.
    pub fn same_problem(&self, other: &Self) -> bool {
        Problem::of(self) == Problem::of(other)
    }
}

/// One step of the failing execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Who.
    pub thread: ThreadPath,
    /// What.
    pub kind: OperationKind,
    /// To what.
    pub object: Option<ObjectName>,
    /// What else it concerns, as in [`Operation`](crate::Operation).
    #[serde(default)]
    pub second: Option<ObjectName>,
    /// Where.
    pub at: Source,
    /// With what result.
    pub effect: Effect,
    /// Which value of an atomic it has to do with.
    #[serde(default)]
    pub age: Age,
}

/// Whether the finding was seen again when its schedule was run a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Replayed {
    /// The same finding came again, and threads did the same on the way there.
    Yes,
    /// It did not: something outside of our control decides as well.
    No,
}

/// Something that went wrong, with all that is needed to see it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// The decisions that lead there, shrunk if there was time.
    pub schedule: Schedule,
    /// What happened on that way, in order.
    pub steps: Vec<Step>,
    /// How many steps there were before the first of these: the way was too long to tell all of it.
    #[serde(default)]
    pub before: u64,
    /// How many more steps there were that were not recorded: the execution was long.
    pub unrecorded: u64,
    /// The threads there were.
    pub threads: Vec<ThreadReport>,
    /// Every panic on the way, also those that were caught by `join`.
    pub panics: Vec<Panic>,
    /// What the test printed on the way.
    pub output: String,
    /// Which execution of the campaign met it, from 1.
    pub execution: u64,
    /// The strategy that met it.
    pub strategy: String,
    /// Whether it was seen again with this schedule.
    pub replayed: Replayed,
    /// The calls that led to all this, as far as they are known.
    #[serde(default)]
    pub stacks: CallStacks,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_have_a_kind_of_the_taxonomy_where_it_is_known() {
        let condvar = ObjectName { kind: ObjectKind::Condvar, number: 1, created: None };
        let thread = ThreadReport { path: ThreadPath::main(), name: None, spawned: None };
        let at = Source { file: "a.rs".to_owned(), line: 1, column: 1 };
        let notify = Some((thread, OperationKind::NotifyOne, at));
        let last = |notify| LastNotify { object: condvar.clone(), notify, woke: 0 };
        let stuck = |notifies| FindingKind::Stuck { waits: Vec::new(), notifies }.trouble();
        assert_eq!(stuck(vec![last(notify)]), Some(Trouble::MissedSignal));
        assert_eq!(stuck(vec![last(None)]), Some(Trouble::BlockedThread));
        assert_eq!(stuck(Vec::new()), Some(Trouble::BlockedThread));
        let deadlock = FindingKind::Deadlock { cycle: Vec::new() };
        assert_eq!(deadlock.trouble(), Some(Trouble::Deadlock));
    }
}
