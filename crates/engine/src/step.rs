//! One step: a thread announces its operation, somebody is chosen, an event is recorded.

use crate::context::{Controlled, outside};
use crate::ending::Ending;
use crate::execution::Execution;
use crate::log::Logged;
use crate::sharing::Sharing;
use crate::thread::Life;
use selvedge_model::{
    Effect, Event, Fault, ObjectId, Operation, OperationKind, Rate, Site, ThreadId, Toggle, View,
};

/// Whether the running thread goes on or another one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Turn {
    Stay,
    Switch,
}

/// Whether an event changed anything that another thread could see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Something,
    Nothing,
}

impl Controlled {
    /// The running thread stops before an operation and comes back when it is chosen to carry it
    /// out. Whether it can be chosen is up to the caller, who has put it into or taken it out of
    /// the set of enabled threads.
    #[inline]
    pub(crate) fn stop(self, kind: OperationKind, object: ObjectId, site: Site) {
        let execution = self.execution();
        let me = execution.current;
        if execution.announce(Operation { kind, object, site }) == Turn::Switch {
            self.give_way(me);
        }
    }

    /// The running thread, `me`, lets the chosen one run and comes back when it is chosen.
    #[inline]
    pub(crate) fn give_way(self, me: ThreadId) {
        let exit = self.execution().threads[me.index()].exit;
        self.switch(exit);
    }
}

impl Execution {
    /// The running thread is about to carry out an operation. Decides who goes first.
    #[inline]
    pub(crate) fn announce(&mut self, operation: Operation) -> Turn {
        let me = self.current;
        self.info[me.index()].pending = operation;
        if self.steps >= self.limit {
            self.end_too_long();
            return Turn::Switch;
        }
        if self.enabled.contains(me)
            && (self.enabled.len() == 1 || self.is_private(operation.object))
            && self.threads[me.index()].idle < self.settings.idle_limit
        {
            return Turn::Stay;
        }
        self.decide()
    }

    /// Whether nobody but the running thread uses the object, as far as is known.
    #[inline]
    fn is_private(&self, object: ObjectId) -> bool {
        match self.objects.get(object.index()) {
            Some(entry) => {
                entry.user == self.current && matches!(entry.sharing, Sharing::Private { .. })
            }
            None => false,
        }
    }

    /// Chooses the thread that runs next. The running thread has announced what it wants to do.
    pub(crate) fn decide(&mut self) -> Turn {
        let me = self.current;
        if self.ending.is_some() {
            return Turn::Switch;
        }
        if self.threads[me.index()].idle >= self.settings.idle_limit {
            self.wait_for_change();
        }
        while self.enabled.is_empty() {
            if !self.skip_time() && !self.retry_spinners() {
                self.end_blocked();
                return Turn::Switch;
            }
        }
        let view =
            View { enabled: &self.enabled, threads: &self.info, current: me, step: self.steps };
        let undisturbed = view.undisturbed();
        let chosen = if self.enabled.len() == 1 {
            undisturbed
        } else {
            let strategy = self.strategy;
            // SAFETY: `run` keeps the strategy borrowed for as long as the execution runs, and
            // nothing else reaches it meanwhile.
            outside(|| unsafe { (*strategy).next_thread(&view) })
        };
        assert!(self.enabled.contains(chosen), "the strategy chose a thread that can not run");
        if chosen != undisturbed {
            self.log(Logged::Switch(chosen));
        }
        self.current = chosen;
        if chosen == me { Turn::Stay } else { Turn::Switch }
    }

    /// Asks whether a fault happens to the running thread's operation.
    pub(crate) fn ask_fault(&mut self, fault: Fault) -> bool {
        let rate = match fault {
            Fault::Timeout => self.settings.timeouts,
            Fault::Spurious => self.settings.spurious,
            Fault::WeakFailure => self.settings.weak_cas,
        };
        if rate == Rate::Off {
            return false;
        }
        let strategy = self.strategy;
        // SAFETY: As in `decide`.
        let happens = outside(|| unsafe { (*strategy).fault(fault, rate) });
        if happens {
            self.log(Logged::Fault(fault));
        }
        happens
    }

