//! The exploration of a test: executions, one after the other, until there is a reason to stop.

use crate::clock::wall_clock;
use crate::confirm::confirm;
use crate::cuts::Cuts;
use crate::determinism::second_run;
use crate::exchange::{Done, Exchange, Order};
use crate::guided::{self, Guided};
use crate::isolation::{Chosen, choose};
use crate::saturation::{Extent, Saturation, remaining};
use crate::trace;
use crate::{MakeMetric, Test, bounds, replay, steer};
use selvedge_engine::{
    Crash, Ending, Engine, RANDOM_STREAMS, Settings, Telling, Usage, Watch, end_solo, go_solo,
};
use selvedge_model::{
    Conditions, Config, DetectorSet, FailedExecution, Finding, FindingKind, Forked, Identity,
    Isolation, MetricChoice, MetricName, Progress, RandomBytes, Rate, Replayed, Report, Schedule,
    Stopped, StrategyName, Toggle,
};
use selvedge_observe::Watchers;
use selvedge_observe::detect::{Detectors, Verdict};
use std::sync::Arc;
use std::time::Duration;

/// Others are heard and saturation is judged after this many executions, or earlier if they are long.
const EXECUTIONS_PER_LOOK: u64 = 32;
/// See [`EXECUTIONS_PER_LOOK`].
const STEPS_PER_LOOK: u64 = 10_000;

/// One in so many executions stops before every operation, also where it should not matter: what
/// is not under control (a reference count, plain memory) may lie in between.
const EXECUTIONS_PER_FULL_ONE: u64 = 8;

/// For so long a test that never has a choice but that of its random bytes is run with others.
const TIME_FOR_RANDOM_BYTES: Duration = Duration::from_millis(250);

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
    let Chosen { mut config, mut forked } = choose(config, test, watch);
    let mut company = Company::Allowed;
    let mut passed = None;
    loop {
        let explored = explore_once(&config, metrics, name, test, watch, exchange, &mut passed);
        match explored {
            Ok(mut report) => {
                end_solo();
                report.conditions.forked = forked;
                return report;
            }
            Err(Again::Forked) => {
                config.isolation = Isolation::Fork;
                forked = Some(Forked::Process);
            }
            Err(Again::Apart) => {
                config.isolation = Isolation::Fork;
                forked = Some(Forked::LeftBehind);
            }
            Err(Again::Alone) if company == Company::Allowed => {
                go_solo(watch);
                company = Company::None;
            }
            Err(Again::Alone) => panic!(
                "selvedge: the test shares a static with another test that is running and does not \
                 come to an end; run the tests one at a time (--test-threads=1) or in processes of \
                 their own (cargo nextest)"
            ),
        }
    }
}

/// Whether other tests may run at the same time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Company {
    Allowed,
    None,
}

/// How an exploration has to begin anew.
enum Again {
    /// The test shares a static with another one that is running at the same time.
    Alone,
    /// The test changes its process for good.
    Forked,
    /// Executions find what earlier ones have left behind.
    Apart,
}

/// Whether a problem comes with a schedule that has passed before: then it is not the schedule that matters, but
/// what executions have left behind. Asked only where executions are kept apart, so that what is left
/// lies outside of the test's memory. A problem with memory may be noticed or not.
fn comes_anyway(
    config: &Config,
    test: Test<'_>,
    kind: &FindingKind,
    passed: &Schedule,
    watch: &Arc<Watch>,
) -> bool {
    let is_told = matches!(
        kind,
        FindingKind::Panic(_)
            | FindingKind::Deadlock { .. }
            | FindingKind::Stuck { .. }
            | FindingKind::LeakedThreads { .. }
            | FindingKind::Exit { .. }
    );
    if config.isolation == Isolation::Off || !is_told {
        return false;
    }
    let run = replay::replay(&mut replay::Replayer::new(config, watch), passed, test);
    run.kind.is_some_and(|again| again.same_problem(kind))
}

/// Whether a standstill did not come again: it was not the test's.
fn is_delay(finding: &Finding) -> bool {
    matches!(finding.kind, FindingKind::Stalled { .. }) && finding.replayed == Replayed::No
}

/// Whether even a test without a second thread is worth repeating, for what may fail in it.
fn wants_faults(config: &Config) -> bool {
    [config.timeouts, config.spurious, config.weak_cas, config.polls].contains(&Rate::Eager)
}

