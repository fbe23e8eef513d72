//! A schedule, run again.

use crate::relocate::relocate;
use crate::{Test, confirm};
use selvedge_engine::{Engine, Outcome, Settings, Usage, Watch};
use selvedge_model::{
    Conditions, Config, Event, Finding, FindingKind, Operation, OperationKind, Point, Rate, Record,
    Report, Schedule, Site, Stopped, Strategy, ThreadId,
};
use selvedge_strategy::{Misfit, Replay};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// What came of running a schedule.
pub struct Replayed {
    /// What went wrong, if anything did.
    pub kind: Option<FindingKind>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// How many steps there were, whether they were recorded or not.
    pub length: u64,
    /// The decisions that were taken.
    pub schedule: Schedule,
    /// How often control went from one thread to another.
    pub switches: usize,
    /// The first decision that did not fit, if any.
    pub misfit: Option<Misfit>,
    /// The places that the execution came to, in order; none if it was a long one.
    pub points: Vec<Point>,
}

/// An engine for replays: it stops before every operation, since any may be named in a schedule.
pub(crate) fn engine(config: &Config, watch: &Arc<Watch>) -> Engine {
    let mut settings = Settings::new(config);
    settings.sharing = Usage::StopAlways;
    // The schedule decides which faults happen; the engine has to ask.
    settings.timeouts = Rate::Rare;
    settings.spurious = Rate::Rare;
    settings.weak_cas = Rate::Rare;
    Engine::new(settings, Arc::clone(watch))
}

/// Runs the test along a schedule, once. The second result is the first decision that did not fit.
pub(crate) fn run_along<'e>(
    engine: &'e mut Engine,
    schedule: &Schedule,
    test: Test<'_>,
) -> (Outcome<'e>, Option<Misfit>) {
    let mut strategy = Replay::new(schedule.clone());
    strategy.begin();
    let outcome = engine.run(test, &mut strategy, None);
    (outcome, strategy.misfit())
}

/// Runs the test along a schedule, once, on an engine for replays.
pub fn replay(engine: &mut Engine, schedule: &Schedule, test: Test<'_>) -> Replayed {
    let (outcome, misfit) = run_along(engine, schedule, test);
    let events = outcome.record().events.to_vec();
    Replayed {
        kind: outcome.finding(),
        switches: events.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count(),
        events,
        length: outcome.length(),
        schedule: outcome.schedule(),
        misfit,
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
    let mut engine = engine(config, watch);
    let mut attempt = Attempt::new(&mut engine, schedule, test);
    let mut executions = 1;
    if attempt.finding.is_none()
        && attempt.misfit.is_some()
        && let Some(moved) = relocate(schedule, &attempt.events)
    {
        let again = Attempt::new(&mut engine, &moved, test);
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
    let steps = engine.steps();
    let elapsed = began.elapsed();
    let coverage = Vec::new();
    Report { executions, steps, threads, stopped, finding, output, conditions, coverage, elapsed }
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
    fn new(engine: &mut Engine, schedule: &Schedule, test: Test<'_>) -> Self {
        let (outcome, misfit) = run_along(engine, schedule, test);
        let finding = outcome.finding().map(|kind| Finding {
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
