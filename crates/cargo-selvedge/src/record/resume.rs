//! What of a campaign can be gone on with.

use super::Recorded;
use super::lock::Lock;
use crate::findings::Kept;
use crate::output::note;
use crate::run::{Allotment, Explore};
use anyhow::Context;
use selvedge_model::{Learned, MetricReport, Report, Stopped, StrategyName};
use selvedge_store::data::{CampaignId, Ending, NewRun, PartOf, Run, RunId};
use selvedge_store::{Access, Database, Places};
use std::path::PathBuf;
use std::time::Duration;

/// What was done in a campaign that is gone on with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resumed {
    /// How many tests are gone on with.
    pub(crate) tests: usize,
    /// How many executions there were.
    pub(crate) executions: u64,
}

impl Resumed {
    pub(super) fn of(jobs: &[Recorded]) -> Self {
        let before = || jobs.iter().filter_map(|job| job.before.as_ref());
        let executions = before().map(|run| run.executions).sum();
        Self { tests: before().count(), executions }
    }
}

/// Finds the last campaign in which one of the jobs was explored in the same way, and notes what was
/// done of each.
pub(super) fn find(
    database: &Database,
    part: Option<PartOf>,
    jobs: &mut [Recorded],
) -> anyhow::Result<Option<(CampaignId, Lock)>> {
    let shard = part.map(|part| part.shard);
    let campaigns = database.campaigns()?;
    for campaign in campaigns.iter().rev().filter(|campaign| campaign.shard == shard) {
        let runs = database.runs(campaign.id)?;
        let same = |job: &Recorded| runs.iter().find(|run| is_same(run, &job.new)).cloned();
        let before: Vec<_> = jobs.iter().map(same).collect();
        if before.iter().all(Option::is_none) {
            continue;
        }
        let Some(lock) = Lock::take(database.file(), campaign.id)? else {
            note("the last campaign is still going on; an earlier one is looked for");
            continue;
        };
        for (job, before) in jobs.iter_mut().zip(before) {
            job.before = before;
        }
        return Ok(Some((campaign.id, lock)));
    }
    Ok(None)
}

/// What is known of jobs from before. Can be asked from any thread, while the file is written.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    file: PathBuf,
    runs: Vec<Option<RunId>>,
}

impl Knowledge {
    pub(super) fn of(database: &Database, jobs: &[Recorded]) -> Self {
        let runs = jobs.iter().map(|job| job.before.as_ref().map(|run| run.id)).collect();
        Self { file: database.file().to_owned(), runs }
    }

    /// What is known of a job.
    pub(crate) fn of_job(&self, job: usize) -> anyhow::Result<Learned> {
        match self.runs[job] {
            Some(run) => Ok(Database::open(&self.file, Access::Read)?.known(run)?),
            None => Ok(Learned::default()),
        }
    }
}

/// The report of a test that was done before.
pub(super) fn report(database: &Database, run: &Run) -> anyhow::Result<Report> {
    let finding = match database.found(run.id)?.first() {
        Some(found) => {
            let kept = database.finding(&found.id)?.context("a finding is missing")?;
            let kept = Kept::read(&kept.json)
                .with_context(|| format!("the finding {} can not be used", found.id))?;
            Some(kept.finding)
        }
        None => None,
    };
    let measured = database.measured(run.id, Places::AsSeen)?;
    let remaining = measured.iter().filter_map(|metric| metric.remaining.clone()).collect();
    let coverage = measured.into_iter().map(|metric| {
        let covered = metric.covered.into_iter().map(|covered| covered.requirement);
        let mut covered: Vec<_> = covered.collect();
        covered.sort();
        MetricReport {
            metric: metric.metric,
            covered,
            uncovered: metric.uncovered,
            weight: metric.summary.and_then(|summary| summary.weight),
            growth: metric.growth,
            average: metric.summary.map_or(0.0, |summary| summary.average),
            quality: None,
        }
    });
    let stopped = match &run.ending {
        Some(Ending::Stopped(stopped)) => stopped.clone(),
        _ => Stopped::Executions,
    };
    Ok(Report {
        executions: run.executions,
        steps: run.steps,
        threads: usize::try_from(run.threads).unwrap_or(usize::MAX),
        stopped,
        finding,
        warnings: run.warnings.clone(),
        output: String::new(),
        conditions: run.conditions.clone(),
        coverage: coverage.collect(),
        guidance: None,
        orders: None,
        remaining,
        trace: None,
        elapsed: Duration::from_millis(run.milliseconds),
    })
}

/// Settings that say how much is run, not what: with others one can still go on.
const BUDGET: [&str; 4] = ["executions", "time", "suite_time", "trace"];

/// Whether a run explored the same test as is to be explored now, in the same way.
fn is_same(run: &Run, new: &NewRun) -> bool {
    run.test == new.test && run.build == new.build && what(&run.settings) == what(&new.settings)
}

fn what(settings: &Explore) -> Vec<&(String, String)> {
    let mut what: Vec<_> =
        settings.iter().filter(|(key, _)| !BUDGET.contains(&key.as_str())).collect();
    what.sort();
    what
}

/// What is left to do of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// So much, after what was done.
    Some(Allotment),
    /// All of it: what was done does not help.
    All,
    /// Nothing.
    Nothing,
}

/// What is left to do of a test, given what was done.
pub(super) fn left(run: &Run, strategy: StrategyName, all: Allotment) -> Left {
    let over = [Stopped::Found, Stopped::Exhausted, Stopped::Saturated, Stopped::Sequential];
    if let Some(Ending::Stopped(stopped)) = &run.ending
        && over.contains(stopped)
    {
        return Left::Nothing;
    }
    let left = all.after(run.executions);
    match strategy {
        // Which schedules come next is known to the process only.
        StrategyName::Exhaustive => Left::All,
        _ if left.executions == 0 => Left::Nothing,
        _ => Left::Some(left),
    }
}