/// Whether a test that draws random bytes gets others in another execution.
fn has_other_bytes(config: &Config) -> bool {
    config.random_bytes == RandomBytes::Vary && config.strategy != StrategyName::Exhaustive
}

/// Whether every access to plain memory is recorded: the user has chosen metrics or detectors, the strategy learns from
/// data, or a trace is written. Data races are found without, because a repeated access tells nothing new of them.
fn plain_memory(config: &Config, metrics: &[MakeMetric]) -> Toggle {
    let asked = !config.metrics.is_empty()
        || !metrics.is_empty()
        || config.detectors != DetectorSet::usual()
        || config.strategy.looks_at_data()
        || config.trace.is_some();
    if asked { Toggle::On } else { Toggle::Off }
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

/// Whether it is to be judged when there have been enough executions. A search of all schedules goes
/// on to its end: what it runs last differs most from what it ran first.
fn saturation_of(config: &Config) -> Option<Saturation> {
    match config.strategy {
        StrategyName::Exhaustive => None,
        _ => config.saturation.map(Saturation::new),
    }
}

/// Explores until there is a reason to stop or to begin anew. The schedule of the first execution that passes
/// is noted, also for later attempts.
fn explore_once(
    config: &Config,
    metrics: &[MakeMetric],
    name: &str,
    test: Test<'_>,
    watch: &Arc<Watch>,
    exchange: &Exchange,
    passed: &mut Option<Schedule>,
) -> Result<Report, Again> {
    let began = wall_clock();
    if let Some(schedule) = &config.replay {
        return Ok(replay::report(config, schedule, test, watch, began));
    }
    let plain_memory = plain_memory(config, metrics);
    let config = &with_metrics(config);
    let mut watchers = Watchers::of_config(config);
    metrics.iter().for_each(|make| watchers.keep(make(), config));
    if let (Some(coverage), Toggle::Off) = (&mut watchers.coverage, plain_memory) {
        coverage.leave_memory_out();
    }
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
    settings.every_access = plain_memory;
    let mut engine = Engine::new(settings, Arc::clone(watch));
    let mut strategy = selvedge_strategy::of_config(config);
    let mut guided = Guided::new(strategy.as_ref());
    guided.begin(strategy.as_mut(), exchange.known());
    let mut search = Search::new();
    let mut without_choice = false;
    let (mut executions, mut threads) = (0, 0);
    let mut long = 0;
    let mut looked = 0;
    let mut finding = None;
    let mut output = None;
    let mut conditions = Conditions::default();
    let mut saturation = saturation_of(config);
    let mut cuts = Cuts::new(config);
    let stopped = loop {
        if executions >= config.executions && cuts.is_judged() {
            break Stopped::Executions;
        }
        if strategy.begin() == Progress::Exhausted {
            if search.is_complete() {
                conditions.left_out.extend(strategy.left_out());
                break Stopped::Exhausted;
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
        let until = cuts.next(config, executions, began.elapsed());
        engine.set_until(until);
        let observer = watchers.observer();
        let is_read = observer.as_ref().is_some_and(|observer| observer.reads_data())
            || config.strategy.looks_at_data();
        engine.set_telling(if is_read { Telling::Yes } else { Telling::No });
        let outcome = engine.run(test, strategy.as_mut(), observer);
        let is_cut = *outcome.ending() == Ending::CutOff;
        if !is_cut {
            output.get_or_insert_with(|| outcome.output());
        }
        outcome.add_conditions(&mut conditions);
        match outcome.ending() {
            Ending::Shared { .. } => return Err(Again::Alone),
            Ending::NeedsProcess => return Err(Again::Forked),
            // It began in time, and there is no knowing when it would have ended.
            Ending::GivenUp => {
                executions += 1;
                long += 1;
                threads = threads.max(outcome.record().threads.len());
                break match watch.is_out_of_memory() {
                    true => Stopped::OwnMemory,
                    false if executions == 1 || !cuts.is_judged() => Stopped::Unfinished,
                    false => Stopped::Time,
                };
            }
            // It may have been about to end, and no other execution shows how long it takes.
            Ending::Crashed { crash: Crash::Computing { .. } } if executions == 0 => {
                executions = 1;
                threads = outcome.record().threads.len();
                break Stopped::Unfinished;
            }
            Ending::CutOff => cuts.was_cut(),
            _ => {
                cuts.has_ended(until);
                watch.has_ended_once();
            }
        }
        executions += 1;
        long += u64::from(outcome.is_long());
        watch.count(executions);
        let record = outcome.record();
        strategy.end(&record);
        guided.tell(strategy.as_mut(), watchers.coverage.as_ref());
        threads = threads.max(record.threads.len());
        let found = outcome.finding();
        let verdict = if found.is_some() { Verdict::Failed } else { Verdict::Passed };
        watchers.judge(verdict, || outcome.threads());
        if let (Some(kind), Some(passed)) = (&found, &*passed)
            && comes_anyway(config, test, kind, passed, watch)
        {
            if config.isolation == Isolation::On {
                return Err(Again::Apart);
            }
            let problem = kind.name().to_owned();
            conditions.left_behind = Some(FailedExecution { execution: executions, problem });
            break Stopped::Executions;
        }
        if passed.is_none() && found.is_none() && !is_cut {
            *passed = Some(outcome.schedule());
        }
        if let Some(kind) = found {
            let confirmed = confirm(config, test, &outcome, kind, watch);
            if is_delay(&confirmed) {
                // The world was slow. There may be no time for another execution.
                if began.elapsed() >= config.time {
                    break Stopped::Time;
                }
                continue;
            }
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
        if let Some(saturation) = &mut saturation {
            let extent = if outcome.is_long() || is_cut { Extent::Cut } else { Extent::Whole };
            saturation.see(&record, extent, watchers.coverage.as_ref());
        }
        if config.strategy == StrategyName::Exhaustive {
            conditions.left_out.extend(bounds::left_out(config, &outcome));
        }
        if watch.is_out_of_memory() {
            break Stopped::OwnMemory;
        }
        without_choice = outcome.choices() == 0;
        let alone = record.threads.len() == 1
            && outcome.lone_choices() == 0
            && !wants_faults(config)
            && (outcome.wrapped_polls() == 0 || config.polls == Rate::Off);
        let is_sequential = alone || (without_choice && stops == Usage::StopAlways);
        let has_other_bytes = has_other_bytes(config)
            && outcome.drew_random()
            && executions < config.executions.min(RANDOM_STREAMS as u64)
            && began.elapsed() < TIME_FOR_RANDOM_BYTES.min(config.time);
        if is_sequential && !has_other_bytes && !is_cut {
            break Stopped::Sequential;
        }
        if config.strategy == StrategyName::Exhaustive && search.must_restart(&engine) {
            strategy = selvedge_strategy::of_config(config);
        }
        if executions % EXECUTIONS_PER_LOOK == 0 || engine.steps() - looked > STEPS_PER_LOOK {
            looked = engine.steps();
            let done = Done { executions, steps: looked };
            let coverage = watchers.coverage.as_mut();
            let order = exchange.look(done, coverage, strategy.as_mut());
            if order == Order::Stop && cuts.is_judged() {
                break Stopped::Executions;
            }
            if saturation.as_ref().is_some_and(Saturation::is_reached) {
                break Stopped::Saturated;
            }
        }
        // After each: one of few steps may take long all the same, by what it computes in between.
        if began.elapsed() >= config.time && cuts.is_judged() {
            break Stopped::Time;
        }
    };
    let stopped = match stopped {
        Stopped::Time | Stopped::Executions if long == executions => Stopped::Long,
        _ => stopped,
    };
    let trace = trace::keep(config, name, watchers.trace);
    let suspicions = watchers.detectors.map(Detectors::into_suspicions).unwrap_or_default();
    let reach = match stopped == Stopped::Exhausted && conditions.are_complete() {
        true => steer::Reach::Everything,
        false => steer::Reach::Some,
    };
    let seen = steer::SoFar { executions, stopped, finding };
    let followed = steer::follow_up(config, test, suspicions, (seen, reach), watch);
    let steer::SoFar { executions, stopped, finding } = followed.seen;
    let steps = engine.steps() + followed.steps;
    let done = Done { executions, steps };
    exchange.tell(done, watchers.coverage.as_mut(), strategy.as_mut());
    let orders = saturation.as_ref().map(Saturation::orders);
    let window = config.saturation;
    let remaining = remaining(watchers.coverage.as_ref(), executions, window);
    let mut coverage = watchers.coverage.map(|coverage| coverage.reports()).unwrap_or_default();
    let guidance = guided::agree(strategy.guidance(), &mut coverage);
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
        guidance,
        orders,
        remaining,
        trace,
        elapsed: began.elapsed(),
    })
}
