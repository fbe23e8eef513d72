//! Data races of an execution, found with locksets that grow.
//!
//! Source: T. Elmas, S. Qadeer, S. Tasiran, *Goldilocks* (2006/2007); the state machine with its short
//! circuits is in [`lockset::goldilocks`](crate::lockset::goldilocks).
//!
//! Deviations: (1) every earlier access that is not ordered makes a pair with the one of now; the
//! analysis goes on. (2) An atomic of code that is not under control, of which only the access is
//! known, orders as strongly as an atomic can. (3) Bytes that were always accessed together are one
//! variable.
//!
//! May miss: races that such an atomic hides (2), and that of an access with the end of its memory.
//! Falsely reports what is ordered by fences, a bounded channel's room, or a thread's end that is not
//! joined.

use super::race_pairs::{RacePairs, Saying};
use super::scene::Scene;
use super::uses::Use;
use super::variables::Variables;
use super::{Detector, Suspicion};
use crate::coverage::{FIRST_WORD, Fact};
use crate::lockset::goldilocks::{Goldilocks, Variable, Visit};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, AccessMode, Confidence, DetectorName, Event, MemoryChange, Record, Spot, ThreadId,
    Variable as Accessed,
};

const SAYING: Saying = Saying {
    detector: DetectorName::Goldilocks,
    summary: "nothing orders two accesses to the same data",
    confidence: Confidence::Happened,
};

/// Looks for accesses that nothing orders.
pub(super) struct Races {
    goldilocks: Goldilocks,
    variables: Variables<Variable>,
    spots: Vec<Spot>,
    spot_numbers: FxHashMap<Spot, u32>,
    /// The atomics that are not under control, by address.
    atomics: FxHashMap<usize, u32>,
    pairs: RacePairs,
}

impl Races {
    /// Takes about so many bytes at most.
    pub(super) fn new(memory: usize) -> Self {
        Self {
            goldilocks: Goldilocks::default(),
            variables: Variables::new(memory),
            spots: Vec::new(),
            spot_numbers: FxHashMap::default(),
            atomics: FxHashMap::default(),
            pairs: RacePairs::default(),
        }
    }

    fn spot(&mut self, spot: Spot) -> u32 {
        let spots = &mut self.spots;
        *self.spot_numbers.entry(spot).or_insert_with(|| {
            spots.push(spot);
            (spots.len() - 1) as u32
        })
    }
}

pub(super) fn make(memory: usize) -> Box<dyn Detector> {
    Box::new(Races::new(memory))
}

impl Detector for Races {
    fn begin(&mut self) {
        self.goldilocks.begin();
        self.variables.begin();
        self.atomics.clear();
        self.pairs.begin();
    }

    fn event(&mut self, event: &Event, _scene: &Scene<'_>) {
        self.goldilocks.see(&Fact::of_event(event, 0));
    }

    fn access(&mut self, access: &Access, scene: &Scene<'_>) {
        let now = Use::of_access(access);
        let Access { thread, kind, mode, variable, spot } = *access;
        let visit = Visit { thread: thread.0, site: self.spot(spot), kind, mode };
        let Self { goldilocks, variables, spots, pairs, .. } = self;
        variables.each(variable, |variable| {
            for race in goldilocks.access(variable, visit).races {
                let earlier = Use::of_access(&Access {
                    thread: ThreadId(race.thread),
                    kind: race.kind,
                    mode: race.mode,
                    spot: spots[race.site as usize],
                    ..*access
                });
                pairs.tell(&SAYING, earlier, now, scene);
            }
        });
        if let (AccessMode::Atomic, Accessed::Memory { address, .. }) = (mode, variable) {
            let next = FIRST_WORD + self.atomics.len() as u32;
            let atomic = *self.atomics.entry(address).or_insert(next);
            self.goldilocks.pass(thread.0, atomic, kind);
        }
    }

    fn memory(&mut self, change: &MemoryChange) {
        self.variables.forget(change);
    }

    fn end(&mut self, _record: &Record<'_>) -> Vec<Suspicion> {
        self.pairs.take()
    }
}
