//! POS: a random priority for every operation, drawn anew when it was in a conflict.
//!
//! Source: Yuan, Yang, Gu, *Partial order aware concurrency sampling* (CAV 2018).
//!
//! Deviations: none in the drawing; conflicts are those of `Operation::conflicts_with`, that is
//! two operations on one object of which at least one is not a read.
//!
//! May miss: orders in which one thread makes many steps while another waits at one operation.

use crate::Rng;
use crate::exported::{from_bytes, to_bytes};
use selvedge_model::{Config, Fault, Pick, Progress, Rate, Strategy, ThreadId, View};

/// Partial order sampling.
#[derive(Debug)]
pub struct Pos {
    rng: Rng,
    /// The priority of each thread's pending operation; higher goes first.
    priorities: Vec<u64>,
}

impl Pos {
    /// A sampler with the given seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), priorities: Vec::new() }
    }
}

pub(crate) fn make(config: &Config) -> Box<dyn Strategy> {
    Box::new(Pos::new(config.seed))
}

impl Strategy for Pos {
    fn name(&self) -> String {
        "pos".to_owned()
    }

    fn begin(&mut self) -> Progress {
        self.priorities.clear();
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        while self.priorities.len() < view.threads.len() {
            self.priorities.push(self.rng.bits());
        }
        // The running thread has come to an operation that was not pending before.
        self.priorities[view.current.index()] = self.rng.bits();
        let chosen = view
            .enabled
            .iter()
            .max_by_key(|thread| self.priorities[thread.index()])
            .unwrap_or(view.current);
        let operation = view.pending(chosen);
        for thread in view.enabled.iter() {
            if thread != chosen && view.pending(thread).conflicts_with(operation) {
                self.priorities[thread.index()] = self.rng.bits();
            }
        }
        chosen
    }

    fn continuations(&mut self) -> u32 {
        self.rng.continuations()
    }

    fn pick(&mut self, _: &View<'_>, pick: Pick, of: usize) -> usize {
        self.rng.one_of(pick, of)
    }

    fn fault(&mut self, _: &View<'_>, _: Fault, rate: Rate) -> bool {
        self.rng.fault(rate)
    }

    fn export(&self) -> Vec<u8> {
        to_bytes(&self.rng)
    }

    fn import(&mut self, exported: &[u8]) {
        self.rng = from_bytes(exported);
    }
}
