//! A finding is told only if it is the test's own, and not that of what earlier executions have left
//! behind, or of what another test did at the same time: its schedule is run again as the first execution of a
//! new process, while nobody else runs.
//!
//! If nothing goes wrong there, the test is explored once more, with a process for each execution. What that
//! comes to is what is told. If it finds nothing, neither do we: that there was something is said beside the test.
//!
//! A test with one thread, in which nothing was decided, has one course, with control and without. If it
//! passes without, what it failed for is not its own: it looks at what we change in its process, such as how
//! much memory that has.
//!
//! A test whose first execution does not end under control is run once without control: its verdict is then that of
//! `cargo test`, and the output says that it was not explored.

use super::{Brief, FORK, Job, Runner, asked, checked};
use crate::run::Outcome;
use crate::run::plainly::{self, Ended, Freed};
use crate::run::worker::{go_on, group};
use crate::settings::REPLAY;
use selvedge_model::{
    Config, FailedExecution, Finding, FindingKind, Forked, Learned, Replayed, Report, Stopped,
};
use std::sync::PoisonError;
use std::time::Duration;

/// So long a test may stand still without control.
const PATIENCE: Duration = Duration::from_secs(10);
/// This part of its budget a test may stand still that has not come to its end under control, if that is longer.
const PART: u32 = 3;

/// So often a test passes without control before its failure under control counts as ours: what it draws at
/// random may let it pass once.
const PLAIN_RUNS: usize = 5;

impl Runner<'_> {
    /// The outcome of an exploration, with a finding only if that comes again in a new process.
    pub(super) fn confirmed_afresh(
        &self,
        job: usize,
        (binary, test): (usize, usize),
        outcome: Outcome,
        brief: &Brief,
    ) -> Outcome {
        let Outcome::Explored(mut report) = outcome else { return outcome };
        let is_replay = brief.settings.iter().any(|(key, _)| key == REPLAY);
        if is_replay || self.stopped() {
            return Outcome::Explored(report);
        }
        let left_behind = report.conditions.left_behind.is_some();
        if report.stopped == Stopped::Unfinished {
            return self.at_least_plainly(job, report, brief);
        }
        if report.finding.is_none() && !left_behind {
            return Outcome::Explored(report);
        }
        let _alone = self.world.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(finding) = &report.finding
            && finding.replayed == Replayed::Yes
            && self.comes_again(binary, test, finding, brief)
        {
            return self.unless_it_passes_plainly(job, report);
        }
        match self.explore_apart(job, (binary, test), brief) {
            // What the first execution finds now it did not find at first: it lies outside of all processes.
            Some(apart) if left_behind && fails_at_once(&apart) => Outcome::Explored(report),
            Some(apart) => self.unless_it_passes_plainly(job, instead(apart, &report)),
            None => {
                if let Some(finding) = &mut report.finding {
                    finding.replayed = Replayed::No;
                }
                Outcome::Explored(report)
            }
        }
    }

    /// Whether the schedule of a finding shows a problem of its kind in a new process.
    fn comes_again(&self, binary: usize, test: usize, finding: &Finding, brief: &Brief) -> bool {
        let Ok(mut worker) = self.start(binary) else { return true };
        let mut settings = brief.settings.clone();
        settings.push((REPLAY.to_owned(), finding.schedule.to_string()));
        let again = Brief { settings, known: Learned::default(), first: Vec::new() };
        let outcome = self
            .running
            .during(worker.lifeline(), || worker.run(asked(test, &again), &mut |_| go_on()));
        match outcome {
            Outcome::Explored(report) => {
                report.finding.is_some_and(|again| again.kind.name() == finding.kind.name())
            }
            // A process that is taken along shows a problem as well.
            Outcome::Died(_) | Outcome::Failed(_) => true,
        }
    }

    /// The outcome, with a finding only if control should make a difference, or makes none.
    fn unless_it_passes_plainly(&self, job: usize, report: Box<Report>) -> Outcome {
        let is_ours =
            report.finding.as_ref().is_some_and(|finding| has_one_course(&report, finding))
                && (0..PLAIN_RUNS)
                    .all(|_| self.run_plainly(job, Freed::Overwritten, PATIENCE) == Ended::Passed);
        Outcome::Explored(if is_ours { without_finding(report) } else { report })
    }

    /// The outcome of a test whose first execution did not end under control: that of one run without control.
    fn at_least_plainly(&self, job: usize, mut report: Box<Report>, brief: &Brief) -> Outcome {
        let budget = checked(Config::default(), &brief.settings).time;
        // A share of the time of a large suite may be too short for a test that only computes.
        match self.run_plainly(job, Freed::AsUsual, PATIENCE.max(budget / PART)) {
            Ended::Passed => report.stopped = Stopped::Plain,
            Ended::Failed => {
                let name = &self.work.plan.jobs[job].info.name;
                return Outcome::Failed(format!(
                    "the first execution did not end under control, and a run without control failed: \
                     `cargo test {name}` shows how"
                ));
            }
            Ended::Never => {}
        }
        Outcome::Explored(report)
    }

    /// Runs the test without control, in a process of its own.
    fn run_plainly(&self, job: usize, freed: Freed, patience: Duration) -> Ended {
        let Job { binary, info, .. } = &self.work.plan.jobs[job];
        let binary = &self.work.plan.binaries[*binary].binary;
        let Ok(mut child) = plainly::command(binary, &info.name, freed).spawn() else {
            return Ended::Never;
        };
        self.running.during(group(&child), || plainly::ended(&mut child, patience))
    }

    /// Explores with a process for each execution, all of which come from a new one.
    fn explore_apart(
        &self,
        job: usize,
        (binary, test): (usize, usize),
        brief: &Brief,
    ) -> Option<Box<Report>> {
        let mut worker = self.start(binary).ok()?;
        let mut brief = brief.clone();
        brief.settings.push(FORK.map(str::to_owned).into());
        let outcome = self.explore_alone(job, test, &mut worker, &brief, &mut |_| {});
        match outcome {
            Outcome::Explored(report) => Some(report),
            Outcome::Died(_) | Outcome::Failed(_) => None,
        }
    }
}

