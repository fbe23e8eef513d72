//! Whether an execution that does not end goes round in a circle.
//!
//! A long execution may be a stress test that takes its time, or a wait for what nobody will ever do.
//! What tells them apart is whether anything is new: an execution goes round if it has for long had
//! no other events than the same few, with the same threads, operations, objects and values. Then it is
//! a livelock as soon as that has been so for longer than any test that ends would have it:
//!
//! - after [`MOST_SLEEPS`], if a deadline is waited for in each turn;
//! - after [`MOST_YIELDS`], if the threads yield and look at something;
//! - after [`MOST_STEPS`], if nothing at all has changed.
//!
//! If the clock is looked at, a [`LONG_TIME`] has to pass as well: whoever waits for a deadline has come
//! to it by then. What files are looked at for comes from outside, in real time; then only the last
//! rule counts, which takes seconds.
//!
//! Source: our own. May miss: circles in which something is counted that is seen here, such as an
//! atomic, or in which objects are made anew; those that take a lock in each turn and do not yield, since
//! they may well count something behind it. May falsely report: a loop of more turns than those above
//! that keeps count where it is not seen (on a stack, behind a lock), and would have ended.

use crate::execution::Execution;
use selvedge_model::{Effect, Event, Operation, OperationKind, ThreadId};

/// So often a deadline is waited for in a circle.
const MOST_SLEEPS: u64 = 200_000;
/// So often threads yield in a circle.
const MOST_YIELDS: u64 = 4_000_000;
/// So many steps nothing changes in a circle.
const MOST_STEPS: u64 = 1 << 26;
/// A circle in which threads look at the clock goes on for so many nanoseconds of virtual time: a day.
const LONG_TIME: u64 = 86_400_000_000_000;
/// A circle has no more different events than this.
const DIFFERENT: usize = 64;
/// A circle is worth being waited for after so many steps...
const WORTHWHILE: u64 = 1 << 20;
/// ... and not any more after so many.
const HOPELESS: u64 = 1 << 28;
/// Of a quiet thread, so many steps of each [`SAMPLE_EVERY`] are looked at.
const SAMPLE: u64 = 1 << 10;
/// See [`SAMPLE`]; a power of two.
const SAMPLE_EVERY: u64 = 1 << 16;

/// What has happened again and again, and since when nothing else has.
#[derive(Default)]
pub(crate) struct Circle {
    seen: Vec<Again>,
    /// The step and the time at which it began.
    since: u64,
    since_time: u64,
    yields: u64,
    sleeps: u64,
    /// How many of the recorded events have been looked at.
    looked_at: usize,
    /// Where the last event is among those seen.
    last: usize,
}

/// What happens in a circle, and how often it was seen.
pub(crate) struct Again {
    pub(crate) thread: ThreadId,
    pub(crate) operation: Operation,
    effect: Effect,
    pub(crate) times: u64,
    /// Where the one is that came after it the last time.
    then: usize,
}

/// Whether something new has happened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum News {
    Nothing,
    Something,
}

impl Circle {
    pub(crate) fn reset(&mut self) {
        *self = Self { seen: std::mem::take(&mut self.seen), ..Self::default() };
        self.seen.clear();
    }

    /// Events were forgotten; `moved` tells where one is now.
    pub(crate) fn events_moved(&mut self, moved: impl Fn(usize) -> usize) {
        self.looked_at = moved(self.looked_at);
    }

    /// What happens in it.
    pub(crate) fn seen(&self) -> &[Again] {
        &self.seen
    }

