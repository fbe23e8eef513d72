//! loom.

use super::Ran;
use loom::model::Builder;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(crate) mod prims {
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    pub(crate) use loom::sync::mpsc::channel;
    pub(crate) use loom::sync::{Arc, Condvar, Mutex, RwLock};
    pub(crate) use loom::thread::{JoinHandle, spawn, yield_now};
}

#[path = "../programs/buggy.rs"]
pub(crate) mod buggy;
#[path = "../programs/crew.rs"]
mod crew;
#[path = "../programs/litmus.rs"]
pub(crate) mod litmus;
#[path = "../programs/steady.rs"]
pub(crate) mod steady;

/// More than any of our programs has; loom panics beyond it.
const MOST_BRANCHES: usize = 100_000;

/// Runs a correct program. loom stops when it has seen all of it; then it begins anew.
pub(crate) fn exhaustive(program: fn(), executions: u64) -> Ran {
    let counter = Arc::new(AtomicU64::new(0));
    loop {
        let so_far = counter.load(Ordering::Relaxed);
        if so_far >= executions {
            return Ran { executions: so_far, steps: None };
        }
        let mut builder = Builder::new();
        builder.max_branches = MOST_BRANCHES;
        // loom looks at the limit before every so many executions and counts them from 1.
        builder.checkpoint_interval = 1;
        builder.max_permutations = usize::try_from(executions - so_far + 1).ok();
        check(&builder, program, &counter);
    }
}

/// Explores all schedules, or those with at most so many preemptions, until the time is up. Takes
/// the process down with it if it finds a deadlock, so this is for a process of its own.
pub(crate) fn explore(
    test: impl Fn() + Send + Sync + 'static,
    preemptions: Option<usize>,
    time: Duration,
    counter: &Arc<AtomicU64>,
) {
    let mut builder = Builder::new();
    builder.max_branches = MOST_BRANCHES;
    builder.preemption_bound = preemptions;
    builder.checkpoint_interval = 16;
    builder.max_duration = Some(time);
    check(&builder, test, counter);
}

fn check(builder: &Builder, test: impl Fn() + Send + Sync + 'static, counter: &Arc<AtomicU64>) {
    let counter = Arc::clone(counter);
    builder.check(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        test();
    });
}
