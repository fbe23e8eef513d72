//! What came of it all, in a few lines.

use super::tell::{Status, seconds};
use crate::run::{Outcome, Plan, of_plan};
use selvedge_model::{EXECUTIONS, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How many tests had which result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Explored in several interleavings without a finding: how many with which verdict.
    pub(crate) explored: BTreeMap<Verdict, usize>,
    /// Sequential, so run once, and passed.
    pub(crate) once: usize,
    /// Passed, with more steps in each execution than are explored.
    pub(crate) too_long: usize,
    /// Not explored to the end, since we would have needed too much memory.
    pub(crate) stopped: usize,
    /// Passed without control, since it is too long under it.
    pub(crate) plain: usize,
    /// Never run to the end.
    pub(crate) unfinished: usize,
    /// With a finding.
    pub(crate) found: usize,
    /// With a finding that somebody has accepted.
    pub(crate) accepted: usize,
    /// Could not be run, or took their process with them.
    pub(crate) failed: usize,
    /// What looks wrong without having failed, of all tests.
    pub(crate) warnings: usize,
    /// Executions of all tests.
    pub(crate) executions: u64,
}

impl Counts {
    /// Counts a test and says how it is told of.
    pub(crate) fn add(&mut self, outcome: &Outcome) -> Status {
        match outcome {
            Outcome::Explored(report) => {
                self.executions += report.executions;
                match report.verdict() {
                    Verdict::Found => {
                        self.found += 1;
                        Status::Found
                    }
                    Verdict::Once => {
                        self.once += 1;
                        Status::Once
                    }
                    Verdict::Long => {
                        self.too_long += 1;
                        Status::TooLong
                    }
                    Verdict::Plain if report.conditions.cut_off > 0 => {
                        *self.explored.entry(Verdict::UsedUp).or_default() += 1;
                        Status::Passed
                    }
                    Verdict::Plain => {
                        self.plain += 1;
                        Status::TooLong
                    }
                    Verdict::OwnMemory => {
                        self.stopped += 1;
                        Status::Stopped
                    }
                    Verdict::Unfinished => {
                        self.unfinished += 1;
                        Status::Stopped
                    }
                    verdict @ (Verdict::Exhausted
                    | Verdict::Bounded
                    | Verdict::Saturated
                    | Verdict::UsedUp
                    | Verdict::Replayed) => {
                        *self.explored.entry(verdict).or_default() += 1;
                        Status::Passed
                    }
                }
            }
            Outcome::Died(_) | Outcome::Failed(_) => {
                self.failed += 1;
                Status::Failed
            }
        }
    }

    /// The finding that was counted last is no reason to fail.
    pub(crate) fn accept(&mut self) {
        self.found -= 1;
        self.accepted += 1;
    }

    /// Whether everything is fine.
    pub(crate) fn is_clean(&self) -> bool {
        self.found == 0 && self.failed == 0
    }
}

/// How much is spent on each test, in words.
pub(crate) fn budget(plan: &Plan) -> String {
    let budgets = plan.binaries.iter().map(|planned| {
        let explore = &planned.settings.explore;
        let of = |key: &str| explore.iter().find(|(other, _)| other == key).map(|(_, value)| value);
        match (of("executions"), of("time")) {
            (Some(executions), Some(time)) => {
                format!("at most {executions} executions or {time} each")
            }
            (Some(executions), None) => format!("at most {executions} executions or 10s each"),
            (None, Some(time)) => format!("at most {time} each"),
            (None, None) => match of_plan(plan) {
                Some(time) => format!(
                    "at most {EXECUTIONS} executions or 10s each, about {} for all",
                    seconds(time)
                ),
                None => format!("at most {EXECUTIONS} executions or 10s each"),
            },
        }
    });
    let budgets: BTreeSet<_> = budgets.collect();
    match budgets.first() {
        Some(budget) if budgets.len() == 1 => budget.clone(),
        _ => "each within the budget of its package".to_owned(),
    }
}

/// Prints the summary.
pub(crate) fn summarise(counts: &Counts, plan: &Plan, elapsed: Duration) {
    let Counts { once, too_long, plain, stopped, unfinished, found, accepted, .. } = *counts;
    let Counts { failed, warnings, executions, .. } = *counts;
    let explored: usize = counts.explored.values().sum();
    let mut parts = Vec::new();
    let mut push = |count: usize, what: &str| {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    };
    push(found, if found == 1 { "finding" } else { "findings" });
    push(accepted, if accepted == 1 { "accepted finding" } else { "accepted findings" });
    push(failed, "failed");
    push(warnings, if warnings == 1 { "warning" } else { "warnings" });
    push(explored, "explored and passed");
    push(once, "sequential and passed");
    push(too_long, "passed but too long to explore in full");
    push(plain, "passed without control (too long to explore)");
    push(stopped, "stopped at Selvedge's own memory limit");
    push(unfinished, "not finished (no execution came to its end)");
    push(plan.ignored.len(), "ignored");
    push(plan.excluded.len(), "excluded");
    push(plan.filtered, "filtered out");
    if parts.is_empty() {
        parts.push("nothing was run to its end".to_owned());
    }
    let plural = if executions == 1 { "" } else { "s" };
    Status::Finished.say(&format!(
        "{}; {executions} execution{plural} in {}{}",
        parts.join(", "),
        seconds(elapsed),
        verdicts(&counts.explored)
    ));
    if explored + too_long + plain + stopped + unfinished + found + accepted + failed == 0
        && once > 0
    {
        super::note(
            "no concurrency was exercised: none of these tests ever had two threads under control \
             that could have gone on at the same time",
        );
    }
    for (binary, why) in &plan.outside {
        super::note(&format!("{binary} was not run: {why}"));
    }
}

/// How many of those that were explored were tried how much.
fn verdicts(explored: &BTreeMap<Verdict, usize>) -> String {
    if explored.is_empty() {
        return String::new();
    }
    let part = |(verdict, count): (&Verdict, &usize)| match verdict {
        Verdict::Exhausted => format!("{count} exhausted (all interleavings)"),
        Verdict::Bounded => format!("{count} exhausted within bounds"),
        Verdict::Saturated => format!("{count} saturated (nothing new for long)"),
        Verdict::Replayed => format!("{count} along the given schedule only"),
        Verdict::UsedUp
        | Verdict::Found
        | Verdict::Once
        | Verdict::Long
        | Verdict::Plain
        | Verdict::OwnMemory
        | Verdict::Unfinished => format!("{count} until the budget was used up"),
    };
    let parts: Vec<String> = explored.iter().map(part).collect();
    format!("; explored: {}", parts.join(", "))
}