    /// Takes an event in that stands for so many.
    fn add(
        &mut self,
        thread: ThreadId,
        operation: Operation,
        effect: Effect,
        stands_for: u64,
    ) -> News {
        match (operation.kind, effect) {
            (OperationKind::Sleep, _) | (_, Effect::TimedOut) => self.sleeps += stands_for,
            (OperationKind::Yield | OperationKind::Park, _) => self.yields += stands_for,
            _ => {}
        }
        // What tells most of them apart comes first, and in a circle what comes next is what came next before.
        let is_again = |again: &Again| {
            again.thread == thread
                && again.operation.kind == operation.kind
                && again.effect == effect
                && again.operation == operation
        };
        let expected = self.seen.get(self.last).map_or(0, |last| last.then);
        let found = match self.seen.get(expected) {
            Some(again) if is_again(again) => Some(expected),
            _ => self.seen.iter().position(is_again),
        };
        let index = found.unwrap_or(self.seen.len());
        if let Some(last) = self.seen.get_mut(self.last) {
            last.then = index;
        }
        self.last = index;
        if let Some(again) = self.seen.get_mut(index) {
            again.times += 1;
            return News::Nothing;
        }
        self.seen.push(Again { thread, operation, effect, times: 1, then: 0 });
        if self.seen.len() > DIFFERENT { News::Something } else { News::Nothing }
    }

    fn begin_anew(&mut self, step: u64, time: u64) {
        self.reset();
        (self.since, self.since_time) = (step, time);
    }

    fn has(&self, kinds: impl Fn(OperationKind) -> bool) -> bool {
        self.seen.iter().any(|again| kinds(again.operation.kind))
    }
}

impl Execution {
    /// Takes the events in that were recorded since the last look.
    pub(crate) fn look_for_circle(&mut self) {
        let new = self.rounds.circle.looked_at.min(self.events.len())..self.events.len();
        let (steps, now) = (self.steps(), self.time.now);
        for event in &self.events[new] {
            let &Event { thread, operation, effect, .. } = event;
            if self.rounds.circle.add(thread, operation, effect, 1) == News::Something {
                self.rounds.circle.begin_anew(steps, now);
                break;
            }
        }
        self.rounds.circle.looked_at = self.events.len();
    }

    /// Whether the next step of a quiet thread is one of those that are looked at.
    #[inline(always)]
    pub(crate) fn is_sampled(&self) -> bool {
        self.steps() & (SAMPLE_EVERY - 1) < SAMPLE
    }

    /// Takes an event of a quiet thread in.
    #[cold]
    #[inline(never)]
    pub(crate) fn sample(&mut self, operation: Operation, effect: Effect) {
        let stands_for = SAMPLE_EVERY / SAMPLE;
        if self.rounds.circle.add(self.current, operation, effect, stands_for) == News::Something {
            self.rounds.circle.begin_anew(self.steps(), self.time.now);
            self.rounds.circle.looked_at = self.events.len();
        }
    }

    /// Whether the execution goes round in a circle and will do so for ever.
    pub(crate) fn is_endless(&self, idle: u64) -> bool {
        let circle = &self.rounds.circle;
        let length = self.steps() - circle.since;
        let nothing_changes = idle >= length && length >= MOST_STEPS;
        if circle.has(from_outside) {
            return self.has_time_passed() && nothing_changes;
        }
        let looks =
            circle.has(|kind| !matches!(kind, OperationKind::Yield | OperationKind::ClockRead));
        self.has_time_passed()
            && (circle.sleeps >= MOST_SLEEPS
                || (circle.yields >= MOST_YIELDS && looks)
                || nothing_changes)
    }

    /// Whether those who wait for time to pass, if there are any, have had all that they could want.
    pub(crate) fn has_time_passed(&self) -> bool {
        !self.rounds.circle.has(|kind| kind == OperationKind::ClockRead)
            || self.time.now - self.rounds.circle.since_time >= LONG_TIME
    }

    /// Whether it is worth going on to see if the execution ever ends: it seems not to, and to be sure
    /// does not take for ever.
    pub(crate) fn seems_endless(&self, idle: u64) -> bool {
        let length = self.steps() - self.rounds.circle.since;
        let waits =
            self.rounds.circle.yields.max(self.rounds.circle.sleeps) > length / DIFFERENT as u64;
        (WORTHWHILE..HOPELESS).contains(&length) && (waits || idle >= length)
    }
}

/// Whether such an operation looks at what others than the threads of the execution may change.
const fn from_outside(kind: OperationKind) -> bool {
    matches!(kind, OperationKind::IoRead | OperationKind::IoWrite | OperationKind::IoWait)
}
