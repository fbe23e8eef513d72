//! Virtual time.
//!
//! The clock stands still while threads run and jumps to the next deadline when nobody can. A
//! test that sleeps for an hour takes no time. Each look at the clock moves it by a little, and
//! after many looks while nobody else can run by more and more, so that a loop that waits for
//! time to pass comes to an end.

use crate::clock::Shown;
use crate::execution::Execution;
use crate::thread::WayOut;
use selvedge_model::{Fault, Rate, ThreadId};
use std::collections::BTreeSet;
use std::time::Duration;

/// What a look at the clock takes, in nanoseconds.
const LOOK: u64 = 1_000;
/// After this many looks in a row a thread that is alone is taken to wait for time to pass: each
/// further look takes twice as long as the last one.
const PATIENCE: u32 = 1_000;
/// At most this often, which makes a quarter of an hour.
const DOUBLINGS: u32 = 30;

/// The clock and who waits for it.
#[derive(Default)]
pub(crate) struct Time {
    pub(crate) now: u64,
    deadlines: BTreeSet<(u64, ThreadId)>,
    /// How often in a row a thread has looked at the clock while it was alone.
    looks: u32,
    /// How many events there were at the last look.
    looked: usize,
    pub(crate) shown: Shown,
}

impl Time {
    pub(crate) fn reset(&mut self) {
        self.now = 0;
        self.deadlines.clear();
        self.looks = 0;
        self.looked = 0;
        self.shown = Shown::Present;
    }
}

impl Time {
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
        let me = self.current;
        let alone = !self.enabled.has_several()
            && self.events[self.time.looked..].iter().all(|event| event.thread == me);
        self.time.looks = if alone { self.time.looks.saturating_add(1) } else { 0 };
        self.time.looked = self.events.len();
        let doublings = self.time.looks.saturating_sub(PATIENCE).min(DOUBLINGS);
        let mut now = self.time.now.saturating_add(LOOK << doublings);
        if doublings > 0
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
        self.advance_to(deadline.max(self.time.now));
    }

    /// Moves the clock to the next deadline, if anybody waits for one.
    pub(crate) fn skip_time(&mut self) -> bool {
        let Some(deadline) = self.next_deadline() else { return false };
        self.advance_to(deadline);
        true
    }

    /// The next moment at which somebody may become able to run.
    pub(crate) fn next_deadline(&self) -> Option<u64> {
        let waits = self.time.deadlines.first().map(|&(deadline, _)| deadline);
        // A timer matters to nobody who does not wait for files.
        let timer = if self.listens_to_files() { self.timers.next_deadline() } else { None };
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
