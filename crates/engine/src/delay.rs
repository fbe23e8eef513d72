//! Delays: whoever waits for a time may come later than that.
//!
//! When nobody can run, virtual time jumps to the next deadline, and its thread runs before anybody whose
//! deadline is a moment later. A loaded machine does not promise that: a thread that was due at 40 ms may get a processor
//! at 52 ms, when another that was due at 50 ms has run. So whether the next thread that is due is late, and
//! by how many milliseconds, is asked of the strategy. While it is late the clock moves on. All others whose deadlines
//! pass meanwhile can run as well, and unless the strategy says otherwise the last of them runs first.
//!
//! It is asked where a delay can change an order and not only what clocks show: if another deadline lies
//! within reach, or if the thread may have timers of its own, as an event loop has, of which the next alone is known here.
//! Event loops are known by what they do: they wait for several files at a time. A wait with a deadline of a test that
//! has nobody else to wait for is none, and to delay it would only make tests fail that assert how long it took.
//!
//! Nothing ends before its time: a sleep and a time-out are late, never early, and clocks agree with that.
//! All delays of an execution together are at most the setting `delays`. That is one hiccup of a loaded machine,
//! however often the test sleeps, so a test fails for it only if a bound of its own is closer than that
//! to what it measures, and it has another thread or an event loop; such a test fails on a loaded machine as well.
//!
//! May miss: a thread that is late while it computes, relative to a deadline further ahead than `slack`;
//! timers of an event loop that are further apart than `delays`, or that waits on a condition variable.
//!
//! May falsely report: nothing that could not happen. But a test that relies on a machine that is never late by so
//! much fails, and the finding says which delay it takes.

use crate::execution::Execution;
use crate::log::Logged;
use selvedge_model::{OperationKind, Pick, Rate, ThreadId};
use std::time::Duration;

/// A delay is so many of these, in nanoseconds.
const MILLISECOND: u64 = 1_000_000;

impl Execution {
    /// Nobody can run before the deadline. Says when the thread that waits for it gets to run, which is
    /// asked of the strategy if it matters, and who then goes first if nobody decides otherwise.
    pub(crate) fn reached(&mut self, deadline: u64) -> (u64, Option<ThreadId>) {
        let rate = self.settings.timeouts;
        let most = self.settings.delays.saturating_sub(Duration::from_nanos(self.time.delayed));
        let most = u64::try_from(most.as_millis()).unwrap_or(u64::MAX).min(u64::from(u32::MAX) - 1);
        let is_asked = rate != Rate::Off && most != 0 && self.partners.written.is_none();
        if !is_asked || self.length.quiet != 0 || self.is_beyond() {
            return (deadline, None);
        }
        let Some(late) = self.waits_until(deadline) else { return (deadline, None) };
        let end = deadline.saturating_add(most * MILLISECOND);
        if !self.is_event_loop(late) && self.time.last_until(end, late).is_none() {
            return (deadline, None);
        }
        let before = std::mem::replace(&mut self.current, late);
        self.account.choices += 1;
        self.account.lone_choices += 1;
        let delay = self.ask_pick(Pick::Delay(rate), most as usize + 1) as u64;
        if delay != 0 {
            self.log(Logged::Delay(delay as u32));
        }
        self.current = before;
        self.time.delayed += delay * MILLISECOND;
        let end = deadline.saturating_add(delay * MILLISECOND);
        let first = if delay == 0 { None } else { self.time.last_until(end, late) };
        (end, first.map(|(_, thread)| thread))
    }

    /// Who waits until then, for a deadline of its own or for a timer among its files.
    fn waits_until(&self, deadline: u64) -> Option<ThreadId> {
        match self.time.first() {
            Some((first, thread)) if first == deadline => Some(thread),
            _ => self.first_listener(),
        }
    }

    /// Whether the thread may have more to do at a later time than what it waits for.
    fn is_event_loop(&self, thread: ThreadId) -> bool {
        self.info[thread.index()].pending.kind == OperationKind::IoWait
    }
}
