//! The seam between the engine and whoever decides.

use crate::{
    Access, CorpusEntry, Event, Guidance, LeftOut, ObjectInfo, Operation, Rate, Requirement, Site,
    ThreadId, ThreadPath, ThreadSet,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What the engine shows of one thread.
#[derive(Clone, Copy, Debug)]
pub struct ThreadInfo {
    /// What the thread does as soon as it is chosen (or has done last, if it has ended).
    pub pending: Operation,
    /// The thread that spawned it; the test's own thread is its own parent.
    pub parent: ThreadId,
    /// Which child of its parent it is, from 1; 0 for the test's own thread.
    pub ordinal: u32,
    /// A number made of the thread's path, the same in every execution.
    pub key: u64,
    /// Where it was spawned; nowhere for the test's own thread.
    pub spawned: Option<Site>,
}

/// What a strategy sees when it is asked: the pending operation of every thread.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The threads whose pending operation can be carried out now; never empty when a thread is
    /// to be chosen.
    pub enabled: &'a ThreadSet,
    /// Every thread of the execution so far, indexed by [`ThreadId`].
    pub threads: &'a [ThreadInfo],
    /// The thread that ran last.
    pub current: ThreadId,
    /// How many operations have been carried out.
    pub step: u64,
}

impl View<'_> {
    /// What happens when nobody decides otherwise: the running thread goes on, and if it can
    /// not, the enabled thread with the lowest number does.
    ///
    /// A schedule lists only the decisions that differ from this, which is what makes it short.
    #[inline]
    pub fn undisturbed(&self) -> ThreadId {
        if self.enabled.contains(self.current) {
            self.current
        } else {
            self.enabled.first().expect("the engine asks only if somebody can run")
        }
    }

    /// Whether the running thread could go on: choosing another one is a preemption.
    #[inline]
    pub fn could_continue(&self) -> bool {
        self.enabled.contains(self.current)
    }

    /// The pending operation of a thread.
    #[inline]
    pub fn pending(&self, thread: ThreadId) -> &Operation {
        &self.threads[thread.index()].pending
    }

    /// The identity of a thread across executions.
    pub fn path(&self, thread: ThreadId) -> ThreadPath {
        path(self.threads, thread)
    }

    /// The thread with the given path, if it has been spawned already.
    pub fn find(&self, path: &ThreadPath) -> Option<ThreadId> {
        (0..self.threads.len() as u32).map(ThreadId).find(|&thread| self.path(thread) == *path)
    }
}

/// The path of a thread, out of the table of all threads.
pub(crate) fn path(threads: &[ThreadInfo], thread: ThreadId) -> ThreadPath {
    let info = &threads[thread.index()];
    match info.ordinal {
        0 => ThreadPath::main(),
        ordinal => path(threads, info.parent).child(ordinal),
    }
}

/// A value of an atomic, by the step that wrote it: the number of events before that. Nothing for the value that was
/// there before any operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written(pub Option<u64>);

/// What there are several of, one of which has to be picked. The first is that of the undisturbed course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick<'a> {
    /// The waiters, in the order in which they came: one of them is woken by the `notify_one` that the
    /// running thread carries out.
    Waiter,
    /// The streams of random bytes: all that the execution gets to see of the system's randomness comes from one
    /// of them. Asked when the test's own thread is about to begin, if a test has drawn any.
    RandomBytes,
    /// The values of an atomic that the running thread's operation may see, the newest first.
    Value(&'a [Written]),
    /// The places that what the running thread stores may have among the values of the atomic: above all, or right
    /// below one of these, the newest first. There is one place more than there are values here.
    Place(&'a [Written]),
    /// The delays, in milliseconds from 0: so much later than it was due does the current thread get to run. A
    /// delay happens at this rate.
    Delay(Rate),
}

/// Things that a correct program must survive although they seldom happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Fault {
    /// A timed wait reaches its deadline while others could still run.
    Timeout,
    /// A wait of a condition variable or `park` ends for no reason.
    Spurious,
    /// A `compare_exchange_weak` fails although the value is as expected.
    WeakFailure,
    /// A future that is pending is polled again although nobody woke it.
    PolledAgain,
    /// A future is polled with another waker first.
    OtherWaker,
    /// A future is dropped before it is ready.
    EarlyDrop,
    /// A thread that goes round and round goes on doing so while others can run, which are held up.
    SpinOn,
}

