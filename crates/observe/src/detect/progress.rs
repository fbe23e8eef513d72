//! Threads that others overtake again and again.
//!
//! Source: bounded waiting, as in every textbook on mutual exclusion; Letko's thesis asks for
//! statistics of bypasses (checklist, starvation indicator).
//!
//! While a thread is about to take a lock, it is counted how often others take it first. Told is a
//! wait in which one and the same thread did so [`MANY`] times.
//!
//! May miss: threads that starve at anything but locks. May falsely report: the strategy decides who
//! comes first, so a program that no real scheduler would let starve may be told of.

use super::scene::Scene;
use super::{Certainty, Detector, Suspicion};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Confidence, DetectorName, Event, Operation, Record, ThreadId, Treatment, Trouble, Warning,
};

/// So often may one thread overtake another one at one wait.
const MANY: u32 = 64;

/// Counts who is overtaken.
#[derive(Default)]
pub(super) struct Progress {
    /// How often a thread, at its wait, was overtaken by another one.
    overtaken: FxHashMap<(ThreadId, ThreadId), (Operation, u32)>,
    told: Vec<Suspicion>,
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(Progress::default())
}

impl Detector for Progress {
    fn begin(&mut self) {
        self.overtaken.clear();
        self.told.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        if event.meaning().lock.takes().is_none() {
            return;
        }
        let lock = event.operation.object;
        for (index, info) in scene.moment.threads.iter().enumerate() {
            let waiter = ThreadId(index as u32);
            let pending = info.pending;
            let wants_it = pending.object == lock && pending.kind.wait().lock().is_some();
            if waiter == event.thread || !wants_it {
                continue;
            }
            let entry = self.overtaken.entry((waiter, event.thread)).or_insert((pending, 0));
            *entry = if entry.0 == pending { (pending, entry.1 + 1) } else { (pending, 1) };
            if entry.1 == MANY {
                let names = scene.names();
                let witness = vec![
                    names.role(waiter, "waits for", pending),
                    names.role(event.thread, "takes it first, again and again,", event.operation),
                ];
                self.told.push(Suspicion {
                    warning: Warning {
                        kind: Trouble::Starvation,
                        detector: DetectorName::Progress,
                        summary: format!("a thread was overtaken {MANY} times at one lock"),
                        witness,
                        confidence: Confidence::Happened,
                        treatment: Treatment::Untried,
                    },
                    steering: None,
                    certainty: Certainty::Told,
                });
            }
        }
        // Who has got the lock begins anew.
        for other in 0..scene.moment.threads.len() as u32 {
            self.overtaken.remove(&(event.thread, ThreadId(other)));
        }
    }

    fn end(&mut self, _record: &Record<'_>) -> Vec<Suspicion> {
        std::mem::take(&mut self.told)
    }
}
