//! Who decides when nobody else can.
//!
//! Threads decide for themselves whether they may perform an event, and wake each other. What
//! is left is what follows from nothing happening: that a thread is blocked, that time can pass,
//! that nobody can ever go on. The thread that has called `run` waits for that.
//!
//! A thread that waits is blocked if nobody else can go on, or if the others had a millisecond of
//! processor time each and it waits still; before, it may just have met somebody who holds a lock
//! for a moment.
//!
//! May falsely report a standstill if who would have ended it is no thread of the group and takes
//! longer than a moment, or if a thread calculates for longer than [`PATIENCE`] while others are held.

use super::clock::Clock;
use super::os::{self, Seen};
use super::scheduled::{Doing, Scheduled, SleepEnd, State, Told, Waiting, WaitsAt};
use crate::{Failure, Mode};
use selvedge_spec::{Action, Permission};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// So long a thread waits, while others run, before it counts as blocked.
const BLOCKED_AFTER: Duration = Duration::from_millis(1);
/// So long nothing may change before a standstill is reported.
const GRACE: Duration = Duration::from_millis(200);
/// The same, if somebody waits for the rest of the world.
const WORLD_GRACE: Duration = Duration::from_millis(700);
/// The same, after the body's end and with nobody held.
const LEFT_GRACE: Duration = Duration::from_millis(20);
/// So long a thread may run without anything happening while others are held.
const PATIENCE: Duration = Duration::from_secs(5);
/// The same, if it only waits for time to pass, and time has passed this often.
const TIME_PATIENCE: Duration = Duration::from_millis(600);
const JUMPS: u32 = 500;
/// A timeout whose time has come waits so much longer for threads that still run.
const LATE: Duration = Duration::from_millis(100);
/// How often threads are looked at that are in no function that we stand in front of.
const TICK: Duration = Duration::from_millis(20);

/// What the keeper remembers from one look to the next.
#[derive(Default)]
struct Looks {
    /// How often things had changed, and since when they have not.
    unchanged: Option<(u64, Instant)>,
    /// How long to wait for threads that are on their way.
    pause: Duration,
    /// By the threads' keys.
    threads: Vec<Look>,
}

/// What the keeper remembers of a thread.
#[derive(Clone, Default)]
struct Look {
    /// Which wait it was in, and what the others' processor time was then.
    wait: Option<(Instant, Vec<(u32, u64)>)>,
    /// When it waited in the kernel without our knowing, and how often it had done so.
    elsewhere: Option<(Instant, u64)>,
}

/// What a look at all threads has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scene {
    /// Somebody runs.
    Moving,
    /// Somebody is on the way to where the schedule, the clock or the kernel lets them go.
    Settling,
    /// Nobody can go on.
    Quiet,
}

/// What the keeper does next.
enum Turn {
    Over(Result<(), Failure>),
    Again,
    Wait(Option<Duration>),
}

