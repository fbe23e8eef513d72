//! An exploration on a thread of its own, with somebody who notices when it stands still.

use crate::MakeMetric;
use crate::clock::wall_clock;
use crate::exchange::{Done, Exchange, Exploring};
use crate::explore::explore;
use crate::own_memory::{self, Limits, Verdict};
use crate::patience::{LOOK, Patience};
use selvedge_engine::{Controlled, Interruption, Watch};
use selvedge_model::{
    CallStacks, Conditions, Config, Finding, FindingKind, Learned, MemoryEvent, Replayed, Report,
    Schedule, Source, Stopped, ThreadPath, ThreadReport,
};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// An execution that has used so many times as much processor time without coming to an operation as one
/// may stand still, when the time for the test is over, is taken for one that never ends: unless it is the
/// first, since nobody knows how long they take. The test then is not finished.
const COMPUTING: u32 = 6;
/// The first execution may take so many times as long as all of them should: without it nobody knows
/// whether the test passes.
const FIRST: u32 = 3;
/// The one execution of a long test that is to come to its end may take until so many times its budget, after those that
/// were cut off.
const AFTER_CUTS: u32 = 2;
/// An execution that is not a long one is stopped after so many times as much: the budget is for all of
/// them, and what is confirmed or shrunk when it is used up takes time as well.
const LATE: u32 = 6;
/// For so long a thread that was interrupted may take to hand its execution back.
const LEAVE: Duration = Duration::from_secs(5);

/// What is to be explored, and for whom.
pub struct Watched<'a> {
    /// How.
    pub config: Config,
    /// Metrics that are kept beside those of the configuration.
    pub metrics: Vec<MakeMetric>,
    /// The name of the test, which its thread gets.
    pub name: String,
    /// What is known of the test from executions that went before.
    pub known: Learned,
    /// Called every now and then.
    pub on_progress: &'a mut dyn FnMut(Exploring<'_>),
}

/// An exploration that is over.
pub struct Explored {
    /// What came of it.
    pub report: Report,
    /// What it has learned and nobody has asked for yet.
    pub learned: Learned,
}

/// Explores the test on a new thread and waits for the report. If a thread of the test blocks in
/// something that is not under control, gives up waiting and reports that; the blocked thread
/// is left behind.
///
/// On a thread that is under control the test is run once, here: whoever explores the caller explores it
/// as well. So it is with tests that explore by themselves under `cargo selvedge test`.
#[track_caller]
pub fn watched(watched: Watched<'_>, test: Arc<dyn Fn() + Send + Sync>) -> io::Result<Explored> {
    if Controlled::current().is_some() {
        test();
        let report = Report { executions: 1, threads: 1, ..nothing(Stopped::Executions) };
        return Ok(Explored { report, learned: Learned::default() });
    }
    selvedge_engine::heap::explores();
    let Watched { config, metrics, name, known, on_progress } = watched;
    let watch = Arc::new(Watch::default());
    let exchange = Arc::new(Exchange::new(known));
    let (sender, receiver) = channel();
    let began = wall_clock();
    let stall = config.stall;
    let limits = Limits::of_config(&config);
    let memory = config.memory;
    let budget = config.time;
    // A schedule that is run again takes as long as it takes, as long as it comes to operations.
    let time = if config.replay.is_none() { budget } else { Duration::MAX };
    let theirs = (Arc::clone(&watch), Arc::clone(&exchange));
    let worker = std::thread::Builder::new().name(name.clone()).spawn(move || {
        let report = explore(&config, &metrics, &name, &*test, &theirs.0, &theirs.1);
        // Nobody listens any more if the watcher has given up.
        let _ = sender.send(report);
    })?;
    let over = |report: Report| {
        own_memory::give_back();
        let done = Done { executions: report.executions, steps: report.steps };
        Ok(Explored { learned: exchange.last_news(done), report })
    };
    let mut progress = watch.progress();
    let mut looked = wall_clock();
    let mut patience = Patience::default();
    let mut interrupted: Option<(Interruption, Duration)> = None;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(report) => {
                // What std does at the end of a thread changes statics of its own. Whoever explores next must
                // not take that for something of its test's, and put it back.
                let _ = worker.join();
                return over(report);
            }
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a worker that ends well sends a report"),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        let taken = {
            // What it allocates or locks meanwhile, nobody could give back in a child.
            let _no_child = watch.without_forks();
            on_progress(Exploring { watch: &watch, exchange: &exchange });
            limits.look(&watch)
        };
        match taken {
            Verdict::Fine | Verdict::TooMuch => {}
            Verdict::FarTooMuch => {
                let stopped = nothing(Stopped::OwnMemory);
                return over(given_up(&watch, None, began, stopped));
            }
            Verdict::OfTest(bytes) => {
                let kind = too_much(&watch, bytes, memory);
                return over(given_up(&watch, Some(kind), began, nothing(Stopped::Found)));
            }
        }
        let allowed = match (watch.ended_once(), watch.executions()) {
            (true, _) => time,
            (false, 0) => time.saturating_mul(FIRST),
            (false, _) => time.saturating_mul(AFTER_CUTS),
        };
        if began.elapsed() >= allowed {
            watch.ask_to_stop();
        }
        if began.elapsed() >= allowed.saturating_mul(LATE) {
            watch.insist_on_stop();
        }
        let since = std::mem::replace(&mut looked, wall_clock()).elapsed();
        let now = watch.progress();
        if now != progress || watch.is_waiting() {
            (progress, patience, interrupted) = (now, Patience::default(), None);
            continue;
        }
        patience.look(watch.effort(), since);
        let is_endless = began.elapsed() >= budget && patience.computed() >= stall * COMPUTING;
        let why = match patience.still() >= stall {
            true => Some(Interruption::Still(stall)),
            false => is_endless.then_some(Interruption::Computing(stall * COMPUTING)),
        };
        match (&mut interrupted, why) {
            // The explorer goes on with what the interrupted execution says, or with what is known of it.
            (None, Some(why)) if watch.interrupt(why) => {
                interrupted = Some((why, Duration::ZERO));
            }
            (None, Some(why)) => return over(stalled(&watch, why, began)),
            (Some((why, waited)), _) => {
                *waited += since.min(LOOK * 2);
                // The thread can not be got out of where it is.
                if *waited >= LEAVE {
                    return over(stalled(&watch, *why, began));
                }
            }
            (None, None) => {}
        }
    }
}

