//! shuttle.

use super::{Ran, Search};
use crate::hush::Hush;
use shuttle::current::TaskId;
use shuttle::scheduler::{
    PctScheduler, RandomScheduler, Schedule, Scheduler, Task, UrwRandomScheduler,
};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) mod prims {
    pub(crate) use shuttle::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    pub(crate) use shuttle::sync::mpsc::channel;
    pub(crate) use shuttle::sync::{Arc, Condvar, Mutex, RwLock};
    pub(crate) use shuttle::thread::{JoinHandle, spawn, yield_now};
}

#[path = "../programs/buggy.rs"]
pub(crate) mod buggy;
#[path = "../programs/crew.rs"]
mod crew;
#[path = "../programs/litmus.rs"]
pub(crate) mod litmus;
#[path = "../programs/steady.rs"]
pub(crate) mod steady;

/// shuttle's schedulers that take a seed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sampler {
    Random,
    Pct(usize),
    Urw,
}

impl Sampler {
    fn scheduler(self, seed: u64, most: u64) -> Box<dyn Scheduler + Send> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        match self {
            Self::Random => Box::new(RandomScheduler::new_from_seed(seed, most)),
            Self::Pct(depth) => Box::new(PctScheduler::new_from_seed(seed, depth, most)),
            Self::Urw => Box::new(UrwRandomScheduler::new_from_seed(seed, most)),
        }
    }
}

/// shuttle's defaults, without its messages.
fn config() -> Config {
    let mut config = Config::new();
    config.silence_warnings = true;
    config.failure_persistence = FailurePersistence::None;
    config
}

/// Runs a correct program under the random scheduler. Steps are not counted, see [`steps`].
pub(crate) fn random(program: fn(), executions: u64) -> Ran {
    let most = usize::try_from(executions).unwrap_or(usize::MAX);
    let runner = Runner::new(RandomScheduler::new_from_seed(1, most), config());
    Ran { executions: runner.run(program) as u64, steps: None }
}

/// As [`random`], however long the execution.
pub(crate) fn random_of_any_length(program: fn(), executions: usize) -> Ran {
    let counter = Arc::new(AtomicU64::new(0));
    let mut config = config();
    config.max_steps = MaxSteps::None;
    let random = RandomScheduler::new_from_seed(1, executions);
    let runner = Runner::new(Counting { inner: random, steps: Arc::clone(&counter) }, config);
    let executions = runner.run(program) as u64;
    Ran { executions, steps: Some(counter.load(Ordering::Relaxed)) }
}

/// How many steps an execution of the program has on average. They are counted apart from the
/// measurement of time, in which shuttle shall not pay for our counter.
pub(crate) fn steps(program: fn()) -> f64 {
    let ran = random_of_any_length(program, 20);
    ran.steps.unwrap_or_default() as f64 / ran.executions as f64
}

/// Looks for the bug of a program.
pub(crate) fn search(program: fn(), sampler: Sampler, seed: u64, most: u64) -> Search {
    let _hush = Hush::new();
    let counter = Arc::new(AtomicU64::new(0));
    let counting = Arc::clone(&counter);
    let scheduler = sampler.scheduler(seed, most);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        Runner::new(scheduler, config()).run(move || {
            counting.fetch_add(1, Ordering::Relaxed);
            program();
        });
    }));
    let executions = counter.load(Ordering::Relaxed);
    match outcome {
        Err(_) => Search::Found(executions),
        Ok(()) => Search::GaveUp(executions),
    }
}

/// Runs something under the random scheduler; it may panic.
pub(crate) fn sample(test: impl Fn() + Send + Sync + 'static, executions: usize) {
    Runner::new(RandomScheduler::new_from_seed(1, executions), config()).run(test);
}

/// A scheduler whose steps are counted.
struct Counting<S> {
    inner: S,
    steps: Arc<AtomicU64>,
}

impl<S: Scheduler> Scheduler for Counting<S> {
    fn new_execution(&mut self) -> Option<Schedule> {
        self.inner.new_execution()
    }

    fn next_task(
        &mut self,
        runnable: &[&Task],
        current: Option<TaskId>,
        is_yielding: bool,
    ) -> Option<TaskId> {
        self.steps.fetch_add(1, Ordering::Relaxed);
        self.inner.next_task(runnable, current, is_yielding)
    }

    fn next_u64(&mut self) -> u64 {
        self.inner.next_u64()
    }
}
