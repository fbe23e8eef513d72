//! A group that follows a schedule: what is known of its threads.

use super::clock::Clock;
use super::member::Pulse;
use super::os::{Activity, look};
use crate::Mode;
use selvedge_spec::{Action, Letter, Monitor, Permission, Place, Spec, ThreadKey, Violation};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The name that a schedule has for the thread that runs the test.
pub(crate) const MAIN: &str = "main";

/// A group that follows a schedule.
#[derive(Debug)]
pub(crate) struct Scheduled {
    /// The schedule's name.
    pub(crate) name: String,
    pub(crate) spec: Spec,
    pub(crate) mode: Mode,
    state: Mutex<ScheduleState>,
    /// Told to threads that are held or asleep: they may look again whether they can go on.
    moved: Condvar,
    /// Told to the keeper.
    keeper: Condvar,
}

/// How a test's body has ended: with what it panicked, if it did.
pub(crate) type Ended = Result<(), Box<dyn Any + Send>>;

/// What is known of the threads, under the group's lock.
#[derive(Debug)]
pub(crate) struct ScheduleState {
    pub(crate) monitor: Monitor,
    pub(crate) violations: Vec<Violation>,
    /// By their keys.
    pub(crate) threads: Vec<Thread>,
    pub(crate) course: Course,
    /// How the body has ended, once it has.
    pub(crate) body: Option<Ended>,
    /// A thread that may perform its event because nobody else can go on.
    pub(crate) granted: Option<u32>,
    /// Counts whatever changes what somebody could conclude from the rest.
    pub(crate) changes: u64,
    /// When a letter was read last, or a thread began or ended.
    pub(crate) progress: Instant,
    /// How often the clock has jumped since.
    pub(crate) jumps: u32,
    /// How long time could have jumped since, and did not because of threads of nobody's.
    pub(crate) idle: Duration,
    /// The names of all events that happened, and of their threads.
    pub(crate) events: BTreeSet<(&'static str, Option<String>)>,
    /// Whom to tell when the lock is released.
    calls: Calls,
}

/// Whom to tell of what has changed.
#[derive(Clone, Copy, Debug, Default)]
struct Calls {
    threads: Called,
    keeper: Called,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Called {
    Yes,
    #[default]
    No,
}

/// The state, under the group's lock. When it is dropped, whoever has been called is woken, and
/// finds the lock free.
pub(crate) struct Locked<'a> {
    scheduled: &'a Scheduled,
    /// There but while the guard is dropped or waits.
    state: Option<MutexGuard<'a, ScheduleState>>,
}

impl Deref for Locked<'_> {
    type Target = ScheduleState;

    fn deref(&self) -> &ScheduleState {
        self.state.as_ref().expect("only taken when the guard is")
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut ScheduleState {
        self.state.as_mut().expect("only taken when the guard is")
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        let Some(mut state) = self.state.take() else { return };
        let calls = std::mem::take(&mut state.calls);
        drop(state);
        self.scheduled.call(calls);
    }
}

impl<'a> Locked<'a> {
    /// Waits until threads have been called.
    pub(crate) fn wait_as_thread(mut self) -> Self {
        if let Some(mut state) = self.state.take() {
            // Nobody is woken who could not go on: the lock is released right away.
            self.scheduled.call(std::mem::take(&mut state.calls));
            let moved = &self.scheduled.moved;
            self.state = Some(moved.wait(state).unwrap_or_else(PoisonError::into_inner));
        }
        self
    }

    /// Waits until the keeper has been called, or the time has passed.
    pub(crate) fn wait_as_keeper(mut self, time: Option<Duration>) -> Self {
        if let Some(mut state) = self.state.take() {
            self.scheduled.call(std::mem::take(&mut state.calls));
            let keeper = &self.scheduled.keeper;
            self.state = Some(match time {
                None => keeper.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(time) => {
                    keeper.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0
                }
            });
        }
        self
    }
}

/// How far the group has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// The schedule is in force.
    Open,
    /// It is not any more: the test is over, or has been given up. Who is held stays so.
    Over,
}

