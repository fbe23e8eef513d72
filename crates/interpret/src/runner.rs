//! Runs executions of tests on the engine.

use crate::body;
use crate::coarse::{Chooser, Coarse};
use crate::outcome::{Came, Texts, read};
use crate::table::Table;
use crate::world::world;
use selvedge_engine::{Engine, Outcome, Settings, Usage, Watch};
use selvedge_harness::{GeneratedTest, Span};
use selvedge_model::{
    Config, Isolation, LeakedThreads, Rate, Schedule, Strategy, StrategyName, Toggle,
};
use std::sync::Arc;

/// An execution with more steps is given up.
const STEPS: u64 = 4_000;
/// Every so many executions stop at each operation, also where earlier ones teach that nobody else is interested.
const STOP_ALWAYS: u64 = 8;

/// Runs executions.
pub(crate) struct Runner {
    table: &'static Table,
    engine: Engine,
    strategies: Vec<Box<dyn Strategy>>,
    executions: u64,
}

/// An execution of a test under some schedule.
pub(crate) struct Executed {
    pub(crate) came: Came,
    pub(crate) spans: Vec<Span>,
    /// The threads in the order in which they went on, and came, from boundary to boundary.
    pub(crate) starts: Vec<u8>,
    pub(crate) stops: Vec<u8>,
}

impl Runner {
    pub(crate) fn new(table: &'static Table, seed: u64) -> Self {
        let config = Config {
            seed,
            leaked_threads: LeakedThreads::Allow,
            isolation: Isolation::On,
            max_steps: STEPS,
            livelock_steps: Some(STEPS),
            clocks: Toggle::Off,
            weak_cas: Rate::Off,
            spurious: Rate::Off,
            timeouts: Rate::Off,
            polls: Rate::Off,
            ..Config::default()
        };
        let strategies = [StrategyName::Random, StrategyName::Pct(3), StrategyName::Pos];
        let strategies = strategies
            .map(|strategy| selvedge_strategy::of_config(&Config { strategy, ..config.clone() }));
        let engine = Engine::new(Settings::new(&config), Arc::new(Watch::default()));
        Self { table, engine, strategies: strategies.into(), executions: 0 }
    }

    /// The test of the next executions.
    pub(crate) fn take(&mut self, test: &GeneratedTest) {
        let mut state = world();
        state.test = test.clone();
        state.left_out = 0;
    }

    /// Runs the test under the next schedule.
    pub(crate) fn explore(&mut self, texts: &mut Texts) -> Executed {
        self.explore_then(texts, |_| ()).0
    }

    /// The same, and tells which schedule it was.
    pub(crate) fn explore_with_schedule(&mut self, texts: &mut Texts) -> (Executed, Schedule) {
        self.explore_then(texts, |outcome| outcome.schedule())
    }

    fn explore_then<R>(
        &mut self,
        texts: &mut Texts,
        then: impl FnOnce(&Outcome<'_>) -> R,
    ) -> (Executed, R) {
        self.executions += 1;
        let always = self.executions.is_multiple_of(STOP_ALWAYS);
        self.engine.set_stops(if always { Usage::StopAlways } else { Usage::SkipPrivate });
        let turn = self.executions as usize % self.strategies.len();
        let strategy = &mut *self.strategies[turn];
        strategy.begin();
        let table = self.table;
        let outcome = self.engine.run(&|| body::run(table), strategy, None);
        strategy.end(&outcome.record());
        let came = read(table, outcome.ending(), texts);
        let then = then(&outcome);
        let state = world();
        let executed = Executed {
            came,
            spans: (0..state.test.len()).map(|slot| state.span(slot)).collect(),
            starts: state.starts.threads().to_vec(),
            stops: state.stops.threads().to_vec(),
        };
        (executed, then)
    }

    /// Runs the calls of the test in some order, without those whose bits are set.
    pub(crate) fn order(&mut self, chooser: Chooser<'_>, left_out: u64, texts: &mut Texts) -> Came {
        world().left_out = left_out;
        self.engine.set_stops(Usage::StopAlways);
        let table = self.table;
        let mut coarse = Coarse::new(chooser);
        let outcome = self.engine.run(&|| body::run(table), &mut coarse, None);
        let came = read(table, outcome.ending(), texts);
        world().left_out = 0;
        came
    }
}
