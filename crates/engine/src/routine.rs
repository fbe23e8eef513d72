//! Routine steps: those at which nothing is the matter.
//!
//! Before a thread goes on or another one is chosen there is much to look at, most of which is hardly ever there: a written schedule,
//! a handler, a panic hook that runs, a thread that spins on. A step that has looked at all of it and found nothing
//! ([`Execution::is_plain`]) makes the next ones *routine*, up to the next look at the execution's length. Whatever begins to be the
//! matter ends that ([`Execution::end_routine`]).

use crate::execution::Execution;
use crate::forked::Processes;
use crate::step::Turn;
use selvedge_model::ObjectId;

impl Execution {
    /// Whether the next step is a routine one.
    #[inline(always)]
    pub(crate) fn is_routine(&self) -> bool {
        self.events.len() < self.length.routine
    }

    /// Something is the matter from now on.
    #[inline]
    pub(crate) fn end_routine(&mut self) {
        self.length.routine = 0;
    }

    /// Nothing is the matter: the next steps are routine, up to the next look.
    #[inline(always)]
    pub(crate) fn begin_routine(&mut self) {
        self.length.routine = self.length.limit;
    }

    /// Whether nothing is the matter.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        self.ending.is_none()
            && self.length.quiet == 0
            && !self.is_beyond()
            && !self.is_in_handler()
            && !self.rounds.spin.is_on()
            && self.partners.written.is_none()
            && self.account.panics.running == 0
            && self.settings.processes == Processes::One
    }

    /// As [`decide`](Self::decide), for a routine step before an operation.
    #[inline(never)]
    pub(crate) fn decide_as_usual(&mut self) -> Turn {
        if self.may_spin() || !self.states.has_choice() {
            return self.decide();
        }
        let me = self.current;
        self.account.choices += 1;
        self.ask();
        if self.current == me { Turn::Stay } else { Turn::Switch }
    }

    /// Whether the running thread, which has written to an atomic and can go on, does so without the
    /// strategy being asked.
    #[inline(never)]
    pub(crate) fn passes_by(&mut self) -> bool {
        if self.partners.asked_at == 0 {
            let (place, strategy) = (self.partners.place, self.partners.strategy);
            // SAFETY: As in `ask`.
            let passed = unsafe { place.outside(|| (*strategy).continuations()) };
            self.partners.asked_at = passed.saturating_add(1);
        }
        self.partners.asked_at -= 1;
        self.partners.asked_at != 0
    }

    /// Short for a stop at a continuation at which the strategy would have been asked, had it not said
    /// that it is not to be. Says whether that is so here.
    #[inline]
    pub(crate) fn continues(&mut self, object: ObjectId) -> bool {
        let continues = self.partners.asked_at > 1
            && self.is_routine()
            && self.states.can_run(self.current)
            && self.states.has_choice()
            && !self.states.fresh
            && !self.is_private(object)
            && !self.may_spin();
        if continues {
            self.partners.asked_at -= 1;
            self.account.choices += 1;
        }
        continues
    }
}