/// What is known of a thread.
#[derive(Debug)]
pub(crate) struct Thread {
    pub(crate) pulse: Arc<Pulse>,
    pub(crate) name: Option<String>,
    pub(crate) doing: Doing,
    /// Whether the schedule has been told that it is blocked.
    pub(crate) told: Told,
    /// How often it has been told so.
    pub(crate) blocks: u32,
    /// The events that the schedule mentions, and how often the thread had been blocked at the last
    /// occurrence.
    pub(crate) performed: BTreeMap<&'static str, u32>,
    /// The last event and where it was.
    pub(crate) last: Option<(&'static str, Place)>,
}

/// What the schedule believes of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Blocked,
    NotBlocked,
}

/// What a thread does.
#[derive(Clone, Debug)]
pub(crate) enum Doing {
    /// Something that we know nothing of.
    Running,
    /// It waits for its turn to perform an event.
    Held { action: Action<'static>, place: Option<Place> },
    /// It waits in the kernel.
    Waiting(Waiting),
    /// It sleeps until a time of the group.
    Asleep { until: Duration, end: SleepEnd },
    /// It is not there any more, or about not to be.
    Ended { at: Instant },
}

/// How a thread waits.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) at: WaitsAt,
    /// Until a time of the group.
    pub(crate) until: Option<Duration>,
    pub(crate) since: Instant,
    /// Whether the keeper has ended it, since its time has come.
    pub(crate) end: SleepEnd,
}

/// What a thread waits at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitsAt {
    /// The word at this address. If it is timed, only the keeper ends it.
    Futex(usize),
    /// The end of another thread.
    Join,
    /// The rest of the world.
    World,
}

/// Whether the time of a wait or a sleep has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SleepEnd {
    NotYet,
    Come,
}

impl Scheduled {
    pub(crate) fn new(spec: &Spec, name: &str, mode: Mode) -> Self {
        let state = ScheduleState {
            monitor: Monitor::new(spec),
            violations: Vec::new(),
            threads: Vec::new(),
            course: Course::Open,
            body: None,
            granted: None,
            changes: 0,
            progress: Instant::now(),
            jumps: 0,
            idle: Duration::ZERO,
            events: BTreeSet::new(),
            calls: Calls::default(),
        };
        Self {
            name: name.to_owned(),
            spec: spec.clone(),
            mode,
            state: Mutex::new(state),
            moved: Condvar::new(),
            keeper: Condvar::new(),
        }
    }

    pub(crate) fn lock(&self) -> Locked<'_> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Locked { scheduled: self, state: Some(state) }
    }

    fn call(&self, calls: Calls) {
        if calls.threads == Called::Yes {
            self.moved.notify_all();
        }
        if calls.keeper == Called::Yes {
            self.keeper.notify_one();
        }
    }

    /// A thread is about to be started. Says what its key is.
    pub(crate) fn add(&self, pulse: Arc<Pulse>) -> u32 {
        let mut state = self.lock();
        let key = u32::try_from(state.threads.len()).expect("fewer threads than numbers");
        state.threads.push(Thread {
            pulse,
            name: None,
            doing: Doing::Running,
            told: Told::NotBlocked,
            blocks: 0,
            performed: BTreeMap::new(),
            last: None,
        });
        state.has_progressed();
        key
    }

    /// The thread could not be started.
    pub(crate) fn remove(&self, key: u32) {
        let mut state = self.lock();
        state.set(key, Doing::Ended { at: Instant::now() });
        state.call_keeper();
    }

    /// The body has ended.
    pub(crate) fn body_ended(&self, ended: Ended) {
        let mut state = self.lock();
        state.body = Some(ended);
        state.has_progressed();
        state.call_keeper();
    }

    /// The thread has ended.
    pub(crate) fn ended(&self, key: u32) {
        self.letter(self.lock(), key, Action::End, None);
        let mut state = self.lock();
        state.set(key, Doing::Ended { at: Instant::now() });
        state.has_progressed();
        state.call_keeper();
    }

    /// Whether time passes as the keeper says.
    pub(crate) fn has_virtual_time(&self) -> bool {
        self.mode == Mode::Enforce
    }

    /// The time of a wait or sleep of the given length.
    pub(crate) fn deadline(clock: &Clock, time: Duration) -> Duration {
        clock.now().saturating_add(time)
    }
}

impl ScheduleState {
    /// The keys of all threads.
    pub(crate) fn keys(&self) -> std::ops::Range<u32> {
        0..self.threads.len() as u32
    }

    pub(crate) fn thread(&self, key: u32) -> &Thread {
        &self.threads[key as usize]
    }

