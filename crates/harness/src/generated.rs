//! Generated tests as data, and what is said about them between the command and the process that
//! interprets them.
//!
//! A *harness* is a program that was written for one type: it has a table of constructors and a table of
//! calls. A test names rows of these tables.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A row of the table of calls, or of the table of constructors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CallId(pub u16);

impl CallId {
    /// As a position in the table.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the values of an argument are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is looked up: few values, so that threads meet.
    Key,
    /// It is kept: each value is used once, so that it is known where it went.
    Value,
    /// A small number.
    Number,
    /// How much something holds: small, so that it gets full, or large, if it may throw things away.
    Capacity,
}

/// What the results of a call are worth while others run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// They are those of one moment.
    Exact,
    /// They may be those of no moment: sizes, iterators.
    Weak,
    /// They tell of how the object is made, not of what is in it.
    Layout,
}

/// A call with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Called {
    /// What is called.
    pub call: CallId,
    /// What the arguments are made of, one number for each.
    pub arguments: Vec<u64>,
}

/// Who may call what in the threads of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Access {
    /// All threads share the object: calls that borrow it.
    Shared,
    /// Each thread has a part of the object to itself: any call of that part.
    Owned,
}

/// A test: calls before the threads, those of each thread, and calls after the threads have ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GeneratedTest {
    /// How the object is made.
    pub constructor: Called,
    /// Who may call what.
    pub access: Access,
    /// Brings the object into some state.
    pub prefix: Vec<Called>,
    /// What each thread calls.
    pub threads: Vec<Vec<Called>>,
    /// Looks at the object afterwards.
    pub end: Vec<Called>,
}

/// Where in a test a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stand {
    /// Before the threads.
    Prefix,
    /// In this thread.
    Thread(usize),
    /// After the threads.
    End,
}

impl GeneratedTest {
    /// All calls in the order of their slots: the prefix, the threads one after the other, the end.
    pub fn calls(&self) -> impl Iterator<Item = (Stand, &Called)> {
        let prefix = self.prefix.iter().map(|call| (Stand::Prefix, call));
        let threads = self.threads.iter().enumerate();
        let threads =
            threads.flat_map(|(t, calls)| calls.iter().map(move |call| (Stand::Thread(t), call)));
        let end = self.end.iter().map(|call| (Stand::End, call));
        prefix.chain(threads).chain(end)
    }

    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.prefix.len() + self.threads.iter().map(Vec::len).sum::<usize>() + self.end.len()
    }

    /// Whether there are no calls.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slot of the first call of a thread; that of the first call of the end, for the number of threads.
    pub fn base(&self, thread: usize) -> usize {
        self.prefix.len() + self.threads[..thread].iter().map(Vec::len).sum::<usize>()
    }
}

/// How tests are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Steering {
    /// Suffixes that cover as many new pairs as possible.
    Covering,
    /// The pair with the lowest score, as CovCon defines it.
    CovCon,
    /// The pair that was tried least often.
    Naive,
    /// Any pair.
    Random,
}

/// Whether outcomes are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Judging {
    /// They are.
    On,
    /// Tests are run for their coverage only.
    Off,
}

/// What a harness is asked to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenerateOrder {
    /// Where all randomness comes from.
    pub seed: u64,
    /// For so long at most.
    pub time: Duration,
    /// At most so many tests.
    pub tests: u64,
    /// So many schedules of each.
    pub schedules: u32,
    /// How they are chosen.
    pub steering: Steering,
    /// Whether they are judged.
    pub judging: Judging,
    /// So many calls in each thread, if that is not left to the steering.
    pub length: Option<usize>,
    /// It ends when it has so many findings.
    pub findings: usize,
    /// Calls that are not to be tried.
    pub without: Vec<CallId>,
}

