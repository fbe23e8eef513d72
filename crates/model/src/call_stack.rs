//! The calls that led to what happened in a finding.
//!
//! The engine notes where calls return to; who can read the debug information of the program adds what that
//! means. Only what the reader of a finding needs is kept: the lines of the workspace's own crates, and by which
//! function of a library they came to the operation.

use crate::{CodeAddress, Finding, Source, ThreadPath, Wait};
use serde::{Deserialize, Serialize};

/// The number of a stack among those of a finding, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackNumber(pub u32);

/// The calls that led to one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallStack {
    /// Where the calls return to, innermost first; none once they are explained.
    pub frames: Vec<CodeAddress>,
    /// The innermost line of the workspace's own crates, if there is any.
    pub at: Option<Source>,
    /// The function that was called there and led to the operation, if it is a library's:
    /// `parking_lot::Mutex::lock`.
    pub inside: Option<String>,
    /// The functions of the workspace's own crates, innermost first: `push at src/list.rs:12`.
    pub own: Vec<String>,
}

/// All that is known of calls in a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallStacks {
    /// Each stack once.
    pub known: Vec<CallStack>,
    /// That of each step.
    pub steps: Vec<Option<StackNumber>>,
    /// Where each thread stood at the end, by its position in the finding.
    pub threads: Vec<Option<StackNumber>>,
    /// That of each panic.
    pub panics: Vec<Option<StackNumber>>,
    /// Locks of libraries that somebody holds or waits for.
    pub locks: Vec<LibraryLock>,
    /// Tasks of executors that have been polled and are not known to have ended.
    pub tasks: Vec<AsyncTask>,
}

/// A future that an executor polls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsyncTask {
    /// The function that its code stands in.
    pub function: String,
    /// The thread that polled it last.
    pub thread: ThreadPath,
    /// The line of the workspace's own at which it was seen last: the await that it stands at.
    pub at: Source,
    /// What it did there, if that is a library's: `tokio::Mutex::lock`.
    pub inside: Option<String>,
}

/// A lock that a library has made of atomics.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryLock {
    /// What it is: `parking_lot Mutex`.
    pub kind: String,
    /// Its number among the locks of the finding that are of this kind, from 1.
    pub number: u32,
    /// The number of the atomic that it is made of.
    pub atomic: u32,
    /// Who holds it.
    pub holders: Vec<LibraryUse>,
    /// Who waits for it.
    pub waiters: Vec<LibraryUse>,
}

/// A thread that holds such a lock or waits for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryUse {
    /// The thread.
    pub thread: ThreadPath,
    /// The line of the workspace's own at which it took the lock, or wants to.
    pub at: Option<Source>,
    /// In which way, if there are several: `for reading`.
    pub way: Option<String>,
}

impl LibraryLock {
    /// `parking_lot Mutex 1`.
    pub fn name(&self) -> String {
        format!("{} {}", self.kind, self.number)
    }
}

impl CallStacks {
    fn get(&self, numbers: &[Option<StackNumber>], index: usize) -> Option<&CallStack> {
        let StackNumber(number) = (*numbers.get(index)?)?;
        self.known.get(number as usize)
    }

    /// The calls that led to a step.
    pub fn of_step(&self, index: usize) -> Option<&CallStack> {
        self.get(&self.steps, index)
    }

    /// The calls that led to a panic, by its position in the finding.
    pub fn of_panic(&self, index: usize) -> Option<&CallStack> {
        self.get(&self.panics, index)
    }

    /// The lock that a thread waits for, if it is a library's.
    pub fn awaited(&self, thread: &ThreadPath) -> Option<(&LibraryLock, &LibraryUse)> {
        self.locks.iter().find_map(|lock| {
            Some((lock, lock.waiters.iter().find(|waiter| waiter.thread == *thread)?))
        })
    }

    /// The locks of libraries that a thread holds.
    pub fn held<'a>(
        &'a self,
        thread: &'a ThreadPath,
    ) -> impl Iterator<Item = (&'a LibraryLock, &'a LibraryUse)> {
        self.locks.iter().flat_map(move |lock| {
            let own = lock.holders.iter().filter(move |holder| holder.thread == *thread);
            own.map(move |holder| (lock, holder))
        })
    }
}

impl Finding {
    /// The calls by which a thread came to where it stood at the end.
    pub fn stack_of(&self, thread: &ThreadPath) -> Option<&CallStack> {
        let index = self.threads.iter().position(|one| one.path == *thread)?;
        self.stacks.get(&self.stacks.threads, index)
    }

    /// The place at which a step is shown: its own, or the line of the workspace that called the library in which
    /// it stands.
    pub fn shown_at(&self, index: usize) -> &Source {
        let at = &self.steps[index].at;
        self.stacks.of_step(index).map_or(at, |stack| stack.shown(at))
    }

    /// The place at which a thread is shown that waits.
    pub fn waits_at<'a>(&'a self, wait: &'a Wait) -> &'a Source {
        self.stack_of(&wait.thread.path).map_or(&wait.at, |stack| stack.shown(&wait.at))
    }
}

impl CallStack {
    /// The place at which something is shown that happened at `at`.
    pub fn shown<'a>(&'a self, at: &'a Source) -> &'a Source {
        match &self.at {
            Some(own) if !at.is_own() => own,
            _ => at,
        }
    }
}
