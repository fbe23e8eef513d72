//! A test on its way.

use super::candidates::Candidate;
use selvedge_migrate::rewrite::Migration;
use std::fmt;
use std::time::Duration;

/// A test, and what has become of it so far.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    /// The test.
    pub(crate) candidate: Candidate,
    /// Where it stands.
    pub(crate) status: Status,
    /// What is to become of it, as soon as that is known.
    pub(crate) migration: Option<Migration>,
    /// The migration of several tests into this one.
    pub(crate) united: Option<Migration>,
    /// How long it takes with its sleeps.
    pub(crate) original: Option<Duration>,
    /// How long it takes without them.
    pub(crate) migrated: Option<Duration>,
    /// What has been seen to hold.
    pub(crate) verified: Verified,
    /// The test into which it was merged, and the name of its schedule there.
    pub(crate) merged: Option<Merged>,
}

/// A test that is a schedule of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The name of the other test.
    pub(crate) into: String,
    /// The name of the schedule.
    pub(crate) case: String,
}

/// Where a test stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Nothing speaks against it.
    Open,
    /// Its sleeps are not about ordering.
    Left,
    /// It can not be migrated.
    Refused(Refusal),
}

/// What has been seen to hold of a migrated test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verified {
    /// So many runs with sleeps kept to the schedule.
    pub(crate) checked: usize,
    /// So many runs without them passed.
    pub(crate) passed: usize,
    /// So many executions under control passed.
    pub(crate) executions: u64,
}

/// Why a test is not migrated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It fails with its sleeps.
    FailsAlready(String),
    /// It does not come to its end with its sleeps.
    Endless(Duration),
    /// Its binary does not have it, or there is no binary.
    NotBuilt(String),
    /// Nothing sleeps while it runs.
    NeverSleeps,
    /// Its log can not be read.
    Log(String),
    /// It does too much.
    TooLong(usize),
    /// Orderings are between other occurrences in each run.
    Unsteady(String),
    /// There are too many orderings to read.
    TooMany(usize),
    /// A function that sleeps is used by other tests as well.
    Shared { function: String, others: Vec<String> },
    /// It does not compile.
    DoesNotCompile(String),
    /// With sleeps, the schedule did not hold.
    NotHeld(String),
    /// Without sleeps, it fails on real threads.
    FailsWithout { run: usize, printed: String },
    /// Without sleeps, it does not come to its end.
    HangsWithout(Duration),
    /// Without sleeps, it fails in some interleaving.
    FailsUnderControl(String),
    /// Without sleeps, there was time for so many executions under control only.
    Slow(u64),
    /// The file can not be written.
    File(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FailsAlready(printed) => write!(f, "it fails with its sleeps:\n{printed}"),
            Self::Endless(limit) => write!(
                f,
                "it does not come to its end within {} seconds with its sleeps; --time-limit gives it \
                 longer",
                limit.as_secs_f64()
            ),
            Self::NotBuilt(why) => write!(f, "it can not be run: {why}"),
            Self::NeverSleeps => write!(f, "nothing sleeps while it runs"),
            Self::Log(error) => write!(f, "its log can not be read: {error}"),
            Self::TooLong(most) => write!(
                f,
                "it carries out more than {most} statements and waits; such a test is not about the order \
                 of single events"
            ),
            Self::Unsteady(ordering) => write!(
                f,
                "which occurrences of its events come first differs from run to run: {ordering}"
            ),
            Self::TooMany(count) => write!(
                f,
                "its sleeps stand for {count} orderings, more than anybody would read; a loop is better \
                 ordered by hand"
            ),
            Self::Shared { function, others } => write!(
                f,
                "`{function}` sleeps and is used by {} as well; give this test a function of its own",
                others.join(", ")
            ),
            Self::DoesNotCompile(errors) => write!(f, "it does not compile any more:\n{errors}"),
            Self::NotHeld(printed) => {
                write!(f, "the schedule did not hold in a run with sleeps:\n{printed}")
            }
            Self::FailsWithout { run, printed } => {
                write!(f, "without sleeps it fails (run {run}):\n{printed}")
            }
            Self::HangsWithout(limit) => write!(
                f,
                "without sleeps it does not come to its end within {} seconds",
                limit.as_secs_f64()
            ),
            Self::FailsUnderControl(why) => {
                write!(f, "without sleeps it fails in some interleaving: {why}")
            }
            Self::Slow(executions) => write!(
                f,
                "without sleeps it passes, but there was time for {executions} executions only, which are \
                 too few to be sure"
            ),
            Self::File(why) => f.write_str(why),
        }
    }
}

impl Work {
    /// A test of which nothing is known.
    pub(crate) fn new(candidate: Candidate) -> Self {
        Self {
            candidate,
            status: Status::Open,
            migration: None,
            united: None,
            original: None,
            migrated: None,
            verified: Verified::default(),
            merged: None,
        }
    }

    /// Whether it may still become something.
    pub(crate) fn is_open(&self) -> bool {
        self.status == Status::Open
    }

    /// Gives it up.
    pub(crate) fn refuse(&mut self, why: Refusal) {
        self.status = Status::Refused(why);
    }

    /// Whether another test has taken its place.
    pub(crate) fn is_absorbed(&self) -> bool {
        self.merged.as_ref().is_some_and(|merged| merged.into != self.candidate.test.name)
    }

    /// The name under which its binary knows it, when it is migrated.
    pub(crate) fn migrated_name(&self) -> String {
        match &self.merged {
            Some(Merged { into, case }) => format!("{into}::{case}"),
            None => self.candidate.test.name.clone(),
        }
    }
}
