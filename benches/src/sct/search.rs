//! One cell: a search for one bug with each of the seeds.

use crate::clock::processor_time;
use crate::engines::Search;
use crate::engines::selvedge::{pass, search, settings};
use crate::figures::{NONE, plain};
use crate::hush::Hush;
use selvedge::StrategyName;
use std::time::Duration;

/// What came of the searches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    seeds: u64,
    found: u64,
    /// With those of the searches that were given up, so that giving up does not look cheap.
    executions: u64,
    time: Duration,
    failure: Option<&'static str>,
}

impl Found {
    /// Whether each of the seeds found it.
    pub(super) fn by_all(&self) -> bool {
        self.failure.is_none() && self.found == self.seeds
    }

    /// Executions until the bug is found, on average; nothing if it never is.
    pub(super) fn mean(&self) -> Option<f64> {
        let any = self.found > 0 && self.failure.is_none();
        any.then(|| self.executions as f64 / self.seeds as f64)
    }

    /// Processor time of one search, on average.
    pub(super) fn seconds_each(&self) -> f64 {
        self.time.as_secs_f64() / self.seeds as f64
    }

    pub(super) fn shown(&self) -> String {
        match (self.failure, self.mean()) {
            (Some(what), _) => format!("**{what}**"),
            (None, None) => NONE.to_owned(),
            (None, Some(mean)) if self.by_all() => plain(mean),
            (None, Some(mean)) => format!("{} ({}/{})", plain(mean), self.found, self.seeds),
        }
    }
}

/// Searches once for each seed, from 1.
pub(super) fn find_with_seeds(
    program: fn(),
    strategy: StrategyName,
    seeds: u64,
    limit: u64,
) -> Found {
    let mut found = Found { seeds, ..Found::default() };
    let began = processor_time();
    {
        let _hush = Hush::new();
        for seed in 1..=seeds {
            match search(program, strategy, seed, limit) {
                Search::Found(executions) => {
                    found.found += 1;
                    found.executions += executions;
                }
                Search::Exhausted(executions) | Search::GaveUp(executions) => {
                    found.executions += executions;
                }
                Search::Failed(what) => found.failure = Some(what),
            }
        }
    }
    found.time = processor_time() - began;
    found
}

/// How many executions of a correct program there are in a second of one core.
pub(super) fn executions_per_second(program: fn(), strategy: StrategyName) -> f64 {
    /// Long enough for three digits on a quiet machine.
    const ENOUGH: Duration = Duration::from_millis(150);
    let mut executions = 64;
    loop {
        let began = processor_time();
        let ran = pass(settings(strategy, 1, executions), program).executions;
        let took = processor_time() - began;
        // A strategy that has seen all there is may stop before.
        if took >= ENOUGH || ran < executions {
            return ran as f64 / took.as_secs_f64();
        }
        executions *= 4;
    }
}
