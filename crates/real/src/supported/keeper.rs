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
//! Time jumps to the next deadline if nobody can go on. Before, threads of nobody's that run (a pool
//! that another test has started) have a moment to do what the group may wait for. While somebody of the
//! group waits for the rest of the world, or runs, time is the real one.
//!
//! May falsely report a standstill if who would have ended it is no thread of the group and takes
//! longer than a moment, or if a thread calculates for longer than [`PATIENCE`] while others are held.

use super::clock::Clock;
use super::looks::{BLOCKED_AFTER, Looks, Scene, TICK};
use super::outsiders::{self, Open};
use super::scheduled::{Course, Doing, ScheduleState, Scheduled, Thread, Told};
use super::wait::Woken;
use crate::{Failure, Mode};
use selvedge_spec::{Action, Permission};
use std::time::{Duration, Instant};

/// So long nothing may change before a standstill is reported.
const GRACE: Duration = Duration::from_millis(200);
/// The same, if somebody waits for the rest of the world, or polls, or there are other tests at the
/// same time.
const LONG_GRACE: Duration = Duration::from_millis(700);
/// The same, after the body's end and with nobody held.
const LEFT_GRACE: Duration = Duration::from_millis(20);
/// So long a thread may run without anything happening while others are held.
const PATIENCE: Duration = Duration::from_secs(5);
/// If time has passed this often, for as long as [`LONG_GRACE`], and nothing has happened, nothing will.
const JUMPS: u32 = 500;
/// The same, if it was mostly spent on waiting for threads of nobody's.
const IDLE_JUMPS: u32 = 20;
/// A timeout whose time has come waits for threads that still run until each had so much processor
/// time since.
const LATE: Duration = Duration::from_millis(100);
/// So long threads of nobody's have before time jumps.
const OUTSIDERS: Duration = Duration::from_millis(20);
/// A pause for somebody who is on the way.
const MOMENT: Duration = Duration::from_micros(20);

/// What the keeper does next.
enum Turn {
    Over(Result<(), Failure>),
    Again,
    Wait(Option<Duration>),
}

impl Scheduled {
    /// Watches over the group until its test is over or can not go on. Afterwards nobody is held or
    /// woken any more.
    pub(crate) fn keep(&self, clock: &Clock, open: &Open) -> Result<(), Failure> {
        let mut state = self.lock();
        let mut looks = Looks::default();
        let result = loop {
            match self.turn(clock, open, &mut state, &mut looks) {
                Turn::Over(result) => break result,
                Turn::Again => {}
                Turn::Wait(time) => state = state.wait_as_keeper(time),
            }
        };
        state.course = Course::Over;
        state.call_threads();
        // Who waits for a time waits for the real one from now on.
        while state.wake_timed() == Woken::NotAll {
            state = state.wait_as_keeper(Some(MOMENT));
        }
        clock.jump_back();
        result
    }

    fn turn(
        &self,
        clock: &Clock,
        open: &Open,
        state: &mut ScheduleState,
        looks: &mut Looks,
    ) -> Turn {
        match &state.body {
            Some(Err(_)) => return Turn::Over(Ok(())),
            Some(Ok(())) if self.is_all_done(state) => return Turn::Over(self.verdict(state)),
            _ => {}
        }
        let now = Instant::now();
        match looks.look(state, now) {
            // They call when they have come to where nobody runs again.
            Scene::Leaving => Turn::Wait(Some(TICK)),
            Scene::Entering => Turn::Wait(Some(looks.pause())),
            Scene::Moving => self.moving(clock, state, looks, now),
            Scene::Quiet => self.quiet(clock, open, state, looks, now),
        }
    }

    /// Whether nothing that the schedule speaks of can happen any more.
    fn is_all_done(&self, state: &ScheduleState) -> bool {
        let is_gone = |doing: &Doing| matches!(doing, Doing::Ended { .. });
        state.threads.iter().all(|thread| is_gone(&thread.doing))
            || (!state.is_anybody_held() && state.monitor.unmet().is_empty())
    }

    /// What is to be said when nothing more is waited for.
    fn given_up(&self, state: &ScheduleState, looks: &Looks) -> Turn {
        Turn::Over(match state.is_anybody_held() || state.body.is_none() {
            true => Err(self.standstill(state, looks)),
            false => self.verdict(state),
        })
    }

    /// Somebody runs.
    fn moving(
        &self,
        clock: &Clock,
        state: &mut ScheduleState,
        looks: &mut Looks,
        now: Instant,
    ) -> Turn {
        let mut next = None;
        if state.monitor.watches_blocking() {
            let waits = self.tell_long_waits(state, looks, now);
            next = Some(if waits && state.is_anybody_held() { BLOCKED_AFTER } else { TICK });
        }
        if self.has_virtual_time()
            && let Some(first) = state.next_deadline()
        {
            let left = first.saturating_sub(clock.now());
            if left.is_zero() && looks.have_run_since(first, state, LATE) {
                self.time_out(state, first);
            }
            next = earlier(next, left.max(TICK));
        }
        if state.is_anybody_held() || state.body.is_some() {
            if now.duration_since(state.progress) >= PATIENCE {
                return self.given_up(state, looks);
            }
            next = earlier(next, TICK);
        }
        Turn::Wait(next)
    }

