//! Virtual time.
//!
//! The clock stands still while threads run and jumps to the next deadline when nobody can. A
//! test that sleeps for an hour takes no time. A look at the clock takes about as long as it does on
//! a machine ([`Pace::look`]), so whoever looks often sees about as much time pass as without control.
//!
//! A loop that looks at the clock until enough time has passed must come to an end as well, and its
//! looks can not be told from those of a program that just looks often. So a thread that looks again
//! and again, while nobody else can run and nothing else happens, is believed for long
//! ([`Pace::patience`]: a single thread may look ten million times, which are two seconds). Only then does
//! each look take longer, twice as long after every [`Pace::doubling`] more of them, so that an hour
//! is over after some millions. Whoever changes anything, allocates or prints between two looks
//! works, and is believed anew; but not if it has also yielded, slept or waited for a deadline. That is
//! what a wait looks like, and it counts as several looks ([`YIELD`], [`SLEEP`]).
//!
//! While a child process of the test runs, the clock keeps the pace of the real one (`real_time.rs`).
//!
//! May falsely report: a test that looks more often than that without doing anything in between that
//! is seen here, and asserts that little time has passed.

use crate::clock::Shown;
use crate::execution::Execution;
use crate::thread::WayOut;
use selvedge_model::{Fault, Rate, ThreadId};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// How fast time passes for those who look at the clock.
struct Pace {
    /// What a look takes, in nanoseconds.
    look: u64,
    /// After this many looks in a row a thread is taken to wait for time to pass.
    patience: u64,
    /// From then on a look takes twice as long after so many more.
    doubling: u64,
}

/// For a test that has never had a second thread. It is run once.
const SINGLE: Pace = Pace { look: 200, patience: 10_000_000, doubling: 250_000 };
/// For all others, which are run again and again. Threads share the clock, and their looks add up
/// although they would be at the same time on a machine.
const SEVERAL: Pace = Pace { look: 1_000, patience: 200_000, doubling: 10_000 };
/// So many looks counts one before which the thread has let others go first.
const YIELD: u64 = 10;
/// So many looks counts one before which the thread has let time pass.
const SLEEP: u64 = 100;
/// A look takes at most so many times twice as long.
const DOUBLINGS: u64 = 30;

impl Pace {
    /// What the next look takes, after so many in a row.
    fn next(&self, looks: u64) -> u64 {
        self.look << (looks.saturating_sub(self.patience) / self.doubling).min(DOUBLINGS)
    }
}

/// The clock and who waits for it.
#[derive(Default)]
pub(crate) struct Time {
    pub(crate) now: u64,
    deadlines: BTreeSet<(u64, ThreadId)>,
    /// How many looks there were in a row while nobody else could run and nothing else happened.
    looks: u64,
    /// How many events there were at the last look.
    looked: usize,
    /// Counts whatever a thread does that is more than to look or to wait.
    work: u64,
    /// What it was at the last look.
    worked: u64,
    /// What the next look counts, because the running thread has waited since the last one; 0 if it
    /// has not.
    waited: u64,
    /// By how much threads were late so far, in nanoseconds.
    pub(crate) delayed: u64,
    /// When somebody last looked while a child ran.
    pub(crate) real: Option<Instant>,
    pub(crate) shown: Shown,
}

impl Time {
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// The running thread has done something that is more than to look or to wait.
    #[inline(always)]
    pub(crate) fn works(&mut self) {
        self.work += 1;
    }

    /// The running thread has let others go first.
    #[inline]
    pub(crate) fn yields(&mut self) {
        self.waited = self.waited.max(YIELD);
    }

    /// The first deadline of all, and whose it is.
    pub(crate) fn first(&self) -> Option<(u64, ThreadId)> {
        self.deadlines.first().copied()
    }

    /// The last deadline until then of anybody but the given thread.
    pub(crate) fn last_until(&self, end: u64, but: ThreadId) -> Option<(u64, ThreadId)> {
        let until = self.deadlines.range(..=(end, ThreadId(u32::MAX)));
        until.rev().find(|(_, thread)| *thread != but).copied()
    }

    /// Events were forgotten; `moved` tells where one is now.
    pub(crate) fn events_moved(&mut self, moved: impl Fn(usize) -> usize) {
        self.looked = moved(self.looked);
    }
}

impl Execution {
    /// The deadline that lies the given time ahead.
    pub(crate) fn deadline(&self, after: Duration) -> u64 {
        let nanos = u64::try_from(after.as_nanos()).unwrap_or(u64::MAX);
        self.time.now.saturating_add(nanos)
    }

    /// Moves the clock on a little and says what it shows.
    pub(crate) fn look_at_clock(&mut self) -> u64 {
        if !self.world.journal.made().is_empty()
            && let Some(passed) = self.passed_beside_child()
        {
            self.advance_to(self.time.now.saturating_add(passed));
            return self.time.now;
        }
        let me = self.current;
        let is_alone = !self.states.has_choice()
            && self.events[self.time.looked..].iter().all(|event| event.thread == me);
        let time = &mut self.time;
        let works = time.work != time.worked && time.waited == 0;
        time.looks = match is_alone && !works {
            true => time.looks + time.waited.max(1),
            false => 0,
        };
        time.looked = self.events.len();
        time.worked = time.work;
        time.waited = 0;
        let pace = if self.threads.len() == 1 { &SINGLE } else { &SEVERAL };
        let looks = time.looks;
        let mut now = time.now.saturating_add(pace.next(looks));
        if looks > pace.patience
            && let Some(deadline) = self.next_deadline()
        {
            // Somebody can run from then on.
            now = now.min(deadline);
        }
        self.advance_to(now);
        self.time.now
    }