/// The report of a test whose execution can not be got to an end.
fn stalled(watch: &Watch, why: Interruption, began: Instant) -> Report {
    if matches!(why, Interruption::Computing(_)) && watch.executions() == 0 {
        return given_up(watch, None, began, nothing(Stopped::Unfinished));
    }
    given_up(watch, Some(standstill(watch, why.duration())), began, nothing(Stopped::Found))
}

/// Who ran last, and the place of its last operation.
fn last(watch: &Watch) -> (ThreadReport, Option<Source>) {
    let (thread, after): (u32, Option<Source>) = watch.last();
    let path = match thread {
        0 => ThreadPath::main(),
        // Which child of which thread it is can not be known from here; its number is.
        n => ThreadPath::main().child(n),
    };
    (ThreadReport { path, name: None, spawned: None }, after)
}

/// What is wrong with it.
fn standstill(watch: &Watch, stall: Duration) -> FindingKind {
    let (thread, after) = last(watch);
    let milliseconds = u64::try_from(stall.as_millis()).unwrap_or(u64::MAX);
    FindingKind::Stalled { thread, milliseconds, after }
}

/// A test that has touched more memory than it may.
fn too_much(watch: &Watch, bytes: usize, limit: usize) -> FindingKind {
    let (thread, after) = last(watch);
    let last = Box::new(MemoryEvent { thread: Some(thread), after, frames: Vec::new() });
    FindingKind::Memory { bytes: bytes as u64, limit: limit as u64, last }
}

/// The report of an exploration whose thread is left behind.
fn given_up(watch: &Watch, kind: Option<FindingKind>, began: Instant, report: Report) -> Report {
    let finding = kind.map(|kind| Finding {
        kind,
        schedule: Schedule::default(),
        steps: Vec::new(),
        before: 0,
        unrecorded: 0,
        threads: Vec::new(),
        panics: Vec::new(),
        output: String::new(),
        execution: 0,
        strategy: String::new(),
        replayed: Replayed::No,
        stacks: CallStacks::default(),
    });
    Report {
        executions: watch.executions(),
        steps: watch.steps(),
        finding,
        elapsed: began.elapsed(),
        ..report
    }
}

/// The report of an exploration of which nothing is known.
fn nothing(stopped: Stopped) -> Report {
    Report {
        executions: 0,
        steps: 0,
        threads: 0,
        stopped,
        finding: None,
        warnings: Vec::new(),
        output: String::new(),
        conditions: Conditions::default(),
        coverage: Vec::new(),
        guidance: None,
        orders: None,
        remaining: Vec::new(),
        trace: None,
        elapsed: Duration::ZERO,
    }
}
