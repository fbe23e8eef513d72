//! How long an execution is, and what of it is recorded.
//!
//! Most executions are short: each step becomes an event, and where there is a choice the strategy
//! makes it. Two kinds of execution are not short, and neither is wrong for that:
//!
//! - **One thread is alone for a long time**, as in a test that never starts another. Nobody could
//!   notice anything it does, so after [`ALONE`] steps it is *quiet*: its operations are carried
//!   out and counted, and nothing else. When it starts a thread, recording goes on.
//! - **The execution goes beyond its limit** (`max_steps`) while things still change. It then runs
//!   to its end: threads take turns, the strategy is not asked any more, and only the last events
//!   are kept. The verdict at the end counts. If it goes round and round, it is a livelock (see
//!   `circle.rs`); so it is if the test has a limit (`livelock_steps`) and nothing has changed for
//!   `max_steps`.
//!
//! Both depend on nothing but the events so far. An execution that follows the schedule of a long
//! one therefore is long in the same way, and ends in the same way.

use crate::ending::Ending;
use crate::execution::Execution;
use crate::settings::Until;
use crate::sharing::Sharing;
use crate::step::{Change, Listeners, Turn};
use rustc_hash::FxHashSet;
use selvedge_model::{Effect, LeakedThreads, Operation, OperationKind, ThreadId};

/// See whether the execution has become long after this many events.
pub(crate) const EVENTS_PER_LOOK: usize = 1024;
/// A thread that has been alone for this many steps is quiet from then on.
const ALONE: u64 = 10_000;
/// After so many quiet steps it is time for a look.
const QUIET_PER_LOOK: u32 = 1 << 16;
/// Beyond the limit, a thread goes on for this many steps before the next one has its turn.
const TURN: usize = 64;
/// Threads that are left when the test function has returned get about so many more steps, if it
/// does not matter what becomes of them.
const AFTERMATH: u64 = 10_000;
/// Threads that go round and round have no more different events than this in a stretch.
const SPIN_EVENTS: usize = 64;

/// The length of an execution so far, apart from the recorded events themselves.
#[derive(Default)]
pub(crate) struct Length {
    /// When there have been this many events, see whether the execution is over.
    pub(crate) limit: usize,
    /// Until there have been this many events, steps are routine (see `routine.rs`).
    pub(crate) routine: usize,
    /// How many events there were when something last changed that others could see.
    pub(crate) last_change: usize,
    /// How many more steps of the only thread need not be recorded.
    pub(crate) quiet: u32,
    /// Whether any of those before has changed something.
    quiet_change: Change,
    /// Steps that are not, or not any more, among the events.
    forgotten: u64,
    /// How many events were recorded when the execution went beyond its limit.
    recorded: Option<usize>,
    /// When the turn of the running thread ends, in events; beyond the limit only.
    turn_ends: usize,
    /// The step after which one thread was left alone.
    alone_since: u64,
    /// The last step that is known to have changed something.
    changed: u64,
    /// The value of `Execution::last_change` that stands for no change since.
    seen_change: usize,
    /// How often the quiet thread has yielded since the last look.
    yields: u32,
    /// When the test function returned.
    main_ended: Option<u64>,
}

impl Execution {
    /// Every step of the execution, whether it was recorded or not.
    pub(crate) fn steps(&self) -> u64 {
        self.events.len() as u64 + self.length.forgotten - u64::from(self.length.quiet)
    }

    /// Whether the execution has gone beyond its limit.
    #[inline]
    pub(crate) fn is_beyond(&self) -> bool {
        self.length.recorded.is_some()
    }

    /// How many of the events were recorded before the execution went beyond its limit.
    pub(crate) fn recorded(&self) -> usize {
        self.length.recorded.unwrap_or(self.events.len())
    }

    /// Forgets the last execution.
    pub(crate) fn reset_length(&mut self) {
        self.length = Length::default();
        self.length.limit = self.next_look();
    }

    /// Another thread comes to life: from now on there is somebody who may notice something.
    #[inline]
    pub(crate) fn has_company(&mut self) {
        if self.length.quiet != 0 {
            self.length.forgotten -= u64::from(self.length.quiet);
            self.length.quiet = 0;
            self.length.limit = self.next_look();
        }
    }

    /// A thread has ended.
    #[inline]
    pub(crate) fn is_left_by(&mut self, thread: ThreadId) {
        let steps = self.steps();
        if thread == ThreadId::MAIN {
            self.length.main_ended = Some(steps);
        }
        self.length.alone_since = steps;
    }

    /// Notes a step of the only thread.
    #[inline(always)]
    pub(crate) fn happened_quietly(
        &mut self,
        operation: Operation,
        effect: Effect,
        change: Change,
    ) {
        if self.is_sampled() {
            self.sample(operation, effect);
        }
        self.length.quiet -= 1;
        if change == Change::Something {
            self.length.quiet_change = change;
            self.time.works();
        }
    }

