//! A group that follows a schedule: what is known of its threads.

use super::clock::Clock;
use super::member::Pulse;
use crate::Mode;
use selvedge_spec::{Action, Letter, Monitor, Permission, Place, Spec, ThreadKey, Violation};
use std::any::Any;
use std::collections::BTreeSet;
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
    state: Mutex<State>,
    /// Told to threads that are held or asleep: they may look again whether they can go on.
    pub(crate) moved: Condvar,
    /// Told to the keeper.
    pub(crate) keeper: Condvar,
}

/// How a test's body has ended: with what it panicked, if it did.
pub(crate) type Ended = Result<(), Box<dyn Any + Send>>;

/// What is known of the threads, under the group's lock.
#[derive(Debug)]
pub(crate) struct State {
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
    /// The names of events that happened and that the schedule does not mention.
    pub(crate) unmentioned: BTreeSet<&'static str>,
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
    /// The events that the schedule mentions, and how often the thread had been blocked then.
    pub(crate) performed: Vec<(&'static str, u32)>,
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
    /// It is not there any more.
    Ended,
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
        let state = State {
            monitor: Monitor::new(spec),
            violations: Vec::new(),
            threads: Vec::new(),
            course: Course::Open,
            body: None,
            granted: None,
            changes: 0,
            progress: Instant::now(),
            jumps: 0,
            unmentioned: BTreeSet::new(),
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

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
            performed: Vec::new(),
            last: None,
        });
        state.has_progressed();
        key
    }

    /// The thread could not be started.
    pub(crate) fn remove(&self, key: u32) {
        self.lock().set(key, Doing::Ended);
        self.keeper.notify_one();
    }

    /// The body has ended.
    pub(crate) fn body_ended(&self, ended: Ended) {
        let mut state = self.lock();
        state.body = Some(ended);
        state.has_progressed();
        self.keeper.notify_one();
    }

    /// The thread has ended.
    pub(crate) fn ended(&self, key: u32) {
        self.letter(key, Action::End, None);
        let mut state = self.lock();
        state.set(key, Doing::Ended);
        state.has_progressed();
        self.keeper.notify_one();
    }

    /// Nothing is held or jumps from now on. Who waits for a time waits for the real one.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.course = Course::Over;
        for key in 0..state.threads.len() {
            state.wake_timed(key);
        }
        self.moved.notify_all();
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

impl State {
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

    pub(crate) fn has_progressed(&mut self) {
        self.changes += 1;
        self.progress = Instant::now();
        self.jumps = 0;
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
                let blocks = thread.blocks;
                thread.performed.push((name, blocks));
            }
            Action::Block => {
                thread.told = Told::Blocked;
                thread.blocks += 1;
            }
            Action::Unblock | Action::End => thread.told = Told::NotBlocked,
            Action::Start => {}
        }
        self.has_progressed();
    }
}

impl Thread {
    /// Whether it is in the kernel and waits, as far as anybody can tell.
    pub(crate) fn is_in_kernel(&self) -> bool {
        use super::os::{Seen, look};
        self.pulse.in_kernel.load(Ordering::Acquire)
            && look(self.pulse.tid.load(Ordering::Acquire)) != Seen::Runs
            && self.pulse.in_kernel.load(Ordering::Acquire)
    }
}
