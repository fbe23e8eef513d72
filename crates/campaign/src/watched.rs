//! An exploration on a thread of its own, with somebody who notices when it stands still.

use crate::busy::Work;
use crate::clock::wall_clock;
use crate::explore::explore;
use selvedge_engine::Watch;
use selvedge_model::{
    Config, Finding, FindingKind, Replayed, Report, Schedule, Source, Stopped, ThreadPath,
    ThreadReport,
};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often the watcher looks.
const LOOK: Duration = Duration::from_millis(50);

/// A thread that makes no step is taken to compute if it has had a processor for at least this part
/// of the time, on a machine that is busy with other things.
const COMPUTES: u32 = 20;
/// A thread that computes is waited for so many times as long as one that stands still.
const PATIENCE: u32 = 10;

/// What is to be explored, and for whom.
pub struct Watched<'a> {
    /// How.
    pub config: Config,
    /// The name of the test, which its thread gets.
    pub name: String,
    /// Called every now and then with the number of executions so far.
    pub on_progress: &'a mut dyn FnMut(u64),
}

/// Explores the test on a new thread and waits for the report. If a thread of the test blocks in
/// something that is not under control, gives up waiting and reports that; the blocked thread
/// is left behind. One that computes for very long without a step is left behind as well, but has
/// done nothing wrong.
#[track_caller]
pub fn watched(watched: Watched<'_>, test: Arc<dyn Fn() + Send + Sync>) -> io::Result<Report> {
    let Watched { config, name, on_progress } = watched;
    let watch = Arc::new(Watch::default());
    let (sender, receiver) = channel();
    let (tell_work, hear_of_work) = channel();
    let began = wall_clock();
    let stall = config.stall;
    // A schedule that is run again takes as long as it takes.
    let time = if config.replay.is_none() { config.time } else { Duration::MAX };
    let theirs = Arc::clone(&watch);
    let worker = std::thread::Builder::new().name(name).spawn(move || {
        let _ = tell_work.send(Work::of_this_thread());
        let report = explore(&config, &*test, &theirs);
        // Nobody listens any more if the watcher has given up.
        let _ = sender.send(report);
    })?;
    let work = hear_of_work.recv().ok().flatten();
    let done = || work.as_ref().and_then(Work::done);
    let mut seen = (watch.steps(), wall_clock(), done());
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(report) => return Ok(report),
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a worker that ends well sends a report"),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        on_progress(watch.executions());
        if began.elapsed() >= time {
            watch.ask_to_stop();
        }
        let steps = watch.steps();
        if steps != seen.0 || watch.is_waiting() {
            seen = (steps, wall_clock(), done());
            continue;
        }
        let still = seen.1.elapsed();
        if still < stall {
            continue;
        }
        let computes = match (seen.2, done()) {
            (Some(before), Some(now)) => now - before >= still / COMPUTES,
            _ => false,
        };
        if !computes {
            return Ok(stalled(&watch, stall, began));
        }
        if still >= stall * PATIENCE {
            return Ok(given_up(&watch, began));
        }
    }
}

/// The report of a test that computes and computes.
fn given_up(watch: &Watch, began: Instant) -> Report {
    Report {
        executions: watch.executions() + 1,
        steps: watch.steps(),
        threads: 0,
        stopped: Stopped::Long,
        finding: None,
        output: String::new(),
        elapsed: began.elapsed(),
    }
}

/// The report of a test that stands still.
fn stalled(watch: &Watch, stall: Duration, began: Instant) -> Report {
    let (thread, after): (u32, Option<Source>) = watch.last();
    let path = match thread {
        0 => ThreadPath::main(),
        // Which child of which thread it is can not be known from here; its number is.
        n => ThreadPath::main().child(n),
    };
    let thread = ThreadReport { path, name: None, spawned: None };
    let milliseconds = u64::try_from(stall.as_millis()).unwrap_or(u64::MAX);
    let finding = Finding {
        kind: FindingKind::Stalled { thread, milliseconds, after },
        schedule: Schedule::default(),
        steps: Vec::new(),
        unrecorded: 0,
        threads: Vec::new(),
        panics: Vec::new(),
        output: String::new(),
        execution: 0,
        strategy: String::new(),
        replayed: Replayed::No,
    };
    Report {
        executions: watch.executions(),
        steps: watch.steps(),
        threads: 0,
        stopped: Stopped::Found,
        finding: Some(finding),
        output: String::new(),
        elapsed: began.elapsed(),
    }
}