impl Scheduled {
    /// Watches over the group until its test is over or can not go on.
    pub(crate) fn keep(&self, clock: &Clock) -> Result<(), Failure> {
        let mut state = self.lock();
        let mut looks = Looks::default();
        loop {
            match self.turn(clock, &mut state, &mut looks) {
                Turn::Over(result) => return result,
                Turn::Again => {}
                Turn::Wait(None) => {
                    state = self.keeper.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                Turn::Wait(Some(time)) => {
                    let waited = self.keeper.wait_timeout(state, time);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    fn turn(&self, clock: &Clock, state: &mut State, looks: &mut Looks) -> Turn {
        let is_over = match &state.body {
            Some(Err(_)) => return Turn::Over(Ok(())),
            Some(Ok(())) if self.is_all_done(state) => return Turn::Over(self.verdict(state)),
            ended => ended.is_some(),
        };
        let now = Instant::now();
        looks.update(state, now);
        let scene = looks.scene(state, now);
        if scene != Scene::Settling {
            looks.pause = Duration::ZERO;
        }
        match scene {
            Scene::Settling => {
                looks.pause = (looks.pause * 2).clamp(Duration::from_micros(20), BLOCKED_AFTER);
                Turn::Wait(Some(looks.pause))
            }
            Scene::Moving => self.moving(clock, state, looks, now),
            Scene::Quiet => self.quiet(clock, state, looks, now, is_over),
        }
    }

    /// Whether nothing that the schedule speaks of can happen any more.
    fn is_all_done(&self, state: &State) -> bool {
        let is_gone = |doing: &Doing| matches!(doing, Doing::Ended);
        state.threads.iter().all(|thread| is_gone(&thread.doing))
            || (!state.is_anybody_held() && state.monitor.unmet().is_empty())
    }

    /// What is to be said when the test is over.
    fn verdict(&self, state: &State) -> Result<(), Failure> {
        if !state.violations.is_empty() {
            return Err(self.violated(state));
        }
        if !state.monitor.unmet().is_empty() {
            return Err(self.never_occurred(state));
        }
        Ok(())
    }

    /// Somebody runs.
    fn moving(&self, clock: &Clock, state: &mut State, looks: &mut Looks, now: Instant) -> Turn {
        let mut next = None;
        if state.monitor.watches_blocking() && self.tell_long_waits(state, looks, now) {
            next = Some(BLOCKED_AFTER);
        }
        if self.has_virtual_time() {
            let late = clock.now().saturating_sub(LATE);
            if self.time_out(state, late) {
                return Turn::Again;
            }
            let first = state.next_deadline();
            next = earlier(next, first.map(|time| time.saturating_sub(late)));
        }
        if state.is_anybody_held() || state.body.is_some() {
            if now.duration_since(state.progress) >= PATIENCE {
                return Turn::Over(self.given_up(state));
            }
            next = earlier(next, Some(TICK));
        }
        Turn::Wait(next)
    }

    /// What is to be said when nothing more is waited for.
    fn given_up(&self, state: &mut State) -> Result<(), Failure> {
        if state.is_anybody_held() || state.body.is_none() {
            return Err(self.standstill(state));
        }
        self.verdict(state)
    }

    /// Nobody can go on.
    fn quiet(
        &self,
        clock: &Clock,
        state: &mut State,
        looks: &Looks,
        now: Instant,
        is_over: bool,
    ) -> Turn {
        if state.monitor.watches_blocking() && self.tell_waits(state) {
            return Turn::Again;
        }
        if self.mode == Mode::Enforce {
            let is_stuck =
                state.jumps >= JUMPS && now.duration_since(state.progress) >= TIME_PATIENCE;
            if is_stuck && (is_over || state.is_anybody_held()) {
                return Turn::Over(self.given_up(state));
            }
            if let Some(first) = state.next_deadline() {
                clock.jump_to(first);
                state.jumps = state.jumps.saturating_add(1);
                return match self.time_out(state, first) {
                    true => Turn::Again,
                    // It is not there yet.
                    false => Turn::Wait(Some(Duration::from_micros(20))),
                };
            }
            if let Some(key) = state.when_quiet() {
                state.granted = Some(key);
                self.moved.notify_all();
                return Turn::Again;
            }
        }
        let unchanged = looks.unchanged.map_or(Duration::ZERO, |(_, since)| now - since);
        let grace = self.grace(state, looks);
        match grace {
            Some(grace) if unchanged >= grace => Turn::Over(self.given_up(state)),
            Some(grace) => Turn::Wait(Some(grace - unchanged)),
            None => Turn::Wait(Some(TICK)),
        }
    }

    /// How long nothing may change, now that nobody can go on. For ever, if it is not the schedule's
    /// fault.
    fn grace(&self, state: &State, looks: &Looks) -> Option<Duration> {
        let mut waits_for_world = false;
        for (thread, look) in state.threads.iter().zip(&looks.threads) {
            match &thread.doing {
                // Its time is real, and will come.
                Doing::Asleep { .. } | Doing::Waiting(Waiting { until: Some(_), .. }) => {
                    return state.body.is_some().then_some(PATIENCE);
                }
                Doing::Waiting(waiting) => waits_for_world |= waiting.at == WaitsAt::World,
                Doing::Running => waits_for_world |= look.elsewhere.is_some(),
                Doing::Held { .. } | Doing::Ended => {}
            }
        }
        match (state.is_anybody_held(), &state.body) {
            (true, _) if waits_for_world => Some(WORLD_GRACE),
            (true, _) => Some(GRACE),
            (false, Some(_)) => Some(LEFT_GRACE),
            (false, None) if self.mode == Mode::Check || waits_for_world => None,
            (false, None) => Some(PATIENCE),
        }
    }

    /// Ends the waits whose time had come by then. Says whether there were any.
    fn time_out(&self, state: &mut State, by: Duration) -> bool {
        let mut any = false;
        for key in 0..state.threads.len() as u32 {
            if state.deadline(key).is_some_and(|time| time <= by) {
                any |= state.time_out(key);
            }
        }
        if any {
            self.moved.notify_all();
        }
        any
    }

    /// Tells the schedule that all who wait are blocked. Says whether that was news.
    fn tell_waits(&self, state: &mut State) -> bool {
        let mut any = false;
        for key in 0..state.threads.len() as u32 {
            any |= self.tell_blocked(state, key);
        }
        any
    }

    fn tell_blocked(&self, state: &mut State, key: u32) -> bool {
        let thread = state.thread(key);
        let waits = matches!(thread.doing, Doing::Waiting(_) | Doing::Running);
        let is_news = waits && thread.told == Told::NotBlocked;
        if is_news {
            self.step(state, key, Action::Block, None);
        }
        is_news
    }

    /// Tells the schedule of those who have waited for long although others could have gone on. Says
    /// whether there are others left that wait.
    fn tell_long_waits(&self, state: &mut State, looks: &mut Looks, now: Instant) -> bool {
        let mut any = false;
        for key in 0..state.threads.len() as u32 {
            let thread = state.thread(key);
            let Doing::Waiting(Waiting { since, .. }) = thread.doing else { continue };
            if thread.told == Told::Blocked {
                continue;
            }
            any = true;
            let look = &mut looks.threads[key as usize];
            match &look.wait {
                Some((begun, times)) if *begun == since => {
                    if now.duration_since(since) >= BLOCKED_AFTER
                        && thread.is_in_kernel()
                        && state.have_run(times)
                    {
                        self.step(state, key, Action::Block, None);
                    }
                }
                _ => look.wait = Some((since, state.processor_times())),
            }
        }
        any
    }
}

impl Looks {
    /// Notes what has changed.
    fn update(&mut self, state: &mut State, now: Instant) {
        self.threads.resize(state.threads.len(), Look::default());
        for (thread, look) in state.threads.iter().zip(&mut self.threads) {
            if !matches!(thread.doing, Doing::Running) {
                look.elsewhere = None;
            }
        }
        match self.unchanged {
            Some((changes, _)) if changes == state.changes => {}
            _ => self.unchanged = Some((state.changes, now)),
        }
    }

    /// What the threads do.
    fn scene(&mut self, state: &mut State, now: Instant) -> Scene {
        let mut scene = Scene::Quiet;
        let looks_everywhere = state.is_anybody_held() || state.body.is_some();
        for key in 0..state.threads.len() {
            let thread = &state.threads[key];
            let here = match &thread.doing {
                Doing::Running => match looks_everywhere && self.waits_elsewhere(state, key, now) {
                    true => Scene::Quiet,
                    false => return Scene::Moving,
                },
                Doing::Held { action, .. } => match state.permission(key as u32, *action) {
                    Permission::Now => Scene::Settling,
                    _ if state.granted == Some(key as u32) => Scene::Settling,
                    _ => Scene::Quiet,
                },
                Doing::Waiting(Waiting { end: SleepEnd::Come, .. })
                | Doing::Asleep { end: SleepEnd::Come, .. } => Scene::Settling,
                Doing::Waiting(_) if !thread.is_in_kernel() => Scene::Settling,
                Doing::Waiting(_) | Doing::Asleep { .. } | Doing::Ended => Scene::Quiet,
            };
            if here == Scene::Settling {
                scene = here;
            }
        }
        scene
    }

    /// Whether a thread that should be running waits in the kernel, in the same wait for a while.
    fn waits_elsewhere(&mut self, state: &State, key: usize, now: Instant) -> bool {
        let tid = state.threads[key].pulse.tid.load(Ordering::Acquire);
        let waits = if tid != 0 && os::look(tid) == Seen::Waits { os::waits(tid) } else { None };
        let look = &mut self.threads[key].elsewhere;
        match (*look, waits) {
            (Some((since, before)), Some(waits)) if before == waits => {
                now.duration_since(since) >= BLOCKED_AFTER
            }
            (_, waits) => {
                *look = waits.map(|waits| (now, waits));
                false
            }
        }
    }
}

impl State {
    /// When the thread's wait or sleep ends, if the keeper is who ends it.
    fn deadline(&self, key: u32) -> Option<Duration> {
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

    fn next_deadline(&self) -> Option<Duration> {
        (0..self.threads.len() as u32).filter_map(|key| self.deadline(key)).min()
    }

    /// A thread that may go on if nobody else can.
    fn when_quiet(&self) -> Option<u32> {
        (0..self.threads.len() as u32).find(|key| match &self.thread(*key).doing {
            Doing::Held { action, .. } => self.permission(*key, *action) == Permission::WhenQuiet,
            _ => false,
        })
    }

    /// The processor time of each thread that runs.
    fn processor_times(&self) -> Vec<(u32, u64)> {
        let keys = 0..self.threads.len() as u32;
        let running = keys.filter(|key| matches!(self.thread(*key).doing, Doing::Running));
        running.filter_map(|key| Some((key, self.processor_time(key)?))).collect()
    }

    fn processor_time(&self, key: u32) -> Option<u64> {
        os::processor_time(self.thread(key).pulse.tid.load(Ordering::Acquire))
    }

    /// Whether all that run had time to do so since.
    fn have_run(&self, before: &[(u32, u64)]) -> bool {
        self.processor_times().iter().all(|(key, time)| {
            let before = before.iter().find(|(other, _)| other == key);
            let passed = before.map(|(_, before)| Duration::from_nanos(time - before));
            let tid = self.thread(*key).pulse.tid.load(Ordering::Acquire);
            passed.is_none_or(|passed| passed >= BLOCKED_AFTER) || os::look(tid) == Seen::Waits
        })
    }
}

fn earlier(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
