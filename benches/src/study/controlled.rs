//! Runs under the engine.

use super::crates;
use super::pair::{Pair, Pairs};
use super::subjects::Test;
use selvedge::{Builder, Toggle};
use selvedge_model::{Guidance, MetricReport};
use std::time::Duration;

/// Who decides, by the name of the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Technique {
    pub(crate) strategy: &'static str,
}

pub(crate) const RANDOM: Technique = Technique { strategy: "random" };
pub(crate) const TSA_H: Technique = Technique { strategy: "tsa-h" };
pub(crate) const TSA: Technique = Technique { strategy: "tsa" };
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
pub(crate) fn run(test: Test, technique: Technique, seed: u64, executions: u64) -> Run {
    let test = match test {
        Test::Here(test) => test,
        Test::OfCrate(name) => return crates::run(name, technique, seed, executions),
    };
    let sync_pairs = "sp".parse().expect("a metric");
    let settings = Builder::new()
        .set("strategy", technique.strategy)
        .seed(seed)
        .executions(executions)
        .time(NO_HURRY)
        .shrink(Toggle::Off)
        .metrics([sync_pairs]);
    let report = settings.explore(test).unwrap_or_else(|error| panic!("{error}"));
    if let Some(finding) = &report.finding {
        panic!("{} has found this in a correct subject: {:#?}", technique.strategy, finding.kind);
    }
    of_metric(&report.coverage[0], report.guidance.as_ref(), executions)
}

/// What the metric `sp` has seen.
pub(crate) fn of_metric(
    metric: &MetricReport,
    guidance: Option<&Guidance>,
    executions: u64,
) -> Run {
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
    let estimated = guidance.map(|guidance| {
        let uncovered = guidance.uncovered.iter().map(Pair::of);
        pairs.iter().cloned().chain(uncovered).collect()
    });
    Run { pairs, growth, estimated }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge::noise::{Kind, Noise};
    use selvedge::sync::{Arc, Condvar, Mutex, RwLock};
    use selvedge::thread;
    use std::time::Duration;

    /// One thread at a time, so that there is one order only.
    fn sequential() {
        let shared = Arc::new((Mutex::new(0), Condvar::new(), RwLock::new(0)));
        for _ in 0..2 {
            let shared = Arc::clone(&shared);
            let work = move || {
                let (mutex, condvar, lock) = &*shared;
                *lock.write().unwrap() += 1;
                let guard = mutex.lock().unwrap();
                drop(condvar.wait_timeout(guard, Duration::from_nanos(1)).unwrap());
                let sum = *lock.read().unwrap();
                *mutex.try_lock().unwrap() += sum;
            };
            thread::spawn(work).join().unwrap();
        }
    }

    #[test]
    fn the_engine_and_ordinary_threads_count_the_same_pairs() {
        let under_control = run(Test::Here(sequential), RANDOM, 1, 3);
        let noise = Noise { kind: Kind::Yield, probability: 0.5, seed: 1 };
        let ((), recorded) = noise.run(sequential);
        let recorded: Pairs = recorded.pairs.into_iter().map(Into::into).collect();
        assert_eq!(under_control.pairs, recorded);
        assert_eq!(recorded.len(), 5);
        assert_eq!(under_control.growth, [5, 5, 5]);
    }
}
