//! Nobody who could run is passed over for ever.
//!
//! A strategy may prefer one thread to another, and mostly that is the point. But if the one goes
//! round and round and waits for the other, and changes something in each round, so that it does
//! not look as if it were waiting, then a strategy that never lets the other run makes a livelock
//! that no machine would show: processors and operating systems are fair. So every now and then
//! it is looked whether there is a thread that could run and was never chosen, for long. Then
//! everybody else is set aside until something has changed.

use crate::execution::Execution;
use crate::length::EVENTS_PER_LOOK;
use selvedge_model::ThreadSet;

/// A thread that was passed over at so many looks in a row comes before all others.
const PATIENCE: u32 = 8;

/// Who could have run since when.
#[derive(Debug, Default)]
pub(crate) struct Fairness {
    /// The threads that could run at each of the last looks and did not run in between.
    passed_over: ThreadSet,
    /// How many looks those were.
    looks: u32,
    /// How many events there were at the last look.
    looked_at: usize,
}

impl Fairness {
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// How many events there were at the last look.
    pub(crate) fn looked_at(&self) -> usize {
        self.looked_at
    }
}

impl Execution {
    /// Looks whether somebody is passed over, and sets all others aside if that has been so for
    /// long.
    #[cold]
    pub(crate) fn be_fair(&mut self) {
        let since = self.rounds.fairness.looked_at.min(self.events.len());
        if self.events.len() - since < EVENTS_PER_LOOK {
            return;
        }
        let mut ran = ThreadSet::new();
        self.events[since..].iter().for_each(|event| ran.insert(event.thread));
        self.rounds.fairness.looked_at = self.events.len();
        if self.rounds.fairness.looks == 0 {
            self.rounds.fairness.passed_over.insert_all(self.states.enabled());
        }
        let not_now: Vec<_> = self.rounds.fairness.passed_over.iter().collect();
        for thread in not_now {
            if ran.contains(thread) || !self.states.can_run(thread) {
                self.rounds.fairness.passed_over.remove(thread);
            }
        }
        if self.rounds.fairness.passed_over.is_empty() {
            self.rounds.fairness.looks = 0;
            return;
        }
        self.rounds.fairness.looks += 1;
        if self.rounds.fairness.looks < PATIENCE {
            return;
        }
        let others: Vec<_> = self.states.enabled().iter().collect();
        for thread in others {
            if !self.rounds.fairness.passed_over.contains(thread) {
                self.states.set_aside(thread);
                self.rounds.spin.cut();
            }
        }
        self.rounds.fairness.passed_over.clear();
        self.rounds.fairness.looks = 0;
    }
}
