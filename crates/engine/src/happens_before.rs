//! What happened before what, while an execution runs.
//!
//! The clocks and their rules are [`selvedge_model::HappensBefore`]; each event passes on what the table of
//! operations says. Here are the edges that no event tells of, because only the engine knows: room in a
//! bounded channel, senders that leave others behind, what the kernel carries, and atomics that are no
//! objects of the execution.

use crate::execution::Execution;
use crate::settings::Settings;
use crate::weak::{Histories, Knowledge, Rule};
use selvedge_model::{
    Act, Clock, Edge, Element, HappensBefore, Instant, ObjectId, Order, Relation, ThreadId, Toggle,
};
use std::sync::atomic::Ordering;

/// The clocks of an execution, if they are kept.
pub(crate) struct KeptOrder {
    clocks: HappensBefore,
    on: Toggle,
    /// Whether observers look for data races.
    pub(crate) races: Toggle,
    /// What else there is to see in atomics than their newest values.
    pub(crate) histories: Histories,
}

impl KeptOrder {
    pub(crate) fn new() -> Self {
        let clocks = HappensBefore::new(Relation::HappensBefore);
        let histories = Histories::default();
        Self { clocks, on: Toggle::Off, races: Toggle::Off, histories }
    }

    /// Begins anew.
    pub(crate) fn reset(&mut self, settings: &Settings) {
        self.clocks.clear();
        self.on = settings.clocks;
        self.races = settings.races;
        self.histories.reset(settings.memory_model);
        if self.histories.is_on() {
            self.on = Toggle::On;
            self.clocks.keep_fences();
        }
    }

    /// Nothing is kept from now on.
    pub(crate) fn turn_off(&mut self) {
        self.on = Toggle::Off;
        self.races = Toggle::Off;
        self.clocks.forget_elements();
        self.histories.turn_off();
    }

    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.on == Toggle::On
    }

    /// What the thread has seen.
    #[inline]
    pub(crate) fn seen(&self, thread: ThreadId) -> &Clock {
        self.clocks.seen(thread)
    }

    /// The thread's next event.
    pub(crate) fn now(&mut self, thread: ThreadId) -> Instant {
        self.clocks.next(thread)
    }

    /// How many `SeqCst` fences there were, if somebody counts.
    pub(crate) fn fences(&self) -> u32 {
        self.clocks.fences().map_or(0, |fences| fences.fences)
    }

    /// What decides which values of atomics a thread may see.
    pub(crate) fn knowledge(&self, thread: ThreadId, rule: Rule) -> Option<Knowledge<'_>> {
        let Self { clocks, .. } = self;
        let (seen, fenced) = (clocks.seen(thread), clocks.fenced(thread));
        Some(Knowledge { rule, seen, fenced, fences: clocks.fences()? })
    }

    /// What a thread will have seen when it has taken what was left at a value.
    pub(crate) fn after_taking(&self, thread: ThreadId, element: Element) -> Clock {
        let mut clock = self.clocks.seen(thread).clone();
        if let Some(left) = self.clocks.left(element) {
            clock.join(left);
        }
        clock
    }

    /// A thread asks the kernel about a futex, which is a full fence to atomics.
    pub(crate) fn fence_of_kernel(&mut self, thread: ThreadId) {
        self.histories.past.gives_up();
        self.clocks.sequential_fence(thread);
    }

    // Not inlined, so that whoever keeps no clocks has no more of them than a look at `on`.
    #[inline(never)]
    fn tick(&mut self, thread: ThreadId) {
        self.clocks.tick(thread);
    }

    /// How much memory the clocks take.
    pub(crate) fn weight(&self) -> usize {
        self.clocks.weight()
    }

    /// An atomic that is no object of the execution is gone.
    pub(crate) fn forget_word(&mut self, address: usize) {
        self.clocks.edge(ThreadId::MAIN, Edge::Forget(Element::Word(address)));
    }
}

impl Execution {
    /// Passes on what the last event passes on.
    #[inline(never)]
    pub(crate) fn pass_on(&mut self) {
        if let Some(event) = self.events.last() {
            // A notification is told to those who ask for it, and orders no memory.
            let orders = |element| !matches!(element, Element::Signal(_));
            self.order.clocks.apply(&Act::from(event), orders);
            if self.order.histories.is_on() {
                self.note_for_order();
            }
        }
    }

    /// The running thread has done something that no event tells of.
    #[inline]
    pub(crate) fn edge(&mut self, edge: Edge) {
        if self.order.is_on() {
            self.order.clocks.edge(self.current, edge);
        }
    }

    /// What the running thread does from now on is not part of what it has left. Needed where no event
    /// is recorded, with which this comes by itself.
    #[inline(always)]
    pub(crate) fn next_epoch(&mut self) {
        if self.order.is_on() {
            self.order.tick(self.current);
        }
    }

    /// There are messages in a channel from before the execution.
    pub(crate) fn has_messages(&mut self, channel: ObjectId, count: usize) {
        if self.order.is_on() && count > 0 {
            self.order.clocks.has_messages(channel, count);
        }
    }

    /// The running thread throws the messages away that are in a channel.
    pub(crate) fn throw_messages_away(&mut self, channel: ObjectId) {
        if self.order.is_on() {
            self.order.clocks.throw_messages_away(self.current, channel);
        }
    }

    /// The running thread sees all that any thread has done. For the only thread that is left, when
    /// its operations are not followed any more: it may miss order that is not there, and never
    /// claims that there is none where it could not look.
    pub(crate) fn see_everything(&mut self) {
        if self.order.is_on() {
            self.order.clocks.see_everything(self.current);
        }
    }

    /// A fence.
    pub(crate) fn fence_clock(&mut self, ordering: Ordering) {
        if ordering == Ordering::SeqCst {
            self.order.histories.past.gives_up();
        }
        self.edge(Edge::Fence(Order::from(ordering)));
    }
}