    /// Nobody can go on.
    fn quiet(
        &self,
        clock: &Clock,
        open: &Open,
        state: &mut ScheduleState,
        looks: &Looks,
        now: Instant,
    ) -> Turn {
        if state.monitor.watches_blocking() && self.tell_waits(state, looks) {
            return Turn::Again;
        }
        let passed = now.duration_since(state.progress);
        let is_idle = state.jumps >= IDLE_JUMPS && state.idle * 2 >= passed;
        let is_stuck = passed >= LONG_GRACE && (state.jumps >= JUMPS || is_idle);
        if self.mode == Mode::Enforce {
            if !is_stuck && let Some(first) = state.next_deadline() {
                return self.pass_time(clock, state, looks, now, first);
            }
            if let Some(key) = state.when_quiet() {
                state.granted = Some(key);
                state.call_threads();
                return Turn::Again;
            }
        }
        if is_stuck && (state.body.is_some() || state.is_anybody_held()) {
            return self.given_up(state, looks);
        }
        match self.grace(open, state, looks) {
            Some(grace) if looks.unchanged(now) >= grace => self.given_up(state, looks),
            Some(grace) => Turn::Wait(Some(grace - looks.unchanged(now))),
            None => Turn::Wait(Some(TICK)),
        }
    }

    /// Nobody can go on before a deadline.
    fn pass_time(
        &self,
        clock: &Clock,
        state: &mut ScheduleState,
        looks: &Looks,
        now: Instant,
        first: Duration,
    ) -> Turn {
        let left = first.saturating_sub(clock.now());
        if !left.is_zero() {
            if looks.is_world_awaited(state) {
                let is_held = state.is_anybody_held() || state.body.is_some();
                return match is_held && now.duration_since(state.progress) >= PATIENCE {
                    true => self.given_up(state, looks),
                    false => Turn::Wait(Some(left.min(TICK))),
                };
            }
            if looks.unchanged(now) < OUTSIDERS && outsiders::is_any_running() {
                let pause = left.min(BLOCKED_AFTER);
                state.idle += pause;
                return Turn::Wait(Some(pause));
            }
            clock.jump_to(first);
        }
        state.jumps = state.jumps.saturating_add(1);
        match self.time_out(state, first) {
            true => Turn::Again,
            // It is not there yet.
            false => Turn::Wait(Some(MOMENT)),
        }
    }

    /// How long nothing may change, now that nobody can go on. For ever, if it is not the schedule's
    /// fault.
    fn grace(&self, open: &Open, state: &ScheduleState, looks: &Looks) -> Option<Duration> {
        let waits_for_real_time = state.threads.iter().any(|thread| match &thread.doing {
            Doing::Asleep { .. } => true,
            Doing::Waiting(waiting) => waiting.until.is_some(),
            _ => false,
        });
        let is_long = looks.is_world_awaited(state)
            || looks.is_anybody_polling()
            || !outsiders::is_alone(open);
        let is_live = |thread: &&Thread| !matches!(thread.doing, Doing::Ended { .. });
        let is_single = state.threads.iter().filter(is_live).count() == 1;
        match (state.is_anybody_held(), &state.body) {
            _ if waits_for_real_time => state.body.is_some().then_some(PATIENCE),
            (true, _) if is_long => Some(LONG_GRACE),
            (true, _) => Some(GRACE),
            (false, Some(_)) => Some(LEFT_GRACE),
            // The one thread that there is, or one of several, may wait for another test.
            (false, None) if self.mode == Mode::Check || is_long || is_single => None,
            (false, None) => Some(PATIENCE),
        }
    }

    /// Ends the waits whose time had come by then. Says whether there were any.
    fn time_out(&self, state: &mut ScheduleState, by: Duration) -> bool {
        let mut any = false;
        for key in state.keys() {
            if state.deadline(key).is_some_and(|time| time <= by) {
                any |= state.time_out(key);
            }
        }
        if any {
            state.call_threads();
        }
        any
    }

    /// Tells the schedule that all who wait are blocked. Says whether that was news.
    fn tell_waits(&self, state: &mut ScheduleState, looks: &Looks) -> bool {
        let mut any = false;
        for key in state.keys() {
            let thread = state.thread(key);
            let waits = match &thread.doing {
                Doing::Waiting(_) => true,
                Doing::Running => looks.is_elsewhere(key),
                _ => false,
            };
            if waits && thread.told == Told::NotBlocked {
                self.step(state, key, Action::Block, None);
                any = true;
            }
        }
        any
    }

    /// Tells the schedule of those who have waited for long although others could have gone on. Says
    /// whether there are others left that wait.
    fn tell_long_waits(&self, state: &mut ScheduleState, looks: &mut Looks, now: Instant) -> bool {
        let mut any = false;
        for key in state.keys() {
            if state.thread(key).told == Told::NotBlocked
                && let Some(since) = looks.waits_since(state, key)
            {
                any = true;
                if looks.has_waited_long(state, key, since, now) {
                    self.step(state, key, Action::Block, None);
                }
            }
        }
        any
    }
}

impl ScheduleState {
    /// A thread that may go on if nobody else can.
    fn when_quiet(&self) -> Option<u32> {
        self.keys().find(|key| match &self.thread(*key).doing {
            Doing::Held { action, .. } => self.permission(*key, *action) == Permission::WhenQuiet,
            _ => false,
        })
    }
}

fn earlier(one: Option<Duration>, other: Duration) -> Option<Duration> {
    Some(one.map_or(other, |one| one.min(other)))
}
