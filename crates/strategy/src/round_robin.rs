//! Round robin: every thread in turn, some steps each.
//!
//! The number of steps grows with the executions (1, 2, 3 …), so that one campaign meets more
//! than one schedule. Who is woken and which faults happen is random.
//!
//! May miss: nearly everything. It is a baseline and a quick check that a test works at all.

use crate::Rng;
use crate::exported::{from_bytes, to_bytes};
use selvedge_model::{Config, Fault, Pick, Progress, Rate, Strategy, ThreadId, View};

/// The round robin.
#[derive(Debug)]
pub struct RoundRobin {
    rng: Rng,
    quantum: u64,
    left: u64,
}

impl RoundRobin {
    /// A round robin whose few random decisions come from the seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), quantum: 0, left: 0 }
    }
}

pub(crate) fn make(config: &Config) -> Box<dyn Strategy> {
    Box::new(RoundRobin::new(config.seed))
}

impl Strategy for RoundRobin {
    fn name(&self) -> String {
        "round-robin".to_owned()
    }

    fn begin(&mut self) -> Progress {
        self.quantum += 1;
        self.left = self.quantum;
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        if self.left > 0 && view.could_continue() {
            self.left -= 1;
            return view.current;
        }
        self.left = self.quantum - 1;
        let next = view.enabled.iter().find(|&thread| thread > view.current);
        next.or(view.enabled.first()).unwrap_or(view.current)
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
