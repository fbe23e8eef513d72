//! As many workers as there are processors.

use super::allowed::without_race;
use super::plan::{Job, Plan};
use super::worker::{Answer, Worker};
use super::{Death, EndedBy, Outcome};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use selvedge_model::{Config, FindingKind, Forked, Isolation, Report};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How much longer than its budget a worker may be silent before it counts as hanging.
const GRACE: Duration = Duration::from_secs(60);

/// So often somebody looks whether to stop.
const LOOK: Duration = Duration::from_millis(100);

/// What is going on.
#[derive(Debug)]
pub(crate) enum Event {
    /// A test is being explored.
    Started { job: usize },
    /// So many executions are done.
    Progress { job: usize, executions: u64 },
    /// It was given up because nobody wants to wait any longer.
    Stopped { job: usize },
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
    let running = Running::default();
    let (sender, receiver): (Sender<Event>, Receiver<Event>) = channel();
    let starting = Mutex::new(());
    thread::scope(|scope| {
        for _ in 0..at_a_time.clamp(1, plan.jobs.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(|| {
                Runner {
                    plan,
                    next: &next,
                    stop,
                    running: &running,
                    starting: &starting,
                    events: sender,
                }
                .work()
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok(event) => listen(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if stop.load(Ordering::Relaxed) {
                running.kill_all();
            }
        }
    });
}

/// The processes that are at work.
#[derive(Default)]
struct Running(Mutex<Vec<Pid>>);

impl Running {
    fn all(&self) -> MutexGuard<'_, Vec<Pid>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `f` while the process can be killed from elsewhere.
    fn during<R>(&self, process: Option<Pid>, f: impl FnOnce() -> R) -> R {
        self.all().extend(process);
        let result = f();
        self.all().retain(|other| Some(*other) != process);
        result
    }

    fn kill_all(&self) {
        for process in self.all().iter() {
            // It may have ended by itself.
            let _ = killpg(*process, Signal::SIGKILL);
        }
    }
}

/// Takes one job after the other.
struct Runner<'a> {
    plan: &'a Plan,
    next: &'a AtomicUsize,
    stop: &'a AtomicBool,
    running: &'a Running,
    starting: &'a Mutex<()>,
    events: Sender<Event>,
}

impl Runner<'_> {
    /// Nobody listens any more if the command is about to end.
    fn tell(&self, event: Event) {
        drop(self.events.send(event));
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn work(&self) {
        let mut worker: Option<(usize, Box<Worker>)> = None;
        loop {
            let job = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(Job { binary, test, .. }) = self.plan.jobs.get(job) else { return };
            if self.stopped() {
                return;
            }
            self.tell(Event::Started { job });
            let began = Instant::now();
            if worker.as_ref().is_none_or(|(current, _)| current != binary) {
                worker = None;
                match self.start(*binary) {
                    Ok(started) => worker = Some((*binary, started)),
                    Err(why) => {
                        self.tell(finished(job, Outcome::Failed(why), String::new(), began));
                        continue;
                    }
                }
            }
            let Some((_, current)) = &mut worker else { continue };
            let planned = &self.plan.binaries[*binary];
            let settings = &planned.settings.explore;
            let mut outcome = self.explore(job, *test, current, settings);
            let mut allowing = settings.clone();
            while let Outcome::Explored(report) = &outcome
                && let Some(more) = without_race(planned, &allowing, report)
            {
                outcome = self.explore(job, *test, current, &more);
                allowing = more;
            }
            if let Outcome::Died(death) = &outcome
                && !self.stopped()
                && death.by == EndedBy::Itself
                && isolation(settings) == Isolation::On
                && let Ok(started) = self.start(*binary)
            {
                *current = started;
                if let Some(report) = self.explore_forked(job, *test, current, settings) {
                    outcome = Outcome::Explored(report);
                }
            }
            if self.stopped() && matches!(outcome, Outcome::Died(_)) {
                return self.tell(Event::Stopped { job });
            }
            let printed = match &outcome {
                Outcome::Died(Death { printed, .. }) => printed.clone(),
                _ => current.printed(),
            };
            if !may_go_on(&outcome) {
                worker = None;
            }
            self.tell(finished(job, outcome, printed, began));
        }
    }

    fn explore(
        &self,
        job: usize,
        test: usize,
        worker: &mut Worker,
        settings: &[(String, String)],
    ) -> Outcome {
        self.running.during(worker.lifeline(), || {
            worker.run(test, settings, patience(settings), &mut |executions| {
                self.tell(Event::Progress { job, executions });
            })
        })
    }

    /// Explores a test that has taken its process along, with a process for each execution: the one
    /// that goes wrong is then a finding. Nothing if it does not go wrong in this way.
    fn explore_forked(
        &self,
        job: usize,
        test: usize,
        worker: &mut Worker,
        settings: &[(String, String)],
    ) -> Option<Box<Report>> {
        let mut settings = settings.to_vec();
        settings.push(FORK.map(str::to_owned).into());
        let Outcome::Explored(mut report) = self.explore(job, test, worker, &settings) else {
            return None;
        };
        report.conditions.forked = Some(Forked::Died);
        report.finding.is_some().then_some(report)
    }

    /// Workers are started one after the other: a test binary that is being loaded by several
    /// processes at once is slow for all of them.
    fn start(&self, binary: usize) -> Result<Box<Worker>, String> {
        let _one_at_a_time = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        match Worker::start(&self.plan.binaries[binary].binary) {
            Ok(Answer::Hello(worker)) => Ok(worker),
            Ok(Answer::Stranger(why)) => Err(why),
            Err(error) => Err(format!("{error:#}")),
        }
    }
}

/// The setting that gives each execution a process of its own.
pub(crate) const FORK: [&str; 2] = ["isolation", "fork"];

/// What keeps executions apart if a worker is given these settings.
fn isolation(settings: &[(String, String)]) -> Isolation {
    // What a worker does that nobody tells otherwise.
    checked(Config { isolation: Isolation::On, ..Config::default() }, settings).isolation
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
    let config = checked(Config::default(), settings);
    config.time + config.stall + GRACE
}

/// Applies settings. They have been checked; whoever gets here with a bad one hears of it from the
/// worker.
fn checked(mut config: Config, settings: &[(String, String)]) -> Config {
    for (key, value) in settings {
        let _ = config.set(key, value);
    }
    config
}
