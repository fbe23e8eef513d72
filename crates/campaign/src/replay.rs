//! A schedule, run again.

use crate::relocate::relocate;
use crate::{Test, confirm};
use selvedge_engine::{AskRandom, Engine, Outcome, Settings, Usage, Watch};
use selvedge_model::{
    Conditions, Config, Event, Finding, FindingKind, MemoryModel, Operation, OperationKind, Point,
    Rate, Record, Report, Schedule, Site, Stopped, Strategy, ThreadId,
};
use selvedge_observe::Watchers;
use selvedge_strategy::{Misfit, Replay};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// What came of running a schedule.
pub(crate) struct Replayed {
    /// What went wrong, if anything did.
    pub(crate) kind: Option<FindingKind>,
    /// What happened, in order.
    pub(crate) events: Vec<Event>,
    /// How many steps there were, whether they were recorded or not.
    pub(crate) length: u64,
    /// The decisions that were taken.
    pub(crate) schedule: Schedule,
    /// How often control went from one thread to another.
    pub(crate) switches: usize,
    /// The places that the execution came to, in order; none if it was a long one.
    pub(crate) points: Vec<Point>,
}

/// Runs schedules, with those watching that the configuration asks for.
pub(crate) struct Replayer {
    engine: Engine,
    watchers: Watchers,
    /// What loads may see if the schedule does not say.
    memory_model: MemoryModel,
}

/// One run along a schedule.
pub(crate) struct Run<'r> {
    pub(crate) outcome: Outcome<'r>,
    /// What went wrong, if anything did.
    pub(crate) kind: Option<FindingKind>,
    /// The first decision that did not fit, if any.
    pub(crate) misfit: Option<Misfit>,
}

impl Replayer {
    /// Its engine stops before every operation, since any may be named in a schedule.
    pub(crate) fn new(config: &Config, watch: &Arc<Watch>) -> Self {
        let mut settings = Settings::new(config);
        settings.sharing = Usage::StopAlways;
        // The schedule decides which faults happen; the engine has to ask.
        settings.timeouts = Rate::Rare;
        settings.spurious = Rate::Rare;
        settings.weak_cas = Rate::Rare;
        settings.polls = Rate::Rare;
        settings.ask_random = AskRandom::Always;
        let engine = Engine::new(settings, Arc::clone(watch));
        let memory_model = config.memory_model;
        Self { engine, watchers: Watchers::for_races(config), memory_model }
    }

    /// Runs the test along a schedule, once.
    pub(crate) fn run(&mut self, schedule: &Schedule, test: Test<'_>) -> Run<'_> {
        let mut strategy = Replay::new(schedule.clone());
        strategy.begin();
        // A schedule is all that is needed to see an execution again.
        self.engine.set_memory_model(match schedule.old_values() {
            0 => self.memory_model,
            _ => MemoryModel::Weak,
        });
        let outcome = self.run_by(&mut strategy, test);
        let kind = outcome.finding();
        Run { outcome, kind, misfit: strategy.misfit() }
    }

    /// Runs the test once, as a strategy says that has begun.
    pub(crate) fn run_by(&mut self, strategy: &mut dyn Strategy, test: Test<'_>) -> Outcome<'_> {
        self.engine.run(test, strategy, self.watchers.observer())
    }

    /// How many steps there have been.
    pub(crate) fn steps(&self) -> u64 {
        self.engine.steps()
    }

    /// As [`run`](Self::run), for the last word on what happened: with the calls that led to each operation,
    /// and to the accesses of a data race.
    pub(crate) fn run_closely(&mut self, schedule: &Schedule, test: Test<'_>) -> Run<'_> {
        if let Some(race) = self.run(schedule, test).outcome.race() {
            self.engine.want_callers(&race);
        }
        self.engine.want_stacks();
        self.run(schedule, test)
    }
}

/// Runs the test along a schedule, once.
pub(crate) fn replay(replayer: &mut Replayer, schedule: &Schedule, test: Test<'_>) -> Replayed {
    let Run { outcome, kind, .. } = replayer.run(schedule, test);
    let events = outcome.record().events.to_vec();
    Replayed {
        kind,
        switches: events.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count(),
        events,
        length: outcome.length(),
        schedule: outcome.schedule(),
        points: points(&outcome.record()),
    }
}

/// An execution with more events than this is a long one.
const LONG: usize = 200;

/// The places that an execution came to, as a schedule names them.
fn points(record: &Record<'_>) -> Vec<Point> {
    if record.events.len() > LONG {
        return Vec::new();
    }
    let mut times: BTreeMap<(ThreadId, OperationKind, Site), u32> = BTreeMap::new();
    let done = record.events.iter().map(|event| (event.thread, event.operation));
    // What a thread was about to do at the end is a place as well.
    let pending = record.threads.iter().enumerate();
    let pending = pending.map(|(index, info)| (ThreadId(index as u32), info.pending));
    done.chain(pending)
        .filter(|(_, operation)| {
            !matches!(operation.kind, OperationKind::ThreadStart | OperationKind::ThreadEnd)
        })
        .map(|(thread, Operation { kind, site, .. })| {
            let occurrence = times.entry((thread, kind, site)).or_default();
            *occurrence += 1;
            let source = Some(site.source());
            Point { thread: record.path(thread), kind, source, occurrence: *occurrence }
        })
        .collect()
}

/// Runs the schedule that the configuration names and reports as an exploration does.
pub(crate) fn report(
    config: &Config,
    schedule: &Schedule,
    test: Test<'_>,
    watch: &Arc<Watch>,
    began: Instant,
) -> Report {
    let mut replayer = Replayer::new(config, watch);
    let mut attempt = Attempt::new(&mut replayer, schedule, test);
    let mut executions = 1;
    if attempt.finding.is_none()
        && attempt.misfit.is_some()
        && let Some(moved) = relocate(schedule, &attempt.events)
    {
        let again = Attempt::new(&mut replayer, &moved, test);
        executions += 1;
        if again.finding.is_some() || again.misfit.is_none() {
            attempt = again;
        }
    }
    let Attempt { finding, misfit, threads, output, conditions, .. } = attempt;
    let stopped = match (&finding, misfit) {
        (Some(_), _) => Stopped::Found,
        (None, Some(misfit)) => Stopped::Misfit(misfit.to_string()),
        (None, None) => Stopped::Replayed,
    };
    let steps = replayer.engine.steps();
    let elapsed = began.elapsed();
    Report {
        executions,
        steps,
        threads,
        stopped,
        finding,
        warnings: Vec::new(),
        output,
        conditions,
        coverage: Vec::new(),
        guidance: None,
        orders: None,
        remaining: Vec::new(),
        trace: None,
        elapsed,
    }
}

/// One run along a schedule that was given from outside.
struct Attempt {
    finding: Option<Finding>,
    misfit: Option<Misfit>,
    events: Vec<Event>,
    threads: usize,
    output: String,
    conditions: Conditions,
}

impl Attempt {
    fn new(replayer: &mut Replayer, schedule: &Schedule, test: Test<'_>) -> Self {
        let Run { outcome, kind, misfit } = replayer.run_closely(schedule, test);
        let finding = kind.map(|kind| Finding {
            execution: 1,
            strategy: "replay".to_owned(),
            schedule: schedule.clone(),
            ..confirm::describe(&outcome, kind)
        });
        let record = outcome.record();
        Self {
            finding,
            misfit,
            events: record.events.to_vec(),
            threads: record.threads.len(),
            output: outcome.output(),
            conditions: outcome.conditions(),
        }
    }
}
