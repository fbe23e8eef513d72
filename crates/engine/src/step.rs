//! One step: a thread announces its operation, somebody is chosen, an event is recorded.

use crate::context::{Controlled, InEngine};
use crate::ending::Ending;
use crate::execution::Execution;
use crate::forked::Processes;
use crate::log::Logged;
use crate::sharing::Sharing;
use selvedge_model::{
    Age, Effect, Event, Fault, Moment, ObjectId, Operation, OperationKind, Order, Pick, Rate, Site,
    ThreadId, View,
};
use std::time::Duration;

/// A thread may be in a loop after this many steps that changed nothing.
const IDLE_TURNS: usize = 2;

/// Whether the running thread goes on or another one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Turn {
    Stay,
    Switch,
}

/// Whether an event changed anything that another thread could see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Change {
    Something,
    #[default]
    Nothing,
}

impl Controlled {
    /// The running thread stops before an operation and comes back when it is chosen to carry it
    /// out. Whether it can be chosen is up to the caller, who has put it into or taken it out of
    /// the set of enabled threads.
    ///
    /// Inlined up to the user's code: every return after a switch of stacks is mispredicted, so
    /// there must be few of them.
    #[inline(always)]
    pub(crate) fn stop(self, kind: OperationKind, object: ObjectId, site: Site) {
        self.stop_or(kind, object, site, |_, _| {});
    }

    /// As [`stop`](Self::stop), for an operation that may concern two objects.
    #[inline(always)]
    pub(crate) fn stop_before(self, operation: Operation) {
        self.execution().stop_before(operation, |_, _| {});
    }

    /// As [`stop`](Self::stop); `leave` is called with the running thread if it does not go on at
    /// once.
    #[inline(always)]
    pub(crate) fn stop_or(
        self,
        kind: OperationKind,
        object: ObjectId,
        site: Site,
        leave: impl FnOnce(&mut Execution, ThreadId),
    ) {
        self.execution().stop_or(kind, object, site, leave);
    }
}

impl InEngine {
    /// As [`Controlled::stop`], for engine functions that hold on to the state.
    #[inline(always)]
    pub(crate) fn stop(&mut self, kind: OperationKind, object: ObjectId, site: Site) {
        self.stop_or(kind, object, site, |_, _| {});
    }

    /// As [`Controlled::stop_or`], for engine functions that hold on to the state.
    #[inline(always)]
    pub(crate) fn stop_or(
        &mut self,
        kind: OperationKind,
        object: ObjectId,
        site: Site,
        leave: impl FnOnce(&mut Execution, ThreadId),
    ) {
        self.stop_before(Operation::new(kind, object, site), leave);
    }

    /// As [`Controlled::stop_before`], with what is done if the thread does not go on at once.
    #[inline(always)]
    pub(crate) fn stop_before(
        &mut self,
        operation: Operation,
        leave: impl FnOnce(&mut Execution, ThreadId),
    ) {
        let me = self.current;
        let Operation { kind, object, site, .. } = operation;
        if self.announce(operation) == Turn::Switch {
            leave(self, me);
            self.thread().give_way(me);
            // Who has come back from a read-modify-write does not need its object any more: it may
            // have given up the last but one reference.
            if self.heap.is_on() && kind != OperationKind::Continue {
                self.thread().expect_alive(object, site);
            }
        }
    }
}

impl Execution {
    /// The running thread is about to carry out an operation. Decides who goes first.
    #[inline(always)]
    pub(crate) fn announce(&mut self, operation: Operation) -> Turn {
        let me = self.current;
        self.info[me.index()].pending = operation;
        if self.is_routine() && operation.kind != OperationKind::Continue {
            let goes_on = self.goes_on_unasked(operation.object);
            self.states.fresh = false;
            return if goes_on { Turn::Stay } else { self.decide_as_usual() };
        }
        if self.length.quiet != 0 && self.states.can_run(me) {
            return Turn::Stay;
        }
        if self.events.len() >= self.length.limit && self.is_over() {
            return Turn::Switch;
        }
        if self.goes_on_unasked(operation.object)
            && (self.partners.written.is_none() || self.stays_by_schedule(operation.object))
        {
            self.states.fresh = false;
            return Turn::Stay;
        }
        self.states.fresh = false;
        self.decide()
    }

