//! Selvedge.

use super::{Ran, Search};
use selvedge::{Builder, FindingKind, Rate, Report, Stopped, StrategyName, Toggle};
use std::time::Duration;

pub(crate) mod prims {
    pub(crate) use selvedge::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    pub(crate) use selvedge::sync::mpsc::channel;
    pub(crate) use selvedge::sync::{Arc, Condvar, Mutex, RwLock};
    pub(crate) use selvedge::thread::{JoinHandle, spawn, yield_now};
}

#[path = "../programs/buggy.rs"]
pub(crate) mod buggy;
#[path = "../programs/crew.rs"]
mod crew;
#[path = "../programs/litmus.rs"]
pub(crate) mod litmus;
#[path = "../programs/steady.rs"]
pub(crate) mod steady;

/// Long enough never to be the reason to stop where executions are counted.
const NO_HURRY: Duration = Duration::from_secs(600);

/// Settings that leave the number of executions as the only limit.
pub(crate) fn settings(strategy: StrategyName, seed: u64, executions: u64) -> Builder {
    Builder::new()
        .strategy(strategy)
        .seed(seed)
        .executions(executions)
        .time(NO_HURRY)
        .shrink(Toggle::Off)
}

/// Explores a program that is correct.
///
/// # Panics
///
/// Panics if anything is found in it.
pub(crate) fn pass(settings: Builder, program: fn()) -> Report {
    let report = settings.explore(program).expect("the settings are right");
    if let Some(finding) = &report.finding {
        panic!("selvedge has found this in a correct program: {:#?}", finding.kind);
    }
    report
}

/// Runs a correct program under a strategy.
pub(crate) fn with_strategy(strategy: StrategyName, program: fn(), executions: u64) -> Ran {
    ran(&pass(settings(strategy, 1, executions), program))
}

/// Runs a correct program under the random strategy.
pub(crate) fn random(program: fn(), executions: u64) -> Ran {
    with_strategy(StrategyName::Random, program, executions)
}

/// As `random`, for a program with one thread: such a one is run again only if it is asked to fail.
pub(crate) fn random_alone(program: fn(), executions: u64) -> Ran {
    ran(&pass(settings(StrategyName::Random, 1, executions).weak_cas(Rate::Eager), program))
}

/// Runs a correct program as a user does who sets nothing.
pub(crate) fn portfolio(program: fn(), executions: u64) -> Ran {
    with_strategy(StrategyName::Portfolio, program, executions)
}

/// As `random`, with happens-before clocks.
pub(crate) fn random_with_clocks(program: fn(), executions: u64) -> Ran {
    let settings = settings(StrategyName::Random, 1, executions).clocks(Toggle::On);
    ran(&pass(settings, program))
}

/// As `random`, with four coverage metrics.
pub(crate) fn random_with_metrics(program: fn(), executions: u64) -> Ran {
    let metrics = ["sp", "hbpair", "dupairs", "avio"].map(|name| name.parse().expect("a metric"));
    let settings = settings(StrategyName::Random, 1, executions).metrics(metrics);
    ran(&pass(settings, program))
}

fn ran(report: &Report) -> Ran {
    Ran { executions: report.executions, steps: Some(report.steps) }
}

/// Looks for the bug of a program.
pub(crate) fn search(program: fn(), strategy: StrategyName, seed: u64, most: u64) -> Search {
    let explored = settings(strategy, seed, most).explore(program);
    let report = explored.expect("the settings are right");
    match (&report.finding, &report.stopped) {
        (Some(finding), _) => match &finding.kind {
            FindingKind::Panic(_) | FindingKind::Deadlock { .. } | FindingKind::Stuck { .. } => {
                Search::Found(finding.execution)
            }
            // The programs have no such bugs, so this would be one of ours.
            other => Search::Failed(other.name()),
        },
        (None, Stopped::Exhausted | Stopped::Sequential) => Search::Exhausted(report.executions),
        (None, _) => Search::GaveUp(report.executions),
    }
}
