//! As many workers as there are processors.

mod first;
mod fresh;
mod together;

use super::allotment::{Allotment, Explore, checked};
use super::allowed::without_race;
use super::plan::{Job, Plan};
use super::worker::{Answer, Asked, News, Worker, go_on};
use super::{Death, EndedBy, Outcome};
use crate::findings::{Earlier, Tried};
use first::First;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use selvedge_model::{Config, FindingKind, Forked, Isolation, Learned, Report, Stopped};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

/// How much longer than its budget a worker may be silent before it counts as hanging.
const GRACE: Duration = Duration::from_secs(60);

/// So often somebody looks whether to stop.
const LOOK: Duration = Duration::from_millis(100);

/// So many events may wait for whoever listens. Workers that tell more are answered later.
const BEHIND: usize = 64;

/// One of the processes that explore a test at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Member {
    /// Which one, from 0.
    pub(crate) index: usize,
    /// Where its randomness comes from.
    pub(crate) seed: u64,
}

/// What is going on.
#[derive(Debug)]
pub(crate) enum Event {
    /// A test is being explored.
    Started { job: usize },
    /// So many executions are done. One of the processes, which has been at it for so long, has
    /// learned something.
    Progress { job: usize, executions: u64, member: Member, learned: Learned, elapsed: Duration },
    /// It was given up because nobody wants to wait any longer.
    Stopped { job: usize },
    /// It is done.
    Finished { job: usize, over: Over },
}

/// What came of a test, and what else is known of how it went.
#[derive(Debug)]
pub(crate) struct Over {
    /// What came of it.
    pub(crate) outcome: Outcome,
    /// What it printed.
    pub(crate) printed: String,
    /// How long it took.
    pub(crate) elapsed: Duration,
    /// What earlier runs had found, and whether it still shows.
    pub(crate) tried: Vec<Tried>,
}

/// What is to be run of a plan, and how.
pub(crate) struct Work<'a> {
    /// The plan.
    pub(crate) plan: &'a Plan,
    /// Which of its jobs, in this order.
    pub(crate) jobs: Vec<usize>,
    /// So many jobs at a time.
    pub(crate) at_a_time: usize,
    /// So many processes for each of them.
    pub(crate) processes: usize,
    /// Says how a job is to be explored, or why it can not be.
    pub(crate) brief: &'a (dyn Fn(usize) -> Result<Brief, String> + Sync),
}

/// How a test is to be explored.
#[derive(Clone, Debug)]
pub(crate) struct Brief {
    /// The settings.
    pub(crate) settings: Explore,
    /// What is known of it from executions that went before.
    pub(crate) known: Learned,
    /// What was found in it before, to be tried first.
    pub(crate) first: Vec<Earlier>,
}