    /// Whether the running thread can go on, and nothing can be gained by asking who is next.
    #[inline(always)]
    fn goes_on_unasked(&self, object: ObjectId) -> bool {
        self.states.can_run(self.current)
            && (!self.states.has_choice() || self.states.fresh || self.is_private(object))
            && self.idle() < self.settings.idle_limit
    }

    /// Whether a stop may still be left out when it has been looked at who may go on by the written
    /// schedule.
    #[cold]
    #[inline(never)]
    fn stays_by_schedule(&mut self, object: ObjectId) -> bool {
        self.look_at_schedule();
        self.states.can_run(self.current)
            && (!self.states.has_choice() || self.states.fresh || self.is_private(object))
    }

    /// Whether the running thread may be in a loop.
    #[inline(always)]
    pub(crate) fn may_spin(&self) -> bool {
        self.idle() >= IDLE_TURNS
    }

    /// How many events in a row have changed nothing.
    #[inline(always)]
    pub(crate) fn idle(&self) -> usize {
        self.events.len() - self.length.last_change
    }

    /// Whether nobody but the running thread uses the object, as far as is known.
    #[inline(always)]
    pub(crate) fn is_private(&self, object: ObjectId) -> bool {
        match self.objects.get(object.index()) {
            Some(entry) => {
                entry.user == self.current && matches!(entry.sharing, Sharing::Private { .. })
            }
            None => false,
        }
    }

    /// Chooses the thread that runs next. The running thread has announced what it wants to do.
    #[inline(never)]
    pub(crate) fn decide(&mut self) -> Turn {
        let me = self.current;
        if self.stacks.is_on() {
            self.note_pending_stack();
        }
        if self.ending.is_some() {
            return Turn::Switch;
        }
        if self.is_in_handler() {
            return self.goes_on_in_handler();
        }
        if self.partners.written.is_some() {
            self.look_at_schedule();
        }
        if self.account.panics.running > 0 && self.states.can_run(me) {
            return Turn::Stay;
        }
        if self.rounds.spin.is_on() && self.spins_on() {
            return Turn::Stay;
        }
        if self.may_spin() && self.spins_on_plainly() {
            return Turn::Stay;
        }
        if self.idle() >= self.settings.idle_limit {
            self.wait_for_change();
        }
        if !self.states.has_choice() {
            return self.go_on_without_choice();
        }
        if self.is_beyond() {
            return self.take_turns();
        }
        self.account.choices += 1;
        let is_continuation = self.info[me.index()].pending.kind == OperationKind::Continue;
        if !(is_continuation && self.states.can_run(me) && self.passes_by()) {
            self.ask();
        }
        let chosen = self.current;
        if self.settings.processes == Processes::Forked && self.note_moment() {
            return Turn::Switch;
        }
        if self.is_plain() {
            self.begin_routine();
        }
        if chosen == me { Turn::Stay } else { Turn::Switch }
    }

    /// Asks the strategy who is next.
    #[inline(always)]
    pub(crate) fn ask(&mut self) {
        let (place, strategy) = (self.partners.place, self.partners.strategy);
        let view = self.view();
        let undisturbed = view.undisturbed();
        // SAFETY: `run` keeps the strategy borrowed for as long as the execution runs, nothing else
        // reaches it meanwhile, and threads run on the thread of `run`, whose place this is.
        let chosen = unsafe { place.outside(|| (*strategy).next_thread(&view)) };
        assert!(self.states.can_run(chosen), "the strategy chose a thread that can not run");
        if chosen != undisturbed {
            self.log(Logged::Switch(chosen));
        }
        self.current = chosen;
    }

