//! As many workers as there are processors.

use super::plan::{Job, Plan};
use super::worker::{Answer, Worker};
use super::{Death, Outcome};
use selvedge_model::{Config, FindingKind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How much longer than its budget a worker may be silent before it counts as hanging.
const GRACE: Duration = Duration::from_secs(60);

/// What is going on.
#[derive(Debug)]
pub(crate) enum Event {
    /// A test is being explored.
    Started { job: usize },
    /// So many executions are done.
    Progress { job: usize, executions: u64 },
    /// It is done.
    Finished { job: usize, outcome: Outcome, printed: String, elapsed: Duration },
}

/// Runs every job of the plan and hands what happens to `listen`, until all are done or `stop` is
/// set.
pub(crate) fn run_all(
    plan: &Plan,
    at_a_time: usize,
    stop: &AtomicBool,
    listen: &mut dyn FnMut(Event),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver): (Sender<Event>, Receiver<Event>) = channel();
    // Workers are started one after the other: a test binary that is being loaded by several
    // processes at once is slow for all of them.
    let starting = Mutex::new(());
    thread::scope(|scope| {
        for _ in 0..at_a_time.clamp(1, plan.jobs.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(|| work(plan, &next, stop, &starting, sender));
        }
        drop(sender);
        for event in receiver {
            listen(event);
        }
    });
}

/// Takes one job after the other.
fn work(
    plan: &Plan,
    next: &AtomicUsize,
    stop: &AtomicBool,
    starting: &Mutex<()>,
    events: Sender<Event>,
) {
    let mut worker: Option<(usize, Box<Worker>)> = None;
    // Nobody listens any more if the command is about to end.
    let tell = |event| drop(events.send(event));
    loop {
        let job = next.fetch_add(1, Ordering::Relaxed);
        let Some(Job { binary, test, .. }) = plan.jobs.get(job) else { return };
        if stop.load(Ordering::Relaxed) {
            return;
        }
        tell(Event::Started { job });
        let began = Instant::now();
        let planned = &plan.binaries[*binary];
        if worker.as_ref().is_none_or(|(current, _)| current != binary) {
            worker = None;
            let _one_at_a_time = starting.lock().unwrap_or_else(|error| error.into_inner());
            match Worker::start(&planned.binary) {
                Ok(Answer::Hello(started)) => worker = Some((*binary, started)),
                Ok(Answer::Stranger(why)) => {
                    tell(finished(job, Outcome::Failed(why), String::new(), began));
                    continue;
                }
                Err(error) => {
                    tell(finished(
                        job,
                        Outcome::Failed(format!("{error:#}")),
                        String::new(),
                        began,
                    ));
                    continue;
                }
            }
        }
        let Some((_, running)) = &mut worker else { continue };
        let settings = &planned.settings.explore;
        let outcome = running.run(*test, settings, patience(settings), &mut |executions| {
            tell(Event::Progress { job, executions });
        });
        let printed = match &outcome {
            Outcome::Died(Death { printed, .. }) => printed.clone(),
            _ => running.printed(),
        };
        if !may_go_on(&outcome) {
            worker = None;
        }
        tell(finished(job, outcome, printed, began));
    }
}

fn finished(job: usize, outcome: Outcome, printed: String, began: Instant) -> Event {
    Event::Finished { job, outcome, printed, elapsed: began.elapsed() }
}

/// Whether a worker is as good as new after this. One in which a thread hangs is not.
fn may_go_on(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Explored(report) => !report.finding.as_ref().is_some_and(|finding| {
            matches!(
                finding.kind,
                FindingKind::Stalled { .. }
                    | FindingKind::Crash { .. }
                    | FindingKind::StackOverflow { .. }
                    | FindingKind::Exit { .. }
            )
        }),
        Outcome::Died(_) | Outcome::Failed(_) => false,
    }
}

/// How long a worker may be silent: the time of the test, what it takes to notice that it hangs,
/// and some more.
fn patience(settings: &[(String, String)]) -> Duration {
    let mut config = Config::default();
    for (key, value) in settings {
        // They have been checked; whoever gets here with a bad one hears of it from the worker.
        let _ = config.set(key, value);
    }
    config.time + config.stall + GRACE
}
