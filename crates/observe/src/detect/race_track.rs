//! Accesses at the same time that no common lock protects.
//!
//! Source: Yu, Rodeheffer and Chen, *RaceTrack* (SOSP 2005), as in Z. Letko, *Analysis and Testing of
//! Concurrent Programs* (2012), section 2.4.1: a variable has a set of threads that use it at the same
//! time and a set of candidate locks, which begins anew whenever one thread has it for itself.
//!
//! Deviations: (1) the order is the must-order of `must_order.rs`: that of locks is left to the
//! lockset. (2) A thread is in the set with its last access, and with both a read and a write if it did
//! nothing else in between. (3) A lock that is held for reading protects reads only. (4) An atomic
//! access counts as one with a lock of its own in hand. (5) Bytes that were always accessed together
//! are one variable.
//!
//! May miss: races between accesses that an atomic orders by chance (1), and with what a thread did
//! before its last access (2). Falsely reports: accesses that data behind a lock orders, or a reference
//! count; and three accesses that are protected two by two, by different locks.

use super::eraser::{kind, locks};
use super::race_pairs::{RacePairs, Saying};
use super::scene::Scene;
use super::uses::Use;
use super::variables::Variables;
use super::{Detector, Suspicion};
use crate::lockset::eraser::{protecting, retain_common};
use selvedge_model::{Access, Confidence, DetectorName, Event, Instant, MemoryChange, Record};

const SAYING: Saying = Saying {
    detector: DetectorName::RaceTrack,
    summary: "two accesses can come at the same time, and no lock is held at all such accesses",
    confidence: Confidence::Predicted,
};

/// Looks for variables that several threads use at the same time without a common lock.
pub(super) struct RaceTrack {
    variables: Variables<Tracked>,
    pairs: RacePairs,
}

impl RaceTrack {
    /// Takes about so many bytes at most.
    pub(super) fn new(memory: usize) -> Self {
        Self { variables: Variables::new(memory), pairs: RacePairs::default() }
    }
}

#[derive(Clone, Default)]
struct Tracked {
    /// The accesses that nothing orders before the next one.
    threads: Vec<(Use, Instant)>,
    candidates: Vec<u32>,
}

impl Tracked {
    /// Takes an access into account; says with which earlier one it may race.
    fn access(&mut self, access: &Access, now: Use, scene: &Scene<'_>) -> Option<Use> {
        let mine = protecting(kind(access), locks(access.mode, scene.held.by(now.thread)));
        self.threads.retain(|(used, at)| match used.thread == now.thread {
            true => used.how != now.how && *at == scene.now,
            false => scene.before.of(at.thread) < at.time,
        });
        match self.threads.iter().any(|(used, _)| used.thread != now.thread) {
            true => retain_common(&mut self.candidates, &mine),
            false => self.candidates = mine,
        }
        let conflicts = |(used, _): &&(Use, Instant)| {
            used.thread != now.thread && (used.how.writes() || now.how.writes())
        };
        let earlier = self.threads.iter().rfind(conflicts).map(|(used, _)| *used);
        self.threads.push((now, scene.now));
        earlier.filter(|_| self.candidates.is_empty())
    }
}

pub(super) fn make(memory: usize) -> Box<dyn Detector> {
    Box::new(RaceTrack::new(memory))
}

impl Detector for RaceTrack {
    fn begin(&mut self) {
        self.variables.begin();
        self.pairs.begin();
    }

    fn event(&mut self, _event: &Event, _scene: &Scene<'_>) {}

    fn access(&mut self, access: &Access, scene: &Scene<'_>) {
        let now = Use::of_access(access);
        let pairs = &mut self.pairs;
        self.variables.each(access.variable, |variable| {
            if let Some(earlier) = variable.access(access, now, scene) {
                pairs.tell(&SAYING, earlier, now, scene);
            }
        });
    }

    fn memory(&mut self, change: &MemoryChange) {
        self.variables.forget(change);
    }

    fn end(&mut self, _record: &Record<'_>) -> Vec<Suspicion> {
        self.pairs.take()
    }
}
