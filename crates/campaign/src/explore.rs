//! The exploration of a test: executions, one after the other, until there is a reason to stop.

use crate::clock::wall_clock;
use crate::confirm::confirm;
use crate::determinism::second_run;
use crate::exchange::{Done, Exchange, Order};
use crate::isolation::{Chosen, choose};
use crate::trace;
use crate::{MakeMetric, Test, replay, saturation, steer};
use selvedge_engine::{Ending, Engine, Settings, Usage, Watch, end_solo, go_solo};
use selvedge_model::{
    Conditions, Config, Finding, Identity, MetricChoice, MetricName, Progress, Rate, Report,
    Stopped, StrategyName, Toggle,
};
use selvedge_observe::Watchers;
use selvedge_observe::detect::{Detectors, Verdict};
use std::sync::Arc;

/// The clock is looked at after this many executions, or earlier if they are long.
const EXECUTIONS_PER_LOOK: u64 = 32;
/// See [`EXECUTIONS_PER_LOOK`].
const STEPS_PER_LOOK: u64 = 10_000;

/// One in so many executions stops before every operation, also where it should not matter: what
/// is not under control (a reference count, plain memory) may lie in between.
const EXECUTIONS_PER_FULL_ONE: u64 = 8;

/// A search of all schedules: first of those that differ where it should matter, then of all.
struct Search {
    stops: Usage,
    knowledge: u64,
}

impl Search {
    fn new() -> Self {
        Self { stops: Usage::SkipPrivate, knowledge: 0 }
    }

    fn is_complete(&self) -> bool {
        self.stops == Usage::StopAlways
    }

    fn widen(&mut self) {
        self.stops = Usage::StopAlways;
    }

    /// Whether the last execution has taught something that changes where threads stop: then the
    /// tree of all schedules is another one, and a search of it begins anew.
    fn must_restart(&mut self, engine: &Engine) -> bool {
        let before = std::mem::replace(&mut self.knowledge, engine.knowledge_version());
        before != self.knowledge && self.stops == Usage::SkipPrivate
    }
}

/// Runs the test, which has this name, under the configured strategy.
pub fn explore(
    config: &Config,
    metrics: &[MakeMetric],
    name: &str,
    test: Test<'_>,
    watch: &Arc<Watch>,
    exchange: &Exchange,
) -> Report {
    let Chosen { config, forked } = choose(config, test, watch);
    let explored = explore_once(&config, metrics, name, test, watch, exchange).or_else(|Shared| {
        go_solo(watch);
        explore_once(&config, metrics, name, test, watch, exchange)
    });
    end_solo();
    let mut report = explored.unwrap_or_else(|Shared| {
        panic!(
            "selvedge: the test shares a static with another test that is running and does not \
             come to an end; run the tests one at a time (--test-threads=1) or in processes of \
             their own (cargo nextest)"
        )
    });
    report.conditions.forked = forked;
    report
}

/// The test shares a static with another one that is running at the same time.
struct Shared;

/// Whether even a test without a second thread is worth repeating, for what may fail in it.
fn wants_faults(config: &Config) -> bool {
    [config.timeouts, config.spurious, config.weak_cas, config.polls].contains(&Rate::Eager)
}

/// Saturation is that of some metrics; if none are chosen, of those that every test has something
/// for.
fn with_metrics(config: &Config) -> Config {
    let mut config = config.clone();
    if config.saturation.is_some() && config.metrics.is_empty() {
        let names = [MetricName::SyncPairs, MetricName::ReadsFrom];
        let choice = |name| MetricChoice { name, identity: Identity::default() };
        config.metrics = names.map(choice).to_vec();
    }
    config
}

