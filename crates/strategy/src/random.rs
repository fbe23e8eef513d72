//! Random walk: at every step each thread that can run is equally likely.
//!
//! Source: the naive baseline of Thomson, Donaldson and Betts, *Concurrency testing using
//! controlled schedulers* (TOPC 2016), which found it surprisingly strong.
//!
//! May miss: orders in which one thread has to be held back for long.

use crate::Rng;
use crate::exported::{from_bytes, to_bytes};
use selvedge_model::{Config, Fault, Pick, Progress, Rate, Strategy, ThreadId, View};

/// The random walk.
#[derive(Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A walk with the given seed.
    pub fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed) }
    }
}

pub(crate) fn make(config: &Config) -> Box<dyn Strategy> {
    Box::new(Random::new(config.seed))
}

impl Strategy for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn begin(&mut self) -> Progress {
        Progress::Continue
    }

    #[inline]
    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        self.rng.pick(view.enabled)
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
