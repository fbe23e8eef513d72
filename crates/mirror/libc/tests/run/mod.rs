//! Runs tests on an engine whose executions have memory of their own.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use selvedge_engine::{Engine, Outcome, Settings, Watch};
use selvedge_model::{Config, Isolation, StrategyName};
use std::sync::Arc;

/// The usual settings, with isolation.
pub(crate) fn config() -> Config {
    Config { isolation: Isolation::On, strategy: StrategyName::Random, ..Config::default() }
}

/// Runs the test so many times and shows each outcome.
pub(crate) fn executions(
    settings: Settings,
    config: &Config,
    times: usize,
    test: &(dyn Fn() + Sync),
    mut see: impl FnMut(&Outcome<'_>),
) {
    selvedge_libc::install();
    let mut engine = Engine::new(settings, Arc::new(Watch::default()));
    let mut strategy = selvedge_strategy::of_config(config);
    for _ in 0..times {
        strategy.begin();
        let outcome = engine.run(test, strategy.as_mut(), None);
        strategy.end(&outcome.record());
        see(&outcome);
    }
}
