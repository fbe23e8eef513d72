//! Threads that go round and round and wait for another to change something.
//!
//! Two things have to be possible. Whoever waits in a loop must not keep the one from running that
//! it waits for: so a thread that repeats itself while nothing changes is *set aside* until something
//! does ([`Execution::wait_for_change`]). And whoever gives up after so many turns must be let reach
//! them, as a thread is on a machine while another is held up for a moment: so the strategy is
//! asked, when a thread has gone round once and nobody else has run meanwhile, whether it *spins on*
//! ([`Fault::SpinOn`]). Then it goes on alone until it leaves its loop or has made [`STRETCH`] steps.
//! That is one decision, whatever the number of turns. Where it has led nowhere several times it is rarely
//! tried, and a campaign spends no more than a small part of its steps on it ([`VAIN_SHARE`]).
//!
//! Source: to set aside who yields without progress is the fairness of Musuvathi and Qadeer, *Fair
//! stateless model checking* (PLDI 2008); stretches are our own.
//!
//! May miss: what needs another thread to come in between two late turns of a loop, or more turns
//! than fit into a stretch. An execution in which somebody was set aside says so, and no search of all
//! schedules that has such executions claims to have seen all ([`Spin::cuts`]).

use crate::execution::Execution;
use rustc_hash::FxHashMap;
use selvedge_model::{Fault, Look, Operation, OperationKind, Rate, Site, ThreadId};

/// Threads that spin are let go on for so many steps each before the clock moves to the next
/// deadline. What is in use as a spin before a wait (127 hints and some loads in crossbeam's, a
/// thousand yields in others) is over by then.
const SPIN_STEPS: u64 = 4096;
/// A thread that spins on is let go on for so many steps.
const STRETCH: usize = 4096;
/// A turn of a loop is at most so many steps long.
const TURN: usize = 64;
/// A thread that yields this often at one place without changing anything waits for a change. The same
/// for every strategy, so that a schedule found by one is replayed as it was; small, because every turn of
/// a loop that waits doubles the number of schedules.
pub(crate) const SPIN_LIMIT: usize = 16;
/// How many stretches that began at one place may have led nowhere before they are rarely tried.
const TRIES: u32 = 4;

/// Stretches that lead nowhere take about so many steps of a campaign, beside the first tries of each
/// place: few, because a campaign of short executions may not have many more steps in all...
const VAIN_STEPS: u64 = 8 * STRETCH as u64;
/// ... and then at most one of so many.
const VAIN_SHARE: u64 = 50;

/// Who spins on, and what is known of loops.
#[derive(Default)]
pub(crate) struct Spin {
    stretch: Option<Stretch>,
    /// Who was asked last, and up to which event nobody else has run since.
    asked: Option<(ThreadId, usize)>,
    /// How often a thread was set aside that could have gone on.
    cuts: u64,
    /// The step at which those set aside were first let go on before the clock moves, if they were.
    since: Option<u64>,
    /// How many stretches from each place have led nowhere, in all executions.
    in_vain: FxHashMap<Site, u32>,
    /// How many steps those had.
    vain_steps: u64,
}

/// A thread that spins on.
struct Stretch {
    thread: ThreadId,
    /// When there have been this many events it is over.
    ends: usize,
    /// Where it began.
    site: Site,
    /// What the thread does in a turn of its loop.
    turn: Vec<Operation>,
}

impl Spin {
    /// Forgets the last execution, but not what it has taught.
    pub(crate) fn reset(&mut self) {
        self.stretch = None;
        self.asked = None;
        self.cuts = 0;
        self.since = None;
    }

    /// How often a thread was set aside in this execution that could have gone on.
    pub(crate) fn cuts(&self) -> u64 {
        self.cuts
    }

    /// Whether somebody spins on.
    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.stretch.is_some()
    }

    /// Nobody spins on any more: from here on threads take turns.
    pub(crate) fn end(&mut self) {
        self.stretch = None;
    }

    /// Notes that a thread was set aside.
    pub(crate) fn cut(&mut self) {
        self.cuts += 1;
    }
}

impl Execution {
    /// The running thread stands before an operation while somebody spins on. Says whether it is the
    /// one and is still at it; otherwise that is over.
    #[inline(never)]
    pub(crate) fn spins_on(&mut self) -> bool {
        let me = self.current;
        let pending = self.info[me.index()].pending;
        let Some(stretch) = &self.rounds.spin.stretch else { return false };
        let is_in_time = self.events.len() < stretch.ends;
        let goes_on = stretch.thread == me && self.states.can_run(me);
        if goes_on && is_in_time && (pending.kind.only_looks() || stretch.turn.contains(&pending)) {
            return true;
        }
        if goes_on && !is_in_time {
            *self.rounds.spin.in_vain.entry(stretch.site).or_default() += 1;
            self.rounds.spin.vain_steps += STRETCH as u64;
        }
        self.rounds.spin.stretch = None;
        false
    }

