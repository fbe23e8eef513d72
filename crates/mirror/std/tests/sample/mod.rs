//! Runs some of the interleavings of a test, chosen at random.

#![allow(dead_code, reason = "no file needs all of it")]

use selvedge_engine::{Ending, Engine, Settings, Usage, Watch};
use selvedge_model::{Config, Event, Strategy};
use selvedge_strategy::Random;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

const EXECUTIONS: usize = 300;

pub(crate) fn settings() -> Settings {
    Settings::new(&Config::default())
}

/// Runs the test in random orders and returns how the executions ended.
#[track_caller]
pub(crate) fn endings(settings: Settings, test: impl Fn() + Sync) -> Vec<Ending> {
    let mut engine = Engine::new(settings, Arc::new(Watch::default()));
    let mut strategy = Random::new(7);
    (0..EXECUTIONS)
        .map(|_| {
            strategy.begin();
            engine.run(&test, &mut strategy, None).ending().clone()
        })
        .collect()
}

/// All orders must be fine.
#[track_caller]
pub(crate) fn passes(test: impl Fn() + Sync) {
    let failed = endings(settings(), test).into_iter().find(|ending| *ending != Ending::Passed);
    assert_eq!(failed, None);
}

/// What the test reports in at least one order, such as results of a race.
#[track_caller]
pub(crate) fn results<R: Ord + Send>(test: impl Fn() -> R + Sync) -> BTreeSet<R> {
    let results = Mutex::new(BTreeSet::new());
    passes(|| {
        let result = test();
        results.lock().unwrap().insert(result);
    });
    results.into_inner().unwrap()
}

/// What happens in the first execution.
#[track_caller]
pub(crate) fn events(test: impl Fn() + Sync) -> Vec<Event> {
    let settings = Settings { sharing: Usage::StopAlways, ..settings() };
    let mut engine = Engine::new(settings, Arc::new(Watch::default()));
    let outcome = engine.run(&test, &mut Random::new(7), None);
    assert_eq!(*outcome.ending(), Ending::Passed);
    outcome.record().events.to_vec()
}

/// Panics with a short text.
pub(crate) fn fail<R>() -> R {
    panic!("on purpose")
}

pub(crate) fn panics(f: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(f)).is_err()
}