fn explore_once(
    config: &Config,
    metrics: &[MakeMetric],
    name: &str,
    test: Test<'_>,
    watch: &Arc<Watch>,
    exchange: &Exchange,
) -> Result<Report, Shared> {
    let began = wall_clock();
    if let Some(schedule) = &config.replay {
        return Ok(replay::report(config, schedule, test, watch, began));
    }
    let config = &with_metrics(config);
    let mut watchers = Watchers::of_config(config);
    metrics.iter().for_each(|make| watchers.keep(make(), config));
    if let Some(coverage) = &mut watchers.coverage {
        coverage.go_on_from(exchange.known());
    }
    watchers.trace = trace::writer(config, name);
    let mut settings = Settings::new(config);
    let wants_data = watchers.coverage.is_some()
        || config.detectors.looks_at_data()
        || config.strategy.looks_at_data();
    if wants_data || watchers.trace.is_some() {
        settings.accesses = Toggle::On;
    }
    if watchers.trace.is_some() {
        settings.clocks = Toggle::On;
    }
    let mut engine = Engine::new(settings, Arc::clone(watch));
    let mut strategy = selvedge_strategy::of_config(config);
    let mut search = Search::new();
    let mut without_choice = false;
    let (mut executions, mut threads) = (0, 0);
    let mut long = 0;
    let mut looked = 0;
    let mut finding = None;
    let mut output = None;
    let mut conditions = Conditions::default();
    let stopped = loop {
        if executions == config.executions {
            break Stopped::Executions;
        }
        if strategy.begin() == Progress::Exhausted {
            if search.is_complete() {
                break match conditions.cut_spins == 0 && long == 0 {
                    true => Stopped::Exhausted,
                    false => Stopped::Bounded,
                };
            }
            search.widen();
            strategy = selvedge_strategy::of_config(config);
            continue;
        }
        let stops = match config.strategy {
            StrategyName::Exhaustive => search.stops,
            _ if without_choice || (executions + 1) % EXECUTIONS_PER_FULL_ONE == 0 => {
                Usage::StopAlways
            }
            _ => Usage::SkipPrivate,
        };
        engine.set_stops(stops);
        let outcome = engine.run(test, strategy.as_mut(), watchers.observer());
        output.get_or_insert_with(|| outcome.output());
        conditions.add(outcome.conditions());
        match outcome.ending() {
            Ending::Shared { .. } => return Err(Shared),
            // It began in time, and there is no knowing when it would have ended.
            Ending::GivenUp => {
                executions += 1;
                long += 1;
                threads = threads.max(outcome.record().threads.len());
                break Stopped::Time;
            }
            _ => {}
        }
        executions += 1;
        long += u64::from(outcome.is_long());
        watch.count(executions);
        strategy.end(&outcome.record());
        threads = threads.max(outcome.record().threads.len());
        let found = outcome.finding();
        let verdict = if found.is_some() { Verdict::Failed } else { Verdict::Passed };
        watchers.judge(verdict, || outcome.threads());
        if let Some(kind) = found {
            let confirmed = confirm(config, test, &outcome, kind, watch);
            finding =
                Some(Finding { execution: executions, strategy: strategy.name(), ..confirmed });
            break Stopped::Found;
        }
        if config.check_determinism == Toggle::On
            && let Some(difference) = second_run(config, test, &outcome, watch)
        {
            let strategy = strategy.name();
            finding = Some(Finding { execution: executions, strategy, ..difference });
            break Stopped::Found;
        }
        without_choice = outcome.choices() == 0;
        let alone = outcome.record().threads.len() == 1
            && !wants_faults(config)
            && (outcome.wrapped_polls() == 0 || config.polls == Rate::Off);
        if alone || (without_choice && stops == Usage::StopAlways) {
            break Stopped::Sequential;
        }
        if config.strategy == StrategyName::Exhaustive && search.must_restart(&engine) {
            strategy = selvedge_strategy::of_config(config);
        }
        if executions % EXECUTIONS_PER_LOOK == 0 || engine.steps() - looked > STEPS_PER_LOOK {
            looked = engine.steps();
            let done = Done { executions, steps: looked };
            if exchange.look(done, watchers.coverage.as_mut()) == Order::Stop {
                break Stopped::Executions;
            }
            if began.elapsed() >= config.time {
                break Stopped::Time;
            }
            if let (Some(window), Some(coverage)) = (config.saturation, &watchers.coverage)
                && saturation::is_reached(coverage, executions, window)
            {
                break Stopped::Saturated;
            }
        }
    };
    let stopped = match stopped {
        Stopped::Time | Stopped::Executions if long == executions => Stopped::Long,
        _ => stopped,
    };
    let trace = trace::keep(config, name, watchers.trace);
    let suspicions = watchers.detectors.map(Detectors::into_suspicions).unwrap_or_default();
    let seen = steer::Seen { executions, stopped, finding };
    let followed = steer::follow_up(config, test, suspicions, seen, watch);
    let steer::Seen { executions, stopped, finding } = followed.seen;
    let steps = engine.steps() + followed.steps;
    exchange.tell(Done { executions, steps }, watchers.coverage.as_mut());
    let remaining = match &watchers.coverage {
        Some(coverage) => saturation::remaining(coverage, executions, config.saturation),
        None => Vec::new(),
    };
    let coverage = watchers.coverage.map(|coverage| coverage.reports()).unwrap_or_default();
    Ok(Report {
        executions,
        steps,
        threads,
        stopped,
        finding,
        warnings: followed.warnings,
        output: output.unwrap_or_default(),
        conditions,
        coverage,
        guidance: strategy.guidance(),
        remaining,
        trace,
        elapsed: began.elapsed(),
    })
}
