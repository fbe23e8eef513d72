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
    /// How many orders of operations were seen, and how many are left, if that was counted: it is
    /// what saturation is judged by.
    pub orders: Option<Remaining>,
    /// What there is left to see, for each metric.
    pub remaining: Vec<Remaining>,
    /// What became of the trace, if one was asked for.
    pub trace: Option<Traced>,
    /// How long it took.
    pub elapsed: Duration,
}

impl Report {
    /// What the exploration has come to.
    pub fn verdict(&self) -> Verdict {
        if self.finding.is_some() {
            return Verdict::Found;
        }
        self.stopped.verdict(&self.conditions)
    }
}

/// What an exploration has come to: how much a test that has passed was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Something was found.
    Found,
    /// All interleavings were run.
    Exhausted,
    /// A search of all interleavings has come to its end, and has left some out:
    /// [`Conditions::left_out`], or what threads did that are not under control.
    Bounded,
    /// Nothing new was seen for so long that it was stopped, by an estimate.
    Saturated,
    /// The budget is used up; there may be more to see.
    UsedUp,
    /// The same, and no execution was explored to its end.
    Long,
    /// Selvedge itself needed more memory for it than it may have; there may be more to see.
    OwnMemory,
    /// No execution came to its end under control. The test ran once without, and passed.
    Plain,
    /// No execution came to its end, so nobody knows whether the test passes.
    Unfinished,
    /// There was nothing to choose: it ran once.
    Once,
    /// A given schedule was run.
    Replayed,
}

impl Verdict {
    /// As reports for programs write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Exhausted => "exhausted",
            Self::Bounded => "exhausted-within-bounds",
            Self::Saturated => "saturated",
            Self::UsedUp => "budget-used-up",
            Self::Long => "too-long",
            Self::OwnMemory => "own-memory",
            Self::Plain => "plain",
            Self::Unfinished => "unfinished",
            Self::Once => "once",
            Self::Replayed => "replayed",
        }
    }
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
    /// Every schedule in the strategy's reach has been run; [`Conditions::left_out`] says what was
    /// out of reach.
    Exhausted,
    /// Nothing new was seen for long.
    Saturated,
    /// The budget is used up, and every execution had more steps than are explored: what came after
    /// them ran in one way only.
    Long,
    /// Selvedge itself needs more memory for the test than `own_memory` allows.
    OwnMemory,
    /// The budget of time is used up, and the first execution had not come to its end.
    Unfinished,
    /// The same, and the test has passed when it was run once without control.
    Plain,
    /// The test made no choice at all: one execution shows all that it does.
    Sequential,
    /// The given schedule was run.
    Replayed,
    /// The given schedule was run as far as it fits; says what does not.
    Misfit(String),
}

impl Stopped {
    /// What an exploration that has stopped like this, without a finding, has come to.
    pub fn verdict(&self, conditions: &Conditions) -> Verdict {
        match self {
            Self::Found => Verdict::Found,
            Self::Executions | Self::Time => Verdict::UsedUp,
            Self::Exhausted if conditions.are_complete() => Verdict::Exhausted,
            Self::Exhausted => Verdict::Bounded,
            Self::Saturated => Verdict::Saturated,
            Self::Long => Verdict::Long,
            Self::OwnMemory => Verdict::OwnMemory,
            Self::Unfinished => Verdict::Unfinished,
            Self::Plain => Verdict::Plain,
            Self::Sequential => Verdict::Once,
            Self::Replayed | Self::Misfit(_) => Verdict::Replayed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LeftOut;

    #[test]
    fn all_interleavings_were_run_only_if_none_was_left_out() {
        let mut conditions = Conditions::default();
        assert_eq!(Stopped::Exhausted.verdict(&conditions), Verdict::Exhausted);
        conditions.left_out.insert(LeftOut::Preemptions(2));
        assert_eq!(Stopped::Exhausted.verdict(&conditions), Verdict::Bounded);
    }
}
