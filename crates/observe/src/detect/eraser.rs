//! Variables that no lock protects.
//!
//! Source: S. Savage et al., *Eraser* (1997), with the state *exclusive'* of Z. Letko, *Analysis and
//! Testing of Concurrent Programs* (2012), chapter 3. The automaton is in
//! [`lockset::eraser`](crate::lockset::eraser).
//!
//! Deviations: (1) an atomic access counts as one with a lock of its own in hand, so that atomic
//! accesses do not race with each other, but with plain ones. (2) Bytes that were always accessed
//! together are one variable. (3) The witness has the last access of another thread that conflicts
//! with the one at which the last candidate went.
//!
//! May miss: a race of the first two owners (*exclusive'* lets one hand-over pass), and of all
//! threads that only the execution's locks kept apart. Falsely reports: whatever is ordered by anything but
//! locks, as by `join`, a message, an atomic or a barrier.

use super::race_pairs::{RacePairs, Saying};
use super::scene::Scene;
use super::uses::Use;
use super::variables::Variables;
use super::{Detector, Suspicion};
use crate::lockset::eraser::{self, EraserState};
use selvedge_model::{
    Access, AccessKind, AccessMode, Confidence, DetectorName, Event, HeldLock, Hold, MemoryChange,
    Record, Site,
};

const SAYING: Saying = Saying {
    detector: DetectorName::Eraser,
    summary: "no lock is held at every access to something that threads share and write",
    confidence: Confidence::Predicted,
};

/// Stands for the lock of atomic accesses.
const ATOMIC: u32 = u32::MAX;

/// Looks for variables that no lock protects.
pub(super) struct Eraser {
    variables: Variables<Followed>,
    pairs: RacePairs,
}

impl Eraser {
    /// Takes about so many bytes at most.
    pub(super) fn new(memory: usize) -> Self {
        Self { variables: Variables::new(memory), pairs: RacePairs::default() }
    }
}

/// A variable, with its last access of each thread in each way.
#[derive(Clone, Default)]
struct Followed {
    automaton: eraser::Variable,
    last: Vec<Use>,
}

/// The locks that protect an access: those in hand, and for an atomic one its own.
pub(super) fn locks(
    mode: AccessMode,
    held: &[HeldLock<Site>],
) -> impl Iterator<Item = (u32, Hold)> {
    let own = (mode != AccessMode::Plain).then_some((ATOMIC, Hold::Exclusive));
    let in_hand = held.iter().map(|lock| (lock.object.0, lock.hold));
    in_hand.chain(own)
}

/// In the words of the state machines.
pub(super) fn kind(access: &Access) -> eraser::Access {
    match access.kind {
        AccessKind::Read => eraser::Access::Read,
        AccessKind::Write => eraser::Access::Write,
    }
}

pub(super) fn make(memory: usize) -> Box<dyn Detector> {
    Box::new(Eraser::new(memory))
}

impl Detector for Eraser {
    fn begin(&mut self) {
        self.variables.begin();
        self.pairs.begin();
    }

    fn event(&mut self, _event: &Event, _scene: &Scene<'_>) {}

    fn access(&mut self, access: &Access, scene: &Scene<'_>) {
        let now = Use::of_access(access);
        let held = scene.held.by(now.thread);
        let pairs = &mut self.pairs;
        self.variables.each(access.variable, |variable| {
            let Followed { automaton, last } = variable;
            if automaton.state == EraserState::Race {
                return;
            }
            automaton.access(now.thread.0, kind(access), locks(access.mode, held));
            let conflicts = |earlier: &&Use| {
                earlier.thread != now.thread && (earlier.how.writes() || now.how.writes())
            };
            if automaton.state == EraserState::Race
                && let Some(&earlier) = last.iter().rfind(conflicts)
            {
                pairs.tell(&SAYING, earlier, now, scene);
            }
            last.retain(|earlier| (earlier.thread, earlier.how) != (now.thread, now.how));
            last.push(now);
        });
    }

    fn memory(&mut self, change: &MemoryChange) {
        self.variables.forget(change);
    }

    fn end(&mut self, _record: &Record<'_>) -> Vec<Suspicion> {
        self.pairs.take()
    }
}
