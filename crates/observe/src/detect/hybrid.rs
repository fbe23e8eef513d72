//! Races in other orders of what happened.
//!
//! Source: O'Callahan and Choi, *Hybrid dynamic data race detection* (PPoPP 2003): accesses that have
//! no lock in common and that nothing but locks orders. RaceTrack (Yu, Rodeheffer and Chen, SOSP
//! 2005) has the same idea.
//!
//! Deviations: (1) the order is the must-order of `must_order.rs`; (2) per eight bytes of memory the
//! last read and the last write of each thread are kept; (3) data behind locks, in channels and the
//! like is left out: its accesses are ordered by what they lie behind.
//!
//! May miss: earlier accesses of a thread that has used the memory since with more locks. May falsely
//! report: accesses that are ordered by data behind a lock.

use super::scene::Scene;
use super::uses::Use;
use super::{Certainty, Detector, Suspicion};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, AccessMode, Confidence, DetectorName, Event, HeldLock, Instant, MemoryChange, Record,
    Role, Site, Treatment, Trouble, Variable, Warning,
};

/// So many bytes of memory are looked at together.
const GRAIN: usize = 8;
/// Of an access to more than so many of these, such as a copy, the first ones count.
const MOST_GRAINS: usize = 1 << 12;
/// What is known of one takes about so many bytes.
const EACH: usize = 1 << 10;

/// Looks for accesses that no lock and no order protects.
#[derive(Default)]
pub(super) struct Hybrid {
    /// The last read and the last write of each thread.
    last: FxHashMap<usize, Vec<Past>>,
    told: Vec<Suspicion>,
}

struct Past {
    used: Use,
    at: Instant,
    held: Vec<HeldLock<Site>>,
    role: Role,
}

/// Whether the two accesses have a byte in common.
fn overlap(one: Variable, two: Variable) -> bool {
    match (one, two) {
        (Variable::Memory { address: a, size: m }, Variable::Memory { address: b, size: n }) => {
            a < b + n && b < a + m
        }
        _ => false,
    }
}

/// Whether a lock keeps the two from happening at the same time.
fn protected(one: &[HeldLock<Site>], two: &[HeldLock<Site>]) -> bool {
    one.iter().any(|lock| {
        two.iter().any(|other| other.object == lock.object && lock.hold.excludes(other.hold))
    })
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(Hybrid::default())
}

impl Detector for Hybrid {
    fn begin(&mut self) {
        self.last.clear();
        self.told.clear();
    }

    fn event(&mut self, _event: &Event, _scene: &Scene<'_>) {}

    fn access(&mut self, access: &Access, scene: &Scene<'_>) {
        // Atomic accesses do not race with each other, and what orders a plain one with them is not
        // to be told from locks.
        if access.mode != AccessMode::Plain {
            return;
        }
        let now = Use::of_access(access);
        let Variable::Memory { address, size } = now.variable else { return };
        let held = scene.held.by(now.thread);
        let role = now.role(now.does(), &scene.names());
        let grains = address / GRAIN..=(address + size.max(1) - 1) / GRAIN;
        for grain in grains.take(MOST_GRAINS) {
            let pasts = self.last.entry(grain).or_default();
            let races = |past: &&Past| {
                past.used.thread != now.thread
                    && (past.used.how.writes() || now.how.writes())
                    && overlap(past.used.variable, now.variable)
                    && scene.before.of(past.at.thread) < past.at.time
                    && !protected(&past.held, held)
            };
            if let Some(past) = pasts.iter().find(races) {
                self.told.push(Suspicion {
                    warning: Warning {
                        kind: Trouble::DataRace,
                        detector: DetectorName::Hybrid,
                        summary: "two accesses to one place in memory can come at the same time"
                            .to_owned(),
                        witness: vec![past.role.clone(), role.clone()],
                        confidence: Confidence::Predicted,
                        treatment: Treatment::Untried,
                    },
                    steering: None,
                    certainty: Certainty::Told,
                });
            }
            let same = |past: &Past| {
                (past.used.thread, past.used.how, past.used.variable)
                    == (now.thread, now.how, now.variable)
            };
            pasts.retain(|past| !same(past));
            let at = scene.now;
            pasts.push(Past { used: now, at, held: held.to_vec(), role: role.clone() });
        }
    }

    fn memory(&mut self, change: &MemoryChange) {
        let end = change.address + change.size.max(1) - 1;
        let gone = change.address / GRAIN..=end / GRAIN;
        match gone.end() - gone.start() > self.last.len() {
            true => self.last.retain(|grain, _| !gone.contains(grain)),
            false => gone.for_each(|grain| {
                self.last.remove(&grain);
            }),
        }
    }

    fn weight(&self) -> usize {
        self.last.len() * EACH
    }

    fn end(&mut self, _record: &Record<'_>) -> Vec<Suspicion> {
        let mut told: Vec<Suspicion> = Vec::new();
        for suspicion in self.told.drain(..) {
            if !told.iter().any(|known| known.warning.same_problem(&suspicion.warning)) {
                told.push(suspicion);
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Trace, plain as access};
    use super::*;
    use selvedge_model::{AccessKind, ObjectId, OperationKind, ThreadId};

    /// Two threads write the same memory, with the given events in between.
    fn races(
        first_lock: Option<u32>,
        between: &[(u32, OperationKind)],
        second_lock: Option<u32>,
    ) -> usize {
        let mut trace = Trace::new(DetectorName::Hybrid, 3, 4);
        let section = |trace: &mut Trace, thread: u32, lock: Option<u32>, code: u64| {
            if let Some(lock) = lock {
                trace.event(thread, OperationKind::MutexLock, ObjectId(lock));
            }
            trace.access(&access(thread, AccessKind::Write, 64, code));
            if let Some(lock) = lock {
                trace.event(thread, OperationKind::MutexUnlock, ObjectId(lock));
            }
        };
        section(&mut trace, 1, first_lock, 1);
        for &(thread, kind) in between {
            trace.event(thread, kind, ObjectId(3));
        }
        section(&mut trace, 2, second_lock, 2);
        trace.end().len()
    }

    #[test]
    fn a_race_that_the_locks_of_this_execution_hid() {
        assert_eq!(races(None, &[], None), 1);
        let hidden = [(1, OperationKind::MutexLock), (1, OperationKind::MutexUnlock)];
        assert_eq!(races(None, &hidden, Some(1)), 1, "another order of the lock shows it");
        assert_eq!(races(Some(1), &[], Some(2)), 1, "two different locks");
    }

    #[test]
    fn a_common_lock_or_a_message_protects() {
        assert_eq!(races(Some(1), &[], Some(1)), 0);
        let message = [(1, OperationKind::Send), (2, OperationKind::Receive)];
        assert_eq!(races(None, &message, None), 0);
    }

    #[test]
    fn reads_and_neighbours_do_not_race() {
        let mut trace = Trace::new(DetectorName::Hybrid, 3, 1);
        trace.access(&access(1, AccessKind::Read, 64, 1));
        trace.access(&access(2, AccessKind::Read, 64, 2));
        trace.access(&access(2, AccessKind::Write, 68, 3));
        assert!(trace.end().is_empty());
    }

    #[test]
    fn memory_that_was_freed_is_other_memory() {
        let mut trace = Trace::new(DetectorName::Hybrid, 3, 1);
        trace.access(&access(1, AccessKind::Write, 64, 1));
        trace.memory(&MemoryChange { thread: ThreadId(1), address: 64, size: 4, end: None });
        trace.access(&access(2, AccessKind::Write, 64, 2));
        assert!(trace.end().is_empty());
    }
}