impl Fault {
    /// How many kinds of fault there are.
    pub const KINDS: usize = Self::SpinOn as usize + 1;
}

/// Whether there is anything left for a strategy to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Another execution may show something new.
    Continue,
    /// Every schedule in the strategy's reach has been run.
    Exhausted,
}

/// What is left of an execution for those who learn from it.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Everything that happened, in order.
    pub events: &'a [Event],
    /// Accesses to data behind locks, in order, each with the number of events before it; only if
    /// they were asked for.
    pub accesses: &'a [(usize, Access)],
    /// The threads there were, indexed by [`ThreadId`].
    pub threads: &'a [ThreadInfo],
    /// The objects there were, indexed by [`ObjectId`](crate::ObjectId).
    pub objects: &'a [ObjectInfo],
}

impl Record<'_> {
    /// The identity of a thread across executions.
    pub fn path(&self, thread: ThreadId) -> ThreadPath {
        path(self.threads, thread)
    }
}

/// Decides whatever could go one way or another.
///
/// A strategy must be a function of what it was given (its seed, earlier executions, the view):
/// no clock, no addresses, no randomly seeded hashing. It is asked only where there is a choice.
pub trait Strategy {
    /// A short name for reports, parameters included.
    fn name(&self) -> String;

    /// A new execution is about to begin.
    fn begin(&mut self) -> Progress;

    /// Which thread carries out its pending operation next; must be one of `view.enabled`.
    fn next_thread(&mut self, view: &View<'_>) -> ThreadId;

    /// Which one it is, of so many, counted from 0.
    fn pick(&mut self, view: &View<'_>, pick: Pick<'_>, of: usize) -> usize;

    /// Whether the fault happens to the operation of the running thread. Never called with
    /// [`Rate::Off`].
    fn fault(&mut self, view: &View<'_>, fault: Fault, rate: Rate) -> bool;

    /// How many times the running thread goes on after a write to an atomic before the strategy is asked
    /// there. What other threads could do in between they can do as well before its next operation, but
    /// for plain accesses, so that most of the time it is left to the latter.
    fn continuations(&mut self) -> u32 {
        0
    }

    /// Whether [`event`](Self::event) is to be called.
    fn wants_events(&self) -> bool {
        false
    }

    /// Whether threads stop before their first operation, too. Nobody could tell the difference;
    /// but who holds threads back by what they are about to do has to see it. Asked once, after
    /// [`begin`](Self::begin).
    fn wants_first_stops(&self) -> bool {
        false
    }

    /// An operation was carried out.
    fn event(&mut self, _event: &Event) {}

    /// The execution has ended.
    fn end(&mut self, _record: &Record<'_>) {}

    /// Coverage knows that these requirements of a metric are covered, by whomever: executions of this
    /// process, of others, or of an earlier campaign. They need not be aimed at any more.
    fn learn(&mut self, _metric: &str, _covered: &[Requirement]) {}

    /// Executions that others may want to go on from and that were not told of yet. Nothing if the strategy does
    /// not go on from any.
    fn untold(&mut self) -> Vec<CorpusEntry> {
        Vec::new()
    }

    /// Others have run these executions: other processes, or an earlier campaign.
    fn take_up(&mut self, _corpus: &[CorpusEntry]) {}

    /// What the strategy aims at, if it aims at requirements of a metric.
    fn guidance(&self) -> Option<Guidance> {
        None
    }

    /// What was possible in the executions so far and is never tried, because of bounds that a search
    /// of all schedules has.
    fn left_out(&self) -> BTreeSet<LeftOut> {
        BTreeSet::new()
    }

    /// What has changed since [`begin`](Self::begin), as bytes for [`import`](Self::import). What
    /// [`end`](Self::end) learns from the record need not be among it.
    fn export(&self) -> Vec<u8>;

    /// Takes over what another process has exported. An execution may run in a child of this
    /// process, which has a copy of the strategy as it was after [`begin`](Self::begin); the same
    /// is decided in later executions as if this one had been asked.
    fn import(&mut self, exported: &[u8]);
}