    /// Asks which of the waiters is woken.
    pub(crate) fn ask_wake(&mut self, waiters: &[ThreadId]) -> usize {
        if waiters.len() == 1 {
            return 0;
        }
        let strategy = self.strategy;
        // SAFETY: As in `decide`.
        let chosen = outside(|| unsafe { (*strategy).wake(waiters) });
        assert!(chosen < waiters.len(), "the strategy chose a waiter that does not exist");
        if chosen != 0 {
            self.log(Logged::Wake(chosen as u32));
        }
        chosen
    }

    /// Records that the running thread has carried out an operation.
    #[inline]
    pub(crate) fn happened(
        &mut self,
        kind: OperationKind,
        object: ObjectId,
        site: Site,
        effect: Effect,
        change: Change,
    ) {
        let me = self.current;
        let event = Event { thread: me, operation: Operation { kind, object, site }, effect };
        self.events.push(event);
        self.steps += 1;
        self.total_steps += 1;
        self.watch.step(self.total_steps, me.0, site);
        if let Some(entry) = self.objects.get_mut(object.index())
            && entry.user != me
            && let Sharing::Private { origin } | Sharing::Unknown { origin } = entry.sharing
        {
            entry.sharing = Sharing::Shared;
            self.sharing.is_shared(origin);
        }
        let thread = &mut self.threads[me.index()];
        match change {
            Change::Nothing => thread.idle += 1,
            Change::Something => {
                thread.idle = 0;
                thread.yielded_at = None;
                if !self.spinners.is_empty() {
                    self.enabled.insert_all(&self.spinners);
                    self.spinners.clear();
                }
            }
        }
        if self.listeners != Listeners::None {
            self.tell(&event);
        }
    }

    /// Tells those who want to know of an event.
    #[inline(never)]
    fn tell(&mut self, event: &Event) {
        if self.settings.clocks == Toggle::On {
            self.clocks[event.thread.index()].seen.tick(event.thread);
        }
        if self.listeners == Listeners::Some {
            let (strategy, observer) = (self.strategy, self.observer);
            let clock = &self.clocks[event.thread.index()].seen;
            // SAFETY: As in `decide`; the observer is borrowed by `run` in the same way.
            outside(|| unsafe {
                if (*strategy).wants_events() {
                    (*strategy).event(event);
                }
                if let Some(observer) = observer {
                    (*observer).event(event, clock);
                }
            });
        }
    }

    /// The running thread has gone round and round without changing anything. It waits until
    /// somebody else does, if anybody can.
    #[cold]
    fn wait_for_change(&mut self) {
        let me = self.current;
        self.threads[me.index()].idle = 0;
        if self.enabled.contains(me) {
            self.enabled.remove(me);
            self.spinners.insert(me);
        }
    }

    /// Nobody can run but those that spin: let them try again.
    fn retry_spinners(&mut self) -> bool {
        if self.spinners.is_empty() {
            return false;
        }
        self.enabled.insert_all(&self.spinners);
        self.spinners.clear();
        true
    }

    /// The step limit is reached, or the execution has ended otherwise.
    #[cold]
    fn end_too_long(&mut self) {
        let ending = match self.main_has_ended() {
            true => Ending::Leaked,
            false => Ending::StepLimit,
        };
        self.end(ending);
    }

    /// Nobody can run.
    fn end_blocked(&mut self) {
        let ending = match self.main_has_ended() {
            true => Ending::Leaked,
            false => Ending::Stuck,
        };
        self.end(ending);
    }

    fn main_has_ended(&self) -> bool {
        self.threads[ThreadId::MAIN.index()].life == Life::Ended
    }
}

/// Whether anybody wants to be told of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listeners {
    None,
    /// Nobody, but clocks are kept.
    Clocks,
    Some,
}
