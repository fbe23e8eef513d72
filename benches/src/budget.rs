//! What a counter of instructions runs: one program under one strategy, or under random choices with
//! metrics, so many times.
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
    let &[contender, name, executions] = arguments else { return None };
    let (program, executions) = (find(selvedge::steady::ALL, name), executions.parse().ok()?);
    let ran = match contender {
        "metrics" => selvedge::random_with_metrics(program, executions),
        strategy => selvedge::with_strategy(strategy.parse().ok()?, program, executions),
    };
    answer(&[&ran.steps?.to_string()]);
    Some(())
}