    /// The only thread has yielded.
    #[inline]
    pub(crate) fn yields_quietly(&mut self) {
        self.length.yields += 1;
    }

    /// Takes note of changes before the events that tell of them are forgotten, or before the
    /// count of idle steps begins anew for another reason.
    pub(crate) fn note_changes(&mut self) {
        if self.length.last_change != self.length.seen_change {
            self.length.seen_change = self.length.last_change;
            self.length.changed = self.steps() - self.idle() as u64;
        }
    }

    /// The last step that changed something, as far as is known.
    pub(crate) fn changed(&mut self) -> u64 {
        self.note_changes();
        self.length.changed
    }

    /// Counts idle steps anew, although nothing has changed.
    pub(crate) fn begin_anew(&mut self) {
        self.note_changes();
        self.length.last_change = self.events.len();
        self.length.seen_change = self.length.last_change;
    }

    /// Looked at every now and then: tells the watcher that there is progress, and says whether
    /// the execution has ended or become too long.
    #[cold]
    pub(crate) fn is_over(&mut self) -> bool {
        if self.ending.is_some() {
            return true;
        }
        if self.settings.trap == Some(self.events.len() as u64 + 1) {
            crate::crash::trap();
        }
        // Whether a thread stops here depends on what earlier executions have taught, and what
        // happens to a long execution must not.
        if self.info[self.current.index()].pending.kind.gives_back() {
            return false;
        }
        self.tell_watcher();
        self.limit_clocks();
        match self.verdict() {
            Some(ending) => {
                self.end(ending);
                true
            }
            None => {
                self.keep_short();
                false
            }
        }
    }

    /// What the length of the execution says about it, if it can not simply go on.
    fn verdict(&mut self) -> Option<Ending> {
        let was_quiet = self.was_quiet();
        self.note_changes();
        if was_quiet {
            self.note_quiet_changes();
        }
        self.look_for_circle();
        let steps = self.steps();
        let most = self.settings.max_steps;
        if let Some(ended) = self.length.main_ended {
            let allowed = match self.settings.leaked_threads {
                LeakedThreads::Report => most.saturating_sub(ended).max(AFTERMATH.min(most)),
                LeakedThreads::Allow => AFTERMATH,
            };
            return (steps - ended >= allowed).then(|| self.left_behind());
        }
        if let Until::Steps(most) = self.settings.until
            && steps >= most
            && self.threads.len() > 1
        {
            return Some(Ending::CutOff);
        }
        if self.settings.livelock_steps.is_some_and(|limit| steps >= limit) {
            return Some(self.no_end());
        }
        let idle = steps - self.length.changed;
        let is_out_of_memory = self.partners.watch.is_out_of_memory();
        let asked = self.partners.watch.is_asked_to_stop() && !self.seems_endless(idle);
        let is_long = self.is_beyond() || was_quiet || self.settings.until == Until::Asked;
        if (is_long && (asked || is_out_of_memory)) || self.partners.watch.must_stop() {
            return Some(Ending::GivenUp);
        }
        (self.is_endless(idle) || self.is_idle_for_long(idle, was_quiet)).then(|| self.no_end())
    }

    /// Whether so little has changed that it is a livelock by the test's own limits.
    fn is_idle_for_long(&mut self, idle: u64, was_quiet: bool) -> bool {
        let most = self.settings.max_steps;
        if self.settings.livelock_steps.is_none() || !self.has_time_passed() {
            return false;
        }
        if self.is_beyond() {
            idle >= most && self.goes_round()
        } else if was_quiet {
            idle >= most
        } else {
            // Whoever spins on keeps the others from running. They get their turns first.
            self.events.len() as u64 >= most && idle >= most / 2 && !self.rounds.spin.is_on()
        }
    }

    /// How an execution ends that goes round and round. If somebody is held, that is why.
    fn no_end(&self) -> Ending {
        match self.is_anybody_held() {
            true => Ending::Infeasible,
            false => Ending::StepLimit,
        }
    }

    /// How an execution ends in which the test function has returned and threads are left.
    pub(crate) fn left_behind(&self) -> Ending {
        match self.settings.leaked_threads {
            LeakedThreads::Report => Ending::Leaked,
            LeakedThreads::Allow => Ending::Passed,
        }
    }

