//! What came of an exploration, as data.

use crate::{Conditions, Finding, Guidance, MetricReport, Remaining, Warning};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// What came of an exploration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How many executions were run, not counting those that confirm or shrink a finding.
    pub executions: u64,
    /// How many steps they had together.
    pub steps: u64,
    /// The most threads that any of them had.
    pub threads: usize,
    /// Why the exploration stopped.
    pub stopped: Stopped,
    /// What went wrong.
    pub finding: Option<Finding>,
    /// What looks wrong although no execution has failed for it.
    pub warnings: Vec<Warning>,
    /// What the first execution printed. That of the finding is with the finding.
    pub output: String,
    /// Under which conditions its executions ran.
    pub conditions: Conditions,
    /// What the coverage metrics have seen, if any were kept.
    pub coverage: Vec<MetricReport>,
    /// What the strategy has aimed at, if it aims at requirements.
    pub guidance: Option<Guidance>,
    /// What there is left to see, for each metric.
    pub remaining: Vec<Remaining>,
    /// What became of the trace, if one was asked for.
    pub trace: Option<Traced>,
    /// How long it took.
    pub elapsed: Duration,
}

/// What became of a trace that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Traced {
    /// It was written.
    Written {
        /// Where it is.
        file: PathBuf,
        /// How large it is.
        bytes: u64,
        /// How many executions are in it.
        executions: u64,
        /// How many did not fit.
        left_out: u64,
        /// How large it may be.
        limit: u64,
    },
    /// It was not, and why.
    Failed(String),
}

/// Why an exploration stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stopped {
    /// Something was found.
    Found,
    /// The budget of executions is used up.
    Executions,
    /// The budget of time is used up.
    Time,
    /// Every schedule in the strategy's reach has been run.
    Exhausted,
    /// As [`Exhausted`](Self::Exhausted), but not all that the test can do was in reach: threads that
    /// went round and round were set aside ([`Conditions::cut_spins`]), or executions were too long.
    Bounded,
    /// Nothing new was seen for long, and little is left to see.
    Saturated,
    /// The budget is used up, and every execution had more steps than are explored: what came after
    /// them ran in one way only.
    Long,
    /// The test made no choice at all: one execution shows all that it does.
    Sequential,
    /// The given schedule was run.
    Replayed,
    /// The given schedule was run as far as it fits; says what does not.
    Misfit(String),
}