    /// Asks whether the running thread spins on, if it goes round without a yield.
    #[inline(never)]
    pub(crate) fn spins_on_plainly(&mut self) -> bool {
        self.plain_turn().is_some_and(|began| self.asks_to_spin_on(began))
    }

    /// Asks whether the running thread spins on, if it has gone round since `began` and nobody else
    /// has run since then. Asked once, until somebody else has run.
    #[cold]
    #[inline(never)]
    pub(crate) fn asks_to_spin_on(&mut self, began: usize) -> bool {
        let me = self.current;
        let mine = |events: &[selvedge_model::Event]| events.iter().all(|e| e.thread == me);
        let is_free = self.states.can_run(me)
            && self.states.has_choice()
            && !self.is_beyond()
            && self.length.quiet == 0
            && self.account.panics.running == 0
            && self.partners.written.is_none();
        let turn = self.events.get(began..).unwrap_or_default();
        if !is_free || turn.is_empty() || turn.len() > TURN || !mine(turn) {
            return false;
        }
        if let Some((thread, until)) = &mut self.rounds.spin.asked
            && *thread == me
            && self.events.get(*until..).is_some_and(mine)
        {
            *until = self.events.len();
            return false;
        }
        self.rounds.spin.asked = Some((me, self.events.len()));
        let turn = turn.iter().map(|event| event.operation).collect();
        if !self.ask_fault(Fault::SpinOn) {
            return false;
        }
        let site = self.info[me.index()].pending.site;
        let ends = self.events.len() + STRETCH;
        self.rounds.spin.stretch = Some(Stretch { thread: me, ends, site, turn });
        self.end_routine();
        true
    }

    /// How readily the running thread spins on: where that has led nowhere several times, it hardly
    /// ever does, and not at all while too many of all steps have gone that way.
    pub(crate) fn spin_rate(&self) -> Rate {
        let site = self.info[self.current.index()].pending.site;
        let spin = &self.rounds.spin;
        match spin.in_vain.get(&site) {
            Some(&times) if times >= TRIES => {
                let all = self.account.first_step + self.steps();
                match spin.vain_steps > VAIN_STEPS + all / VAIN_SHARE {
                    true => Rate::Off,
                    false => Rate::Rare,
                }
            }
            _ => Rate::Eager,
        }
    }

    /// The event after which the running thread began a turn of a loop that has no yield in it, if it
    /// stands before an operation that it has carried out twice since something last changed.
    #[inline]
    fn plain_turn(&self) -> Option<usize> {
        let me = self.current;
        let pending = self.info[me.index()].pending;
        if pending.kind.look() == Look::Never || pending.kind == OperationKind::Yield {
            return None;
        }
        // Longer turns, and those in which others have run, are not asked about.
        let first = self.length.last_change.max(self.events.len().saturating_sub(TURN));
        let mine = self.events[first..].iter().rev().take_while(|event| event.thread == me);
        let mut same = mine.zip(1..).filter(|(event, _)| event.operation == pending);
        same.next()?;
        let (_, steps) = same.next()?;
        Some(self.events.len() - steps)
    }

    /// The running thread has gone round and round without changing anything. It waits until
    /// somebody else does, if anybody can; but never with something in hand that it is about to
    /// give back.
    #[cold]
    #[inline(never)]
    pub(crate) fn wait_for_change(&mut self) {
        let me = self.current;
        let pending = self.info[me.index()].pending;
        // Nobody else can be chosen, and the state is that of the wait in which the handler came.
        if self.is_in_handler() {
            return;
        }
        // To go on is no event, so it never repeats one. The operation that comes next may.
        if pending.kind == OperationKind::Continue {
            return;
        }
        // For whoever is alone and looks at the clock, time passes.
        if pending.kind == OperationKind::ClockRead && !self.states.has_choice() {
            return self.begin_anew();
        }
        let idle = &self.events[self.length.last_change..];
        let repeats = idle.iter().any(|e| e.thread == me && e.operation == pending);
        self.begin_anew();
        if repeats && self.states.can_run(me) && !pending.kind.gives_back() {
            self.states.set_aside(me);
            if !self.states.enabled().is_empty() {
                self.rounds.spin.cut();
            }
        }
    }

    /// Lets those that spin go on before time passes, though not for ever: many a thread spins for a
    /// moment before it begins a wait with a deadline, and a moment is over before anything else.
    ///
    /// A moment lasts until something changes or the clock moves. Whatever was spun before is no
    /// part of it.
    #[cold]
    pub(crate) fn spin_before_time_passes(&mut self) -> bool {
        let somebody_waits = self.next_deadline().is_some() || self.awaits_quiet();
        if !self.states.is_anybody_aside() || !somebody_waits {
            self.rounds.spin.since = None;
            return false;
        }
        let now = self.steps();
        let changed = self.changed();
        let since = self.rounds.spin.since.filter(|&since| since >= changed).unwrap_or(now);
        if now - since >= SPIN_STEPS * self.states.aside() as u64 {
            self.rounds.spin.since = None;
            return false;
        }
        self.rounds.spin.since = Some(since);
        self.states.let_try_again()
    }
}