/// How an execution of a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EndedAs {
    /// All calls of all threads came back.
    Passed,
    /// Somebody waits for ever.
    Blocked,
    /// It took more steps than it may.
    TooLong,
    /// The process would have died.
    Crashed,
    /// A panic that no call can be blamed for: of a destructor, at the end.
    Panicked,
    /// Memory was used that is not the object's, or not any more.
    Memory,
    /// Something that is not the fault of the type under test.
    Other,
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Seen {
    /// How it ended.
    pub ended: EndedAs,
    /// What each call returned; nothing for one that did not come back.
    pub results: Vec<Option<String>>,
    /// The values that were left when everything was dropped.
    pub leaked: u32,
    /// Values that were dropped twice.
    pub dropped_twice: u32,
    /// Values that were used after they were dropped.
    pub used_after_drop: u32,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Wrong {
    /// The process would have died.
    Crash,
    /// Misuse of memory.
    Memory,
    /// A value was dropped twice.
    DroppedTwice,
    /// A value was used after it was dropped.
    UsedAfterDrop,
    /// A call panicked.
    Panic,
    /// Somebody waits for ever.
    Blocked,
    /// A value was never dropped.
    Leak,
    /// The results are those of no order of the calls.
    Results,
}

/// How sure one can be that the type is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// No order of the calls explains it.
    Finding,
    /// No order of the calls explains it, but a call that took part promises less than that.
    Note,
}

/// When calls ran: the counts of a clock that ticks at each beginning and end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// When it began; 0 if it did not.
    pub begin: u32,
    /// When it came back; 0 if it did not.
    pub end: u32,
}

impl Span {
    /// Whether two calls ran at the same time.
    pub const fn overlaps(self, other: Self) -> bool {
        const fn end(span: Span) -> u32 {
            if span.end == 0 { u32::MAX } else { span.end }
        }
        self.begin != 0 && other.begin != 0 && self.begin < end(other) && other.begin < end(self)
    }
}

/// A test that shows that the type is not thread-safe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// How sure one can be.
    pub level: Level,
    /// What is wrong.
    pub wrong: Wrong,
    /// The test, made small.
    pub test: GeneratedTest,
    /// What came of it.
    pub seen: Seen,
    /// When its calls ran.
    pub spans: Vec<Span>,
    /// What could have come of it: all orders of the calls.
    pub possible: Vec<Seen>,
    /// How many orders that are.
    pub orders: u64,
    /// The decisions of the execution that showed it, as text.
    pub schedule: String,
    /// The number of the test that first showed it.
    pub tests: u64,
    /// When that was.
    pub after: Duration,
}

/// Why a call is not made, or not in prefixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Alone {
    /// It waits for ever on a new object.
    Blocks,
    /// It panics on a new object.
    Panics,
    /// It brings the process down on a new object.
    Crashes,
    /// It takes more steps than an execution may have.
    TooLong,
}

/// What has happened to a pair of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairSeen {
    /// The pair, in order.
    pub pair: (CallId, CallId),
    /// How often a test was made for it.
    pub tried: u32,
    /// How often the two were seen at the same time.
    pub covered: u32,
}

/// What could not be judged, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unjudged {
    /// There were more orders of the calls than may be tried.
    pub orders: u64,
    /// The execution took too many steps.
    pub too_long: u64,
    /// The constructor or a call of the prefix failed.
    pub void: u64,
}

impl Unjudged {
    /// All of them.
    pub const fn total(self) -> u64 {
        self.orders + self.too_long + self.void
    }
}

/// How far a harness has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Tests that were run.
    pub tests: u64,
    /// Executions of them.
    pub executions: u64,
    /// Executions of orders of their calls, one call after the other.
    pub orders: u64,
    /// Pairs that were covered.
    pub covered: u64,
    /// Pairs that there are.
    pub pairs: u64,
    /// What could not be judged.
    pub unjudged: Unjudged,
    /// Failures that some order of the calls shows as well.
    pub sequential: u64,
    /// How long it took.
    pub time: Duration,
    /// How long the executions of tests took.
    pub executing: Duration,
    /// How long it took to look for an order that explains an outcome.
    pub judging: Duration,
}

/// What came of a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenerateSummary {
    /// How much was done.
    pub counts: Counts,
    /// What was seen of each pair.
    pub pairs: Vec<PairSeen>,
    /// Calls that can not be made on a new object alone.
    pub alone: Vec<(CallId, Alone)>,
    /// After how many tests how many pairs were covered, whenever that changed.
    pub curve: Vec<(u64, u64)>,
}

/// What a harness says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Told {
    /// It is about to make this call on a new object.
    Trying(CallId),
    /// It is about to run this test.
    Testing(GeneratedTest),
    /// It is at work.
    Alive(Counts),
    /// It has found something.
    Found(Box<Violation>),
    /// It is done.
    Done(Box<GenerateSummary>),
}

/// The environment variable that tells a harness where the command listens.
pub const GENERATE: &str = "_SELVEDGE_GENERATE";
