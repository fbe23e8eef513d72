//! Runs under the engine.

use super::pair::{Pair, Pairs};
use selvedge::{Builder, Report, Toggle};
use std::time::Duration;

/// Who decides, and under which name it stands in the tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Technique {
    pub(crate) name: &'static str,
    pub(crate) settings: &'static [(&'static str, &'static str)],
}

pub(crate) const RANDOM: Technique =
    Technique { name: "random", settings: &[("strategy", "random")] };

pub(crate) const TSA: Technique = Technique { name: "tsa", settings: &[("strategy", "tsa")] };
pub(crate) const TSA_H: Technique = Technique { name: "tsa-h", settings: &[("strategy", "tsa-h")] };
pub(crate) const ALL: [Technique; 3] = [RANDOM, TSA_H, TSA];

/// One run: many executions with what was learned from the earlier ones.
pub(crate) struct Run {
    pub(crate) pairs: Pairs,
    /// How many pairs were covered after each execution.
    pub(crate) growth: Vec<u64>,
    /// What the strategy thinks to be possible, if it thinks so of anything.
    pub(crate) estimated: Option<Pairs>,
}

/// Long enough never to be the reason to stop.
const NO_HURRY: Duration = Duration::from_secs(3600);

/// Runs a test so many times.
///
/// # Panics
///
/// Panics if anything is found in the test: subjects are correct.
pub(crate) fn run(test: fn(), technique: Technique, seed: u64, executions: u64) -> Run {
    let sync_pairs = "sp".parse().expect("a metric");
    let mut settings = Builder::new()
        .seed(seed)
        .executions(executions)
        .time(NO_HURRY)
        .shrink(Toggle::Off)
        .metrics([sync_pairs]);
    for (key, value) in technique.settings {
        settings = settings.set(key, value);
    }
    let report = settings.explore(test).unwrap_or_else(|error| panic!("{error}"));
    if let Some(finding) = &report.finding {
        panic!("{} has found this in a correct subject: {:#?}", technique.name, finding.kind);
    }
    of_report(&report, executions)
}

/// What a report says of the metric `sp`.
pub(crate) fn of_report(report: &Report, executions: u64) -> Run {
    let metric = &report.coverage[0];
    let pairs: Pairs = metric.covered.iter().map(Pair::of).collect();
    let mut growth = Vec::with_capacity(executions as usize);
    let mut points = metric.growth.iter().peekable();
    let mut covered = 0;
    for execution in 1..=executions {
        while let Some(point) = points.next_if(|point| point.execution <= execution) {
            covered = point.covered;
        }
        growth.push(covered);
    }
    let estimated = report.guidance.as_ref().map(|guidance| {
        let uncovered = guidance.uncovered.iter().map(Pair::of);
        pairs.iter().cloned().chain(uncovered).collect()
    });
    Run { pairs, growth, estimated }
}