    /// At most one thread can run. If nobody can, time passes, something comes from outside, or those
    /// that spin try again.
    #[inline(never)]
    fn go_on_without_choice(&mut self) -> Turn {
        let me = self.current;
        loop {
            if self.partners.written.is_some() {
                self.look_at_schedule();
            }
            match self.states.enabled().first() {
                Some(_) if self.states.has_choice() => {
                    let turn = self.decide();
                    // Who goes first after a delay need not be who has stopped here.
                    return if self.current == me { turn } else { Turn::Switch };
                }
                Some(thread) => {
                    self.current = thread;
                    return if thread == me { Turn::Stay } else { Turn::Switch };
                }
                None => {
                    let goes_on = self.look_outside(Duration::ZERO)
                        || self.spin_before_time_passes()
                        || self.skip_time()
                        || self.await_outside()
                        || self.let_quiet_go()
                        || self.states.let_try_again();
                    if !goes_on {
                        self.end_blocked();
                        return Turn::Switch;
                    }
                }
            }
        }
    }

    /// What strategies see.
    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        View {
            enabled: self.states.enabled(),
            threads: &self.info,
            current: self.current,
            step: self.events.len() as u64,
        }
    }

    /// Asks whether a fault happens to the running thread's operation.
    pub(crate) fn ask_fault(&mut self, fault: Fault) -> bool {
        let rate = match fault {
            Fault::Timeout => self.settings.timeouts,
            Fault::Spurious => self.settings.spurious,
            Fault::WeakFailure => self.settings.weak_cas,
            Fault::PolledAgain | Fault::OtherWaker | Fault::EarlyDrop => self.settings.polls,
            Fault::SpinOn => self.spin_rate(),
        };
        if rate == Rate::Off || self.length.quiet != 0 || self.is_beyond() || self.must_block(fault)
        {
            return false;
        }
        self.account.choices += 1;
        let (place, strategy) = (self.partners.place, self.partners.strategy);
        let view = self.view();
        // SAFETY: As in `ask`.
        let happens = unsafe { place.outside(|| (*strategy).fault(&view, fault, rate)) };
        if happens {
            self.log(Logged::Fault(fault));
        }
        happens
    }

    /// Asks which of the waiters is woken.
    pub(crate) fn ask_wake(&mut self, waiters: &[ThreadId]) -> usize {
        if self.is_beyond() {
            return 0;
        }
        self.account.choices += 1;
        let chosen = self.ask_pick(Pick::Waiter, waiters.len());
        if chosen != 0 {
            self.log(Logged::Wake(chosen as u32));
        }
        chosen
    }

    /// Asks which one it is of so many.
    pub(crate) fn ask_pick(&mut self, pick: Pick<'_>, of: usize) -> usize {
        let (place, strategy) = (self.partners.place, self.partners.strategy);
        let view = self.view();
        // SAFETY: As in `ask`.
        let chosen = unsafe { place.outside(|| (*strategy).pick(&view, pick, of)) };
        assert!(chosen < of, "the strategy picked number {chosen} of {of}");
        chosen
    }

    /// Records that the running thread has carried out an operation.
    #[inline(always)]
    pub(crate) fn happened(
        &mut self,
        kind: OperationKind,
        object: ObjectId,
        site: Site,
        effect: Effect,
        change: Change,
    ) {
        let operation = Operation::new(kind, object, site);
        self.happened_in_order(operation, effect, change, Order::Implied);
    }

    /// As [`happened`](Self::happened), for an operation whose memory ordering was chosen or that
    /// concerns two objects.
    #[inline(always)]
    pub(crate) fn happened_in_order(
        &mut self,
        operation: Operation,
        effect: Effect,
        change: Change,
        order: Order,
    ) {
        self.happened_to_value(operation, effect, change, (order, Age::ONLY));
    }

    /// As [`happened_in_order`](Self::happened_in_order), for an operation on one of the values of an atomic.
    #[inline(always)]
    pub(crate) fn happened_to_value(
        &mut self,
        operation: Operation,
        effect: Effect,
        change: Change,
        (order, age): (Order, Age),
    ) {
        let object = operation.object;
        // Made in its place: a copy by way of the stack costs more than the rest of the step. Therefore
        // nobody before this is shown the operation or its effect, which would have to lie somewhere.
        self.events.push(Event { thread: self.current, order, age, operation, effect });
        if self.length.quiet != 0 {
            return self.was_quiet_event(change);
        }
        if let Some(entry) = self.objects.get(object.index())
            && !matches!(entry.sharing, Sharing::Shared)
        {
            self.touch(object);
        }
        if change == Change::Something {
            self.length.last_change = self.events.len();
            self.time.works();
            if self.states.is_anybody_aside() {
                self.states.let_try_again();
            }
        }
        if self.order.is_on() {
            self.pass_on();
        }
        if self.partners.listeners != Listeners::None {
            self.tell();
        }
        // From here on the clock is that of the thread's next event, so that what the event leaves
        // includes the event itself.
        self.next_epoch();
    }

    /// The last event is that of a quiet thread, and not to be recorded.
    #[inline(never)]
    fn was_quiet_event(&mut self, change: Change) {
        if let Some(Event { operation, effect, .. }) = self.events.pop() {
            self.happened_quietly(operation, effect, change);
        }
    }

    /// Notes that the running thread uses an object that may be another thread's own.
    #[cold]
    fn touch(&mut self, object: ObjectId) {
        let entry = &mut self.objects[object.index()];
        if entry.user != self.current
            && let Sharing::Private { origin } | Sharing::Unknown { origin } = entry.sharing
        {
            entry.sharing = Sharing::Shared;
            self.registry.sharing.is_shared(origin);
        }
    }

    /// Tells those who want to know of an event.
    #[inline(never)]
    fn tell(&mut self) {
        if self.stacks.is_on() {
            self.note_event_stack();
        }
        if self.partners.written.is_some() {
            self.follow_blocking();
        }
        if self.partners.listeners == Listeners::Schedule {
            return;
        }
        let Some(event) = self.events.last() else { return };
        let (place, strategy, observer) =
            (self.partners.place, self.partners.strategy, self.partners.observer);
        let listeners = self.partners.listeners;
        // SAFETY: As in `ask`; the observer is borrowed by `run` in the same way.
        unsafe {
            place.outside(|| {
                if matches!(listeners, Listeners::Strategy | Listeners::Both) {
                    (*strategy).event(event);
                }
                if let (Listeners::Others | Listeners::Both, Some(observer)) = (listeners, observer)
                {
                    (*observer).event(event, &self.moment());
                }
            });
        }
        if self.settings.processes == Processes::Forked && self.note_moment() {
            self.cut_off_here();
        }
    }

    /// What there is now, for those who watch.
    #[inline]
    pub(crate) fn moment(&self) -> Moment<'_> {
        Moment {
            clock: self.order.seen(self.current),
            threads: &self.info,
            objects: &self.registry.info,
            step: self.events.len(),
        }
    }

    /// Shows the watcher where the running thread stands.
    #[inline]
    pub(crate) fn tell_watcher(&self) {
        let site = self.info[self.current.index()].pending.site;
        self.partners.watch.step(self.account.first_step + self.steps(), self.current.0, site);
    }

    /// Nobody can run.
    fn end_blocked(&mut self) {
        let ending = match self.main_has_ended() {
            _ if self.is_anybody_held() => Ending::Infeasible,
            true => self.left_behind(),
            false => Ending::Stuck,
        };
        self.end(ending);
    }

    pub(crate) fn main_has_ended(&self) -> bool {
        self.states.has_ended(ThreadId::MAIN)
    }
}

/// Whether anybody wants to be told of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listeners {
    None,
    /// The strategy alone.
    Strategy,
    /// An observer, or the parent of this process.
    Others,
    /// The strategy and an observer.
    Both,
    /// Nobody but the written schedule, which asks who is blocked.
    Schedule,
}