    pub(crate) fn thread_mut(&mut self, key: u32) -> &mut Thread {
        &mut self.threads[key as usize]
    }

    pub(crate) fn set(&mut self, key: u32, doing: Doing) {
        self.thread_mut(key).doing = doing;
        self.changes += 1;
    }

    /// Threads that are held or asleep shall look again whether they can go on.
    pub(crate) fn call_threads(&mut self) {
        self.calls.threads = Called::Yes;
    }

    /// The keeper shall look again.
    pub(crate) fn call_keeper(&mut self) {
        self.calls.keeper = Called::Yes;
    }

    /// The thread has ceased to run. The keeper shall look again, if there may be something to see:
    /// that somebody is blocked, that it is the first to wait for its time, that nobody runs.
    pub(crate) fn ceased_to_run(&mut self, key: u32) {
        let may_be_blocked = self.monitor.watches_blocking() && self.is_anybody_held();
        let is_next = self.deadline(key).is_some_and(|time| self.next_deadline() == Some(time));
        if may_be_blocked || is_next || !self.is_anybody_running() {
            self.call_keeper();
        }
    }

    /// When the thread's wait or sleep ends, if the keeper is who ends it.
    pub(crate) fn deadline(&self, key: u32) -> Option<Duration> {
        match &self.thread(key).doing {
            Doing::Asleep { until, end: SleepEnd::NotYet } => Some(*until),
            Doing::Waiting(Waiting {
                at: WaitsAt::Futex(_),
                until: Some(until),
                end: SleepEnd::NotYet,
                ..
            }) => Some(*until),
            _ => None,
        }
    }

    /// The first of these times.
    pub(crate) fn next_deadline(&self) -> Option<Duration> {
        self.keys().filter_map(|key| self.deadline(key)).min()
    }

    pub(crate) fn has_progressed(&mut self) {
        self.changes += 1;
        self.progress = Instant::now();
        self.jumps = 0;
        self.idle = Duration::ZERO;
    }

    pub(crate) fn is_anybody_running(&self) -> bool {
        self.threads.iter().any(|thread| matches!(thread.doing, Doing::Running))
    }

    pub(crate) fn is_anybody_held(&self) -> bool {
        self.threads.iter().any(|thread| matches!(thread.doing, Doing::Held { .. }))
    }

    pub(crate) fn letter(&self, key: u32, action: Action<'static>) -> Letter<'_> {
        Letter { action, thread: ThreadKey(key), name: self.thread(key).name.as_deref() }
    }

    pub(crate) fn mentions(&self, key: u32, action: Action<'_>) -> bool {
        self.monitor.mentions(action, self.thread(key).name.as_deref())
    }

    pub(crate) fn permission(&self, key: u32, action: Action<'static>) -> Permission {
        self.monitor.permission(&self.letter(key, action))
    }

    /// The letter happens.
    pub(crate) fn step(&mut self, key: u32, action: Action<'static>, place: Option<Place>) {
        let name = self.threads[key as usize].name.as_deref();
        let letter = Letter { action, thread: ThreadKey(key), name };
        let violations = self.monitor.step(&letter, place);
        self.violations.extend(violations);
        let thread = self.thread_mut(key);
        match action {
            Action::Event(name) => {
                thread.performed.insert(name, thread.blocks);
            }
            Action::Block => {
                thread.told = Told::Blocked;
                thread.blocks += 1;
            }
            Action::Unblock | Action::End => thread.told = Told::NotBlocked,
            Action::Start => {}
        }
        match action {
            // These happen by themselves, again and again if a thread polls.
            Action::Block | Action::Unblock => self.changes += 1,
            _ => self.has_progressed(),
        }
    }
}

impl Thread {
    /// Whether it is in the kernel and waits, as far as anybody can tell.
    pub(crate) fn is_in_kernel(&self) -> bool {
        let in_kernel = || self.pulse.in_kernel.load(Ordering::Acquire);
        in_kernel() && look(self.pulse.tid.load(Ordering::Acquire)) != Activity::Runs && in_kernel()
    }

    /// Whether it waits in the kernel without our knowing for what, and not in our own code.
    pub(crate) fn is_elsewhere(&self) -> bool {
        let tid = self.pulse.tid.load(Ordering::Acquire);
        let is_ours = || tid == 0 || self.pulse.inside.load(Ordering::Acquire);
        !is_ours() && look(tid) == Activity::Waits && !is_ours()
    }
}
