//! PCT: random priorities, lowered at a few random moments.
//!
//! Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, *A randomized scheduler with probabilistic
//! guarantees of finding bugs* (ASPLOS 2010).
//!
//! Deviations: (1) the number of steps is the largest one seen of late instead of being given, and
//! counts only steps at which there was a choice; (2) a thread that spins is set aside by the
//! engine, so priorities can not starve the thread it waits for; (3) a thread that yields falls
//! behind all others, since it may go round and round and change something on the way.
//!
//! May miss: a bug that needs more than `depth` ordering constraints is unlikely; one that needs
//! at most that many is found with probability at least 1/(n·k^(depth-1)) an execution.

use crate::Rng;
use crate::exported::{from_bytes, to_bytes};
use selvedge_model::{
    Fault, OperationKind, Pick, Progress, Rate, Record, Strategy, ThreadId, View,
};

/// PCT of a given depth.
#[derive(Debug)]
pub struct Pct {
    rng: Rng,
    depth: u32,
    /// The priority of each thread; higher goes first.
    priorities: Vec<u64>,
    /// The steps before which the running thread falls back, with the priority that it falls to.
    changes: Vec<(u64, u64)>,
    step: u64,
    longest: u64,
    /// How many times a thread has yielded in this execution.
    yields: u64,
}

/// Random priorities lie above those that threads fall back to.
const HIGH: u64 = 1 << 32;

/// Threads that yield fall below this, each below those that have done so before.
const LOW: u64 = 1 << 31;

impl Pct {
    /// PCT with `depth` ordering constraints in mind.
    pub fn new(seed: u64, depth: u32) -> Self {
        let rng = Rng::new(seed);
        let (priorities, changes) = (Vec::new(), Vec::new());
        Self { rng, depth, priorities, changes, step: 0, longest: 0, yields: 0 }
    }
}

impl Strategy for Pct {
    fn name(&self) -> String {
        format!("pct({})", self.depth)
    }

    fn begin(&mut self) -> Progress {
        self.priorities.clear();
        self.changes.clear();
        self.step = 0;
        self.yields = 0;
        let steps = self.longest.max(1);
        for fallback in 1..u64::from(self.depth) {
            self.changes.push((1 + self.rng.below(steps), LOW + fallback));
        }
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        while self.priorities.len() < view.threads.len() {
            self.priorities.push(HIGH | (self.rng.bits() >> 1));
        }
        self.step += 1;
        for &(step, fallback) in &self.changes {
            if step == self.step {
                self.priorities[view.current.index()] = fallback;
            }
        }
        if view.pending(view.current).kind == OperationKind::Yield {
            self.yields += 1;
            self.priorities[view.current.index()] = LOW.saturating_sub(self.yields);
        }
        view.enabled
            .iter()
            .max_by_key(|thread| self.priorities[thread.index()])
            .unwrap_or(view.current)
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

    fn end(&mut self, _: &Record<'_>) {
        // The first executions are longer than later ones, which stop at fewer operations.
        let fading = self.longest - self.longest.saturating_sub(self.step) / 2;
        self.longest = fading.max(self.step);
    }

    fn export(&self) -> Vec<u8> {
        to_bytes(&(&self.rng, self.step))
    }

    fn import(&mut self, exported: &[u8]) {
        (self.rng, self.step) = from_bytes(exported);
    }
}
