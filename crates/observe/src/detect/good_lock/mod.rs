//! Predicts deadlocks from executions that had none.
//!
//! Sources: Havelund, *Using runtime analysis to guide model checking of Java programs* (SPIN 2000),
//! extended as in Bensalem and Havelund, *Dynamic deadlock analysis of multi-threaded programs* (HVC
//! 2005), and Agarwal and Stoller, *Run-time detection of potential deadlocks for programs with
//! locks, semaphores, and condition variables* (PADTAD 2006); lock dependencies instead of trees as
//! in Joshi, Park, Sen and Naik, *DeadlockFuzzer* (PLDI 2009).
//!
//! A *dependency* says that a thread waited for something while it held locks. Threads can wait for
//! each other if their dependencies form a circle, no two of them hold a common lock that only one
//! can have (a gate), and none is certain to come before another.
//!
//! Deviations: (1) what is certain is the must-order of `must_order.rs`, channels, atomics and
//! everything else but locks included; (2) a thread also waits for what one other thread is about to
//! do: end (`join`), send, notify, unpark, take its message, initialise; it then depends on all waits
//! of that thread before that; (3) `Once` counts as a lock that the initialising thread holds; (4)
//! two readers do not exclude each other, but if a third thread writes, the second reader may have
//! to wait behind it; (5) a circle that the hand-over of other locks rules out is told only if it can
//! be brought about: what lies behind those locks may order it.
//!
//! May miss: circles longer than [`LONGEST`]; what only other inputs or schedules reach; waits for a
//! message, notification or token that several threads could bring; waits at barriers and for room
//! in a channel; locks that are made of atomics and futexes; what the must-order claims too much.
//!
//! May falsely report: circles that are ordered by data behind one of their own locks.

mod cycle;
mod dependency;
mod doubt;
mod tell;

use super::held::{HeldLock, Mode, takes, waits_for_lock};
use super::must_order::Instant;
use super::scene::{Names, Scene};
use super::{Certainty, Detector, Suspicion};
use cycle::cycles;
use dependency::{Dependencies, Dependency, Providers, Wants};
use selvedge_model::{Effect, Event, ObjectId, Operation, OperationKind, Record, Site};
use std::collections::BTreeSet;

/// At most so many threads take part in a circle.
const LONGEST: usize = 6;

/// So many events are looked at again to see whether circles are ordered; without a look, there is
/// doubt.
const MOST_LOOKED: usize = 2_000_000;

/// Predicts deadlocks.
#[derive(Default)]
pub(super) struct GoodLock {
    dependencies: Dependencies,
    providers: Providers,
    /// Where initialisations were called, in any execution: who finds there that all is done, would
    /// have waited earlier.
    once_calls: BTreeSet<Site>,
}

impl GoodLock {
    /// A thread has waited for a lock, or could have had to.
    fn lock(&mut self, event: &Event, scene: &Scene<'_>, mode: Mode) {
        let operation = event.operation;
        let mine = scene.held.by(event.thread);
        let held = match operation.kind {
            // It has given the mutex back and takes it again.
            OperationKind::CondvarWake => without(mine, operation.object),
            _ => mine.to_vec(),
        };
        self.add(event, scene, held, Wants::Lock(operation.object, mode));
    }

    /// A thread has waited for something that another one did.
    fn wait(&mut self, event: &Event, scene: &Scene<'_>) {
        let Some(cause) = scene.cause else { return };
        let operation = event.operation;
        let mine = scene.held.by(event.thread);
        let held = match operation.kind {
            OperationKind::CondvarWake => without(mine, operation.object),
            _ => mine.to_vec(),
        };
        // Who holds nothing is in nobody's way.
        if !held.is_empty() {
            self.add(event, scene, held, Wants::Event(cause));
        }
    }

    fn add(&mut self, event: &Event, scene: &Scene<'_>, held: Vec<HeldLock>, wants: Wants) {
        self.dependencies.add(Dependency {
            at: scene.now,
            seen: scene.before.clone(),
            operation: event.operation,
            wants,
            held,
        });
    }
}

fn without(held: &[HeldLock], object: ObjectId) -> Vec<HeldLock> {
    held.iter().filter(|lock| lock.object != object).copied().collect()
}

impl Detector for GoodLock {
    fn begin(&mut self) {
        self.dependencies.clear();
        self.providers.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        let Operation { kind, site, .. } = event.operation;
        match kind {
            OperationKind::OnceCall => {
                self.once_calls.insert(site);
            }
            OperationKind::OnceGet if self.once_calls.contains(&site) => {
                let kind = OperationKind::OnceCall;
                let call = Event { operation: Operation { kind, ..event.operation }, ..*event };
                self.lock(&call, scene, Mode::Exclusive);
            }
            _ => {}
        }
        if waits_for_lock(kind)
            && let Some(mode) = takes(kind)
        {
            self.lock(event, scene, mode);
        }
        match kind {
            OperationKind::Join
            | OperationKind::Receive
            | OperationKind::SendDone
            | OperationKind::Park
            | OperationKind::OnceWait
            | OperationKind::CondvarWake => self.wait(event, scene),
            OperationKind::Send
            | OperationKind::TrySend
            | OperationKind::NotifyOne
            | OperationKind::NotifyAll
            | OperationKind::Unpark => self.providers.add(event.operation.object, event.thread),
            _ => {}
        }
        if kind == OperationKind::CondvarWait {
            self.providers.waits(event.thread, event.operation.object);
        }
        if kind == OperationKind::CondvarWake && event.effect == Effect::Done {
            self.providers.wakes(scene.now);
        }
    }

    fn end(&mut self, record: &Record<'_>) -> Vec<Suspicion> {
        self.dependencies.drop_uncertain(&self.providers);
        let names = Names { threads: record.threads, objects: record.objects };
        let mut told: Vec<Suspicion> = Vec::new();
        let mut looked = 0;
        for cycle in cycles(self.dependencies.all()) {
            let mut suspicion = tell::suspicion(&cycle, record, &names);
            let same = |known: &Suspicion| known.warning.same_problem(&suspicion.warning);
            let known = told.iter().position(same);
            if known.is_some_and(|known| told[known].certainty == Certainty::Told) {
                continue;
            }
            looked += record.events.len();
            if looked <= MOST_LOOKED {
                suspicion.certainty = doubt::certainty(&cycle, record);
            }
            match known {
                Some(known) => told[known] = suspicion,
                None => told.push(suspicion),
            }
        }
        told.extend(tell::second_reads(self.dependencies.all(), &names));
        told
    }
}

/// Whether the first event is certain to come before what is seen.
fn comes_before(first: Instant, seen: &selvedge_model::Clock) -> bool {
    seen.of(first.thread) >= first.time
}
