//! Which events and orderings a test that sleeps is about.
//!
//! Source: Figures 4 and 6 of V. Jagannath, M. Gligoric, D. Jin, Q. Luo, G. Roşu, D. Marinov: Improved
//! Multithreaded Unit Testing, ESEC/FSE 2011. A thread sleeps in order to wait until other threads have
//! come somewhere. So for each sleep that has ended (*region*) the *relevant* statement of each other
//! thread is looked for: the one in which it sleeps, waits, or with which it has ended. An event
//! "finished" there must come before an event "starting" behind the sleep. Orderings that were inferred
//! from several runs are made fewer: cycles go, what others imply goes, and what was seen too seldom.
//!
//! Deviations:
//! 1. Figure 4 makes events and Figure 6, from a second set of logs, orderings between them. Here an
//!    ordering is made where its two events are: the region knows both. The second set of logs is what
//!    verifies the result.
//! 2. The relevant statement is what a thread was in when the sleep ended (`relevant`), whether or not it
//!    came there during the sleep. What is thereby inferred twice is implied by the first time, and the
//!    reduction removes it. Figure 4 misses what happened shortly before the sleep began. A thread that has
//!    done nothing yet but to start threads is not waited for.
//! 3. Blocking is exact: a thread counts as blocked if it was in one and the same wait from shortly before
//!    the end of the sleep to its end, whatever library it waits in. Figure 6 asks whether a wait follows.
//! 4. A thread that waits for others to end (`join`, the end of a scope) is not blocked in a way that a
//!    schedule has to ask for. What it did before it began to wait is ordered, if it did anything; if that
//!    was a closure that owns things, its thread has to have come to the wait, when these are dropped.
//! 5. The end of a thread is an event of its own (`end@thread`): what a closure owns is dropped after its
//!    last statement, and tests do wait for that. Code that was run by a thread of a pool has a
//!    "finished" event at its end.
//! 6. Threads that share no variable of the test are independent of each other; between them there is no
//!    ordering (`crate::independent`).
//! 7. A sleep before the start of a thread is not moved into that thread (Figure 6, lines 20–29). Its
//!    event stands where the sleep stood, so that what comes after the start waits as well, as it did.
//! 8. Events may occur repeatedly. They are counted, and orderings are between occurrences; if these
//!    differ from run to run, that is said instead of guessed (`Inferred::unsteady`).
//! 9. Low confidence goes first, so that an ordering that was seen rarely implies nothing. What threads do
//!    one after the other includes starts and joins of threads.
//! 10. A sleep from which no ordering was inferred stays: nothing would take its place. What threads do one
//!     after the other anyway, because one starts or joins the other, is no such ordering.
//! 11. Sleeps that ask again and again whether something has happened, and sleeps of tests without other
//!     threads, are left alone ([`Left`]).
//!
//! What it may miss: an ordering with a thread that computes while the other one sleeps; and what tests
//! wait for that is neither a thread's sleep, nor its wait, nor its end. What it may falsely infer: an
//! ordering with a thread that shares a variable and does not matter. Both are why results are verified.

mod graph;
mod occurrences;
mod orderings;

use crate::gap::{Gap, Removed};
use crate::log::Log;
use crate::source::{BodyId, StatementId};
use std::collections::BTreeMap;

pub use orderings::infer;

/// Something that a schedule can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// What stands before this gap is done.
    Finished(Gap),
    /// What stands behind it is about to begin.
    Starting(Gap),
    /// A thread with this code has ended.
    Ended(BodyId),
}

/// One occurrence of an event, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// The event.
    pub event: Event,
    /// Which one.
    pub occurrence: u32,
}

/// Whether the thread of the earlier event has to be blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Blocking {
    /// It has.
    Yes,
    /// It may do what it likes.
    No,
}

/// One event comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ordering {
    /// The earlier one.
    pub before: Node,
    /// What its thread does then.
    pub blocking: Blocking,
    /// The later one.
    pub after: Node,
}

/// Why a sleep stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// It is in a loop that asks again and again whether something has happened.
    Polling,
    /// It is in a loop without an end.
    Endless,
    /// The test is over before it is.
    Outlived,
    /// There is no other thread that it could wait for.
    Alone,
    /// No other thread was seen to come to something that it could have waited for: there is no ordering
    /// that could take its place.
    Unordered,
    /// It stands inside a macro, which is not looked into.
    InMacro(String),
    /// It is no statement of the test: a library sleeps, or a larger expression does.
    Elsewhere,
}

/// What was inferred.
#[derive(Clone, Debug, Default)]
pub struct Inferred {
    /// The orderings, sorted by their later events.
    pub orderings: Vec<Ordering>,
    /// Sleeps that are to be taken away.
    pub removed: Removed,
    /// Sleeps that stay, and why. The statement is the innermost around the sleep.
    pub left: Vec<(Option<StatementId>, Left)>,
    /// Orderings whose occurrences differ from run to run.
    pub unsteady: Vec<Ordering>,
    /// How many runs showed each ordering that was inferred, of all.
    pub seen: BTreeMap<Ordering, usize>,
    /// What the reduction has removed.
    pub dropped: Dropped,
    /// The names that threads with this code have, if these are always the same.
    pub names: BTreeMap<BodyId, String>,
}

/// How many orderings were removed, and by what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Were seen too seldom.
    pub rare: usize,
    /// Were parts of a cycle.
    pub cyclic: usize,
    /// Are implied by others.
    pub implied: usize,
}

/// What inference works on.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    /// The logs of runs that passed.
    pub logs: &'a [Log],
    /// The test's own function.
    pub test: BodyId,
    /// In how many of the runs an ordering has to be seen, from 0 to 1.
    pub confidence: f64,
}
