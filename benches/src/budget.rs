//! What a counter of instructions runs: one program under one strategy, so many times.
//!
//! The chore `budget` has it counted twice with different numbers of executions; what differs is the
//! cost of the steps that the longer run has more.

use crate::child::answer;
use crate::engines::selvedge;
use crate::program::find;

/// The name of the job.
pub(crate) const JOB: &str = "count";

/// Does a job in this process: answers with the number of steps that it took.
pub(crate) fn job(arguments: &[&str]) -> Option<()> {
    let &[strategy, name, executions] = arguments else { return None };
    let settings = selvedge::settings(strategy.parse().ok()?, 1, executions.parse().ok()?);
    let report = selvedge::pass(settings, find(selvedge::steady::ALL, name));
    answer(&[&report.steps.to_string()]);
    Some(())
}