/// Whether the same would happen without control, and be seen. What is looked for in memory would not be, a
/// test that leaves its process may look as if it had passed, and what never ends is not waited for.
fn has_one_course(report: &Report, finding: &Finding) -> bool {
    let is_seen = matches!(
        finding.kind,
        FindingKind::Panic(_)
            | FindingKind::Stuck { .. }
            | FindingKind::Crash { .. }
            | FindingKind::StackOverflow { .. }
            | FindingKind::Stalled { .. }
    );
    let is_alone = report.threads == 1 && report.conditions.outside_threads.is_empty();
    is_seen && is_alone && finding.schedule.decisions.is_empty()
}

/// What is told of the exploration in processes of its own, in the place of the first one.
fn instead(mut apart: Box<Report>, first: &Report) -> Box<Report> {
    let lost = first.finding.as_ref().filter(|finding| finding.replayed == Replayed::No);
    let Some(finding) = lost else {
        apart.conditions.forked = Some(Forked::LeftBehind);
        return apart;
    };
    apart.conditions.forked = first.conditions.forked.or(apart.conditions.forked);
    if apart.finding.is_none() {
        let problem = finding.kind.name().to_owned();
        apart.conditions.never_again =
            Some(FailedExecution { execution: finding.execution, problem });
    }
    apart
}

/// What is told of a test that fails under control only, although control should make no difference.
fn without_finding(mut report: Box<Report>) -> Box<Report> {
    report.conditions.only_under_control = report.finding.take().map(|finding| FailedExecution {
        execution: finding.execution,
        problem: finding.kind.name().to_owned(),
    });
    report.stopped = Stopped::Sequential;
    report
}

/// Whether the first execution fails.
fn fails_at_once(report: &Report) -> bool {
    report.finding.as_ref().is_some_and(|finding| finding.execution == 1)
}
