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
//! be brought about: what lies behind those locks may order it. So is one in which a thread has looked at the
//! data behind a lock that it holds, after the thread that waits for the lock had written it, in all
//! executions that show it.
//!
//! May miss: circles longer than [`LONGEST`]; what only other inputs or schedules reach; waits for a
//! message, notification or token that several threads could bring; waits at barriers and for room
//! in a channel; locks that are made of atomics and futexes; what the must-order claims too much.
//!
//! May falsely report: circles that are ordered by data behind one of their own locks which a third thread
//! has written.

mod cycle;
mod dependency;
mod doubt;
mod tell;

use super::scene::{Names, Scene};
use super::{Certainty, Detector, Suspicion};
use cycle::cycles;
use dependency::{Dependencies, Dependency, Providers, Wants};
use doubt::{Ordered, doubt};
use selvedge_model::{Event, Hold, Link, Operation, OperationKind, Record, Site, WaitFor};
use std::collections::BTreeMap;

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
    once_calls: BTreeMap<Site, OperationKind>,
    /// Circles that data behind their own locks has ordered so far.
    ordered: Ordered,
}

impl GoodLock {
    /// A thread has waited for something that another one did.
    fn wait(&mut self, event: &Event, scene: &Scene<'_>) {
        // Who holds nothing is in nobody's way.
        if let Some(cause) = scene.cause
            && !scene.held.by(event.thread).is_empty()
        {
            self.add(event, scene, Wants::Event(cause));
        }
    }

    fn add(&mut self, event: &Event, scene: &Scene<'_>, wants: Wants) {
        self.dependencies.add(Dependency {
            at: scene.now,
            seen: scene.before.clone(),
            operation: event.operation,
            wants,
            held: scene.held.by(event.thread).to_vec(),
        });
    }
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(GoodLock::default())
}

impl Detector for GoodLock {
    fn begin(&mut self) {
        self.dependencies.clear();
        self.providers.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        let Operation { kind, object, site, .. } = event.operation;
        let link = event.meaning().link;
        if kind.wait() == WaitFor::Lock(Hold::Initialising) {
            self.once_calls.insert(site, kind);
        } else if link == Link::AfterInitialisation
            && let Some(&kind) = self.once_calls.get(&site)
        {
            let call = Event { operation: Operation { kind, ..event.operation }, ..*event };
            self.add(&call, scene, Wants::Lock(object, Hold::Initialising));
        }
        if let Some(hold) = kind.wait().lock() {
            self.add(event, scene, Wants::Lock(object, hold));
        }
        match link {
            Link::AfterEnd
            | Link::Receives
            | Link::AfterReceipt
            | Link::TakesBack
            | Link::TakesToken
            | Link::AfterInitialisation
            | Link::Notified => self.wait(event, scene),
            Link::Sends | Link::Notifies | Link::GivesToken => {
                self.providers.add(object, event.thread);
            }
            _ => {}
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
                let doubt = doubt(&cycle, record);
                suspicion.certainty = self.ordered.certainty(&suspicion.warning, doubt);
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