/// Does all of the work and hands what happens to `listen`, until all is done or `stop` is set.
pub(crate) fn run_all(work: &Work<'_>, stop: &AtomicBool, listen: &mut dyn FnMut(Event)) {
    let next = AtomicUsize::new(0);
    let running = Running::default();
    let (sender, receiver): (SyncSender<Event>, Receiver<Event>) = sync_channel(BEHIND);
    let starting = Mutex::new(());
    let world = RwLock::new(());
    thread::scope(|scope| {
        for _ in 0..work.at_a_time.clamp(1, work.jobs.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(|| {
                Runner {
                    work,
                    next: &next,
                    stop,
                    running: &running,
                    starting: &starting,
                    world: &world,
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
    work: &'a Work<'a>,
    next: &'a AtomicUsize,
    stop: &'a AtomicBool,
    running: &'a Running,
    starting: &'a Mutex<()>,
    /// Read by those who explore, written by one who wants to be alone: tests share files, ports and the
    /// processors.
    world: &'a RwLock<()>,
    events: SyncSender<Event>,
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
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&job) = self.work.jobs.get(next) else { return };
            let Job { binary, test, .. } = &self.work.plan.jobs[job];
            if self.stopped() {
                return;
            }
            self.tell(Event::Started { job });
            let began = Instant::now();
            let failed = |why| {
                let (outcome, printed) = (Outcome::Failed(why), String::new());
                let over = Over { outcome, printed, elapsed: began.elapsed(), tried: Vec::new() };
                Event::Finished { job, over }
            };
            let mut brief = match (self.work.brief)(job) {
                Ok(brief) => brief,
                Err(why) => {
                    self.tell(failed(why));
                    continue;
                }
            };
            if worker.as_ref().is_none_or(|(current, _)| current != binary) {
                worker = None;
                match self.start(*binary) {
                    Ok(started) => worker = Some((*binary, started)),
                    Err(why) => {
                        self.tell(failed(why));
                        continue;
                    }
                }
            }
            let Some((_, current)) = &mut worker else { continue };
            let planned = &self.work.plan.binaries[*binary];
            let beside_others = self.world.read().unwrap_or_else(PoisonError::into_inner);
            let First { shown, tried } = self.try_first((*binary, *test), current, &brief);
            let mut outcome = match shown {
                Some((report, needed)) => {
                    brief = needed;
                    Outcome::Explored(report)
                }
                None => self.explore(job, *test, current, &brief),
            };
            while let Outcome::Explored(report) = &outcome
                && let Some(more) = without_race(planned, &brief.settings, report)
            {
                brief.settings = more;
                outcome = self.explore(job, *test, current, &brief);
            }
            if let Outcome::Died(death) = &outcome
                && !self.stopped()
                && death.by == EndedBy::Itself
                && isolation(&brief.settings) == Isolation::On
                && let Ok(started) = self.start(*binary)
            {
                *current = started;
                if let Some(report) = self.explore_forked(job, *test, current, brief.clone()) {
                    outcome = Outcome::Explored(report);
                }
            }
            drop(beside_others);
            let may_go_on = may_go_on(&outcome);
            let outcome = self.confirmed_afresh(job, (*binary, *test), outcome, &brief);
            if self.stopped() && matches!(outcome, Outcome::Died(_)) {
                return self.tell(Event::Stopped { job });
            }
            let printed = match &outcome {
                Outcome::Died(Death { printed, .. }) => printed.clone(),
                _ => current.printed(),
            };
            if !may_go_on {
                worker = None;
            }
            let over = Over { outcome, printed, elapsed: began.elapsed(), tried };
            self.tell(Event::Finished { job, over });
        }
    }

    fn explore(&self, job: usize, test: usize, worker: &mut Worker, brief: &Brief) -> Outcome {
        match self.work.processes {
            1 => self.explore_alone(job, test, worker, brief, &mut |_| {}),
            _ => self.explore_together(job, test, worker, brief),
        }
    }

    /// Explores in one process.
    fn explore_alone(
        &self,
        job: usize,
        test: usize,
        worker: &mut Worker,
        brief: &Brief,
        on_news: &mut dyn FnMut(&Learned),
    ) -> Outcome {
        let began = Instant::now();
        let member = Member { index: 0, seed: Allotment::of(&brief.settings).seed };
        self.running.during(worker.lifeline(), || {
            worker.run(asked(test, brief), &mut |News { executions, learned }| {
                on_news(&learned);
                let elapsed = began.elapsed();
                self.tell(Event::Progress { job, executions, member, learned, elapsed });
                go_on()
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
        mut brief: Brief,
    ) -> Option<Box<Report>> {
        brief.settings.push(FORK.map(str::to_owned).into());
        let outcome = self.explore_alone(job, test, worker, &brief, &mut |_| {});
        let Outcome::Explored(mut report) = outcome else { return None };
        report.conditions.forked = Some(Forked::Died);
        report.finding.is_some().then_some(report)
    }

    /// Workers are started one after the other: a test binary that is being loaded by several
    /// processes at once is slow for all of them.
    fn start(&self, binary: usize) -> Result<Box<Worker>, String> {
        let _one_at_a_time = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        match Worker::start(&self.work.plan.binaries[binary].binary) {
            Ok(Answer::Hello(worker)) => Ok(worker),
            Ok(Answer::Stranger(why)) => Err(why),
            Err(error) => Err(format!("{error:#}")),
        }
    }
}

fn asked(test: usize, brief: &Brief) -> Asked {
    let Brief { settings, known, .. } = brief.clone();
    let patience = patience(&settings);
    Asked { test, settings, known, patience }
}

/// The setting that gives each execution a process of its own.
pub(crate) const FORK: [&str; 2] = ["isolation", "fork"];

/// What keeps executions apart if a worker is given these settings.
fn isolation(settings: &[(String, String)]) -> Isolation {
    // What a worker does that nobody tells otherwise.
    checked(Config { isolation: Isolation::On, ..Config::default() }, settings).isolation
}

/// Whether a worker is as good as new after this. One in which a thread hangs is not, nor one that is
/// full of what nobody needs any more.
fn may_go_on(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Explored(report)
            if matches!(
                report.stopped,
                Stopped::OwnMemory | Stopped::Unfinished | Stopped::Plain
            ) =>
        {
            false
        }
        Outcome::Explored(report) => !report.finding.as_ref().is_some_and(|finding| {
            matches!(
                finding.kind,
                FindingKind::Stalled { .. }
                    | FindingKind::Memory { .. }
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