    /// Decides how the execution is recorded until the next look.
    fn keep_short(&mut self) {
        if self.states.live() == 1 && self.steps() - self.length.alone_since >= ALONE {
            self.length.forgotten += u64::from(QUIET_PER_LOOK - self.length.quiet);
            self.length.quiet = QUIET_PER_LOOK;
            self.see_everything();
            self.length.yields = 0;
            self.length.quiet_change = Change::Nothing;
            self.forget_events();
            // The next stop that is not quiet is the next look.
            self.length.limit = 0;
            self.end_routine();
            return;
        }
        if !self.is_beyond() && self.events.len() as u64 >= self.settings.max_steps {
            self.go_beyond();
        }
        if !self.is_beyond() {
            self.be_fair();
        }
        self.forget_events();
        self.length.limit = self.next_look();
    }

    /// What was changed by a thread that was quiet until now. If it changed nothing, but did not
    /// yield either, it may well compute something: by the test's own limits, only those who yield wait
    /// for somebody.
    fn note_quiet_changes(&mut self) {
        let computes =
            self.settings.livelock_steps.is_some() && self.length.yields < QUIET_PER_LOOK / 8;
        if self.length.quiet_change == Change::Something || computes {
            self.length.changed = self.steps();
        }
    }

    /// Whether the running thread has been quiet up to this look.
    fn was_quiet(&self) -> bool {
        self.length.limit == 0
    }

    /// From now on threads take turns and events are not kept.
    fn go_beyond(&mut self) {
        self.end_routine();
        self.length.recorded = Some(self.events.len());
        self.length.turn_ends = self.events.len() + TURN;
        self.rounds.spin.end();
        // Which objects are private is known from earlier executions, and those do not count here.
        self.objects.iter_mut().for_each(|entry| entry.sharing = Sharing::Shared);
        let watches =
            self.partners.written.as_ref().is_some_and(|written| written.watches_blocking());
        self.partners.listeners = if watches { Listeners::Schedule } else { Listeners::None };
    }

    /// Beyond the limit, forgets all events but the last ones.
    fn forget_events(&mut self) {
        let Some(recorded) = self.length.recorded else { return };
        let last = self.events.len().saturating_sub(self.settings.idle_limit);
        let forgotten = last.saturating_sub(recorded);
        if forgotten == 0 {
            return;
        }
        self.events.drain(recorded..last);
        self.length.forgotten += forgotten as u64;
        let moved = |index: usize| index.saturating_sub(forgotten).max(recorded.min(index));
        self.length.last_change = moved(self.length.last_change);
        self.length.seen_change = moved(self.length.seen_change);
        self.length.turn_ends = moved(self.length.turn_ends);
        self.time.events_moved(moved);
        self.rounds.circle.events_moved(moved);
        for thread in &mut self.threads {
            if let Some(yielded) = &mut thread.yielded_at {
                yielded.change = moved(yielded.change);
                yielded.events = moved(yielded.events);
            }
        }
    }

    /// Whether the last events are but a few, again and again. If not, somebody works on something,
    /// also if nothing changes, and is given more time.
    fn goes_round(&mut self) -> bool {
        let last = self.events.len().saturating_sub(self.settings.idle_limit);
        let different: FxHashSet<_> =
            self.events[last..].iter().map(|event| (event.thread, event.operation)).collect();
        if different.len() > SPIN_EVENTS {
            self.length.changed = self.steps();
            return false;
        }
        true
    }

    /// The number of events at which [`is_over`](Self::is_over) is asked next.
    fn next_look(&self) -> usize {
        let done = self.events.len();
        // A look for a debugger must not move the others: what they see would be another stretch.
        let regular = self.rounds.fairness.looked_at() + EVENTS_PER_LOOK;
        let next = if regular > done { regular } else { done + EVENTS_PER_LOOK };
        let next = match self.settings.trap.map(|step| step as usize - 1) {
            Some(trap) if trap > done => trap.min(next),
            _ => next,
        };
        match (usize::try_from(self.settings.max_steps), self.length.recorded) {
            (Ok(most), None) if most > self.events.len() => most.min(next),
            _ => next,
        }
    }

    /// Chooses who runs next, beyond the limit: the running thread until its turn is over or it
    /// yields, then the next one that can run.
    #[cold]
    #[inline(never)]
    pub(crate) fn take_turns(&mut self) -> Turn {
        let me = self.current;
        let kind = self.info[me.index()].pending.kind;
        let goes_on = kind.gives_back()
            || (self.events.len() < self.length.turn_ends
                && !matches!(kind, OperationKind::Yield | OperationKind::ClockRead));
        if goes_on && self.states.can_run(me) {
            return Turn::Stay;
        }
        self.length.turn_ends = self.events.len() + TURN;
        let next = self.states.enabled().iter().find(|&thread| thread > me);
        if let Some(next) = next.or(self.states.enabled().first()) {
            self.current = next;
        }
        if self.current == me { Turn::Stay } else { Turn::Switch }
    }
}