    /// The running thread begins a wait with a deadline. Whether the deadline may be taken as
    /// reached at once, as if everybody else were slow, is a decision.
    pub(crate) fn begin_timed_wait(&mut self, deadline: u64) {
        let thread = self.current;
        let early = deadline <= self.time.now
            || (self.settings.timeouts != Rate::Off
                && u128::from(deadline - self.time.now) <= self.settings.slack.as_nanos()
                && self.ask_fault(Fault::Timeout));
        self.threads[thread.index()].way_out = if early {
            WayOut::Expired(deadline)
        } else {
            self.time.deadlines.insert((deadline, thread));
            WayOut::Deadline(deadline)
        };
    }

    /// The running thread is about to wait for somebody, at most for the given time. Such a wait
    /// may end for no reason.
    pub(crate) fn begin_wait(&mut self, timeout: Option<Duration>) {
        if self.settings.spurious != Rate::Off && self.ask_fault(Fault::Spurious) {
            self.threads[self.current.index()].way_out = WayOut::Spurious;
            return;
        }
        match timeout {
            Some(timeout) => self.begin_timed_wait(self.deadline(timeout)),
            None => self.threads[self.current.index()].way_out = WayOut::None,
        }
    }

    /// Ends the running thread's wait and tells how it could have ended. If it ends because of
    /// its deadline, the clock is at least there.
    pub(crate) fn end_wait(&mut self) -> WayOut {
        let thread = self.current;
        let way_out = std::mem::replace(&mut self.threads[thread.index()].way_out, WayOut::None);
        if let WayOut::Deadline(deadline) = way_out {
            self.time.deadlines.remove(&(deadline, thread));
        }
        way_out
    }

    /// The clock reaches the deadline of a wait that has timed out.
    pub(crate) fn time_out(&mut self, deadline: u64) {
        self.time.waited = SLEEP;
        self.advance_to(deadline.max(self.time.now));
    }

    /// Moves the clock to the next deadline, if anybody waits for one, or a little further (`delay.rs`).
    pub(crate) fn skip_time(&mut self) -> bool {
        let Some(deadline) = self.next_deadline() else { return false };
        if !self.world.journal.made().is_empty() && self.wait_with_children(deadline) {
            return true;
        }
        let (reached, first) = self.reached(deadline);
        self.advance_to(reached);
        self.current = first.unwrap_or(self.current);
        true
    }

    /// So much time has really passed.
    pub(crate) fn has_passed(&mut self, time: Duration) {
        self.advance_to(self.deadline(time));
    }

    /// The next moment at which somebody may become able to run.
    pub(crate) fn next_deadline(&self) -> Option<u64> {
        let waits = self.time.deadlines.first().map(|&(deadline, _)| deadline);
        // A timer matters to nobody who does not wait for files.
        let timer = if self.listens_to_files() { self.world.timers.next_deadline() } else { None };
        waits.into_iter().chain(timer).min()
    }

    /// Moves the clock; whoever waited for this becomes able to run.
    fn advance_to(&mut self, now: u64) {
        self.time.now = now;
        while let Some(&(deadline, thread)) = self.time.deadlines.first() {
            if deadline > now {
                break;
            }
            self.time.deadlines.pop_first();
            self.threads[thread.index()].way_out = WayOut::Expired(deadline);
            self.deadline_passed(thread);
        }
        self.expire_timers();
    }
}

#[cfg(test)]
mod tests {
    use super::{Pace, SEVERAL, SINGLE};
    use std::time::Duration;

    /// How much time so many looks take.
    fn time_of(pace: &Pace, looks: u64) -> Duration {
        Duration::from_nanos((1..=looks).map(|looks| pace.next(looks)).sum())
    }

    /// How many looks it takes until this much time has passed.
    fn looks_for(pace: &Pace, time: Duration) -> u64 {
        let mut passed = 0;
        let mut looks = 0;
        while u128::from(passed) < time.as_nanos() {
            looks += 1;
            passed += pace.next(looks);
        }
        looks
    }

    #[test]
    fn many_looks_take_little_time() {
        assert!(time_of(&SINGLE, 40_000) <= Duration::from_millis(10));
        assert!(time_of(&SINGLE, 5_000_000) <= Duration::from_secs(1));
        assert!(time_of(&SINGLE, 10_000_000) <= Duration::from_secs(2));
        assert!(time_of(&SEVERAL, 200_000) <= Duration::from_millis(200));
    }

    #[test]
    fn a_wait_for_a_deadline_comes_to_its_end() {
        let hour = Duration::from_secs(3_600);
        assert!(looks_for(&SINGLE, Duration::from_secs(5)) < 12_000_000);
        assert!(looks_for(&SINGLE, hour) < 16_000_000);
        assert!(looks_for(&SEVERAL, hour) < 500_000);
    }
}
