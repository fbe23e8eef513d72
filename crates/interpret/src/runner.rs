//! Runs executions of tests on the engine.

use crate::body;
use crate::coarse::{Chooser, Coarse};
use crate::outcome::{Came, Texts, read};
use crate::table::Table;
use crate::world::{Marks, Passage, world};
use selvedge_engine::{Engine, Outcome, Settings, Usage, Watch};
use selvedge_harness::{GeneratedTest, Span};
use selvedge_model::{
    Config, Event, Isolation, LeakedThreads, Rate, Schedule, Strategy, StrategyName, Toggle,
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

/// How the calls of an order differ from those of the test: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Changed {
    /// They are left out.
    pub(crate) left_out: u64,
    /// They poll until they are ready, where they would poll once.
    pub(crate) patient: u64,
}

/// An execution of a test under some schedule.
pub(crate) struct Executed {
    pub(crate) came: Came,
    pub(crate) spans: Vec<Span>,
    /// When threads came to boundaries and went on from them.
    pub(crate) passages: Vec<Passage>,
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
            passages: state.passages.all().to_vec(),
        };
        (executed, then)
    }

    /// Runs the test, which has no threads, and reads its record, in which the phases are marked.
    pub(crate) fn marked<R>(&mut self, read: impl FnOnce(&[Event]) -> R) -> R {
        world().marks = Marks::Yes;
        self.engine.set_stops(Usage::StopAlways);
        let table = self.table;
        let mut coarse = Coarse::new(Chooser::Follow(&[]));
        let outcome = self.engine.run(&|| body::run(table), &mut coarse, None);
        let read = read(outcome.record().events);
        world().marks = Marks::No;
        read
    }

    /// Runs the calls of the test in some order, with some changes.
    pub(crate) fn order(
        &mut self,
        chooser: Chooser<'_>,
        changed: Changed,
        texts: &mut Texts,
    ) -> Came {
        let mut state = world();
        (state.left_out, state.patient) = (changed.left_out, changed.patient);
        drop(state);
        self.engine.set_stops(Usage::StopAlways);
        let table = self.table;
        let mut coarse = Coarse::new(chooser);
        let outcome = self.engine.run(&|| body::run(table), &mut coarse, None);
        let came = read(table, outcome.ending(), texts);
        let mut state = world();
        (state.left_out, state.patient) = (0, 0);
        came
    }
}
