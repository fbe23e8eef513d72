//! Locks that are held while their thread waits for somebody else.
//!
//! Source: the rule of clippy's `await_holding_lock` and of every manual on locks, seen at run time:
//! who waits for something else should not keep others waiting.
//!
//! Told is a wait (for a message, a thread's end, a token, a barrier, a file, a notification with
//! another mutex in hand) that had not been over when it began, while a third thread wanted a lock
//! that the waiting one held. An executor that has nothing to do parks its thread, so that a guard
//! that is held across an `await` shows as one that is held across `park`.
//!
//! Deviations: a lock that every thread holds whenever it receives from the channel is taken to be
//! there for that (a shared receiver behind a mutex), and so is one that somebody else is about to take
//! at the same place as the one who receives.
//!
//! May miss: locks that nobody wanted in the executions that were watched; waits for room in a
//! channel. May falsely report: a lock that is meant to keep others out for that long.

use super::scene::Scene;
use super::{Certainty, Detector, Suspicion};
use selvedge_model::{
    Confidence, DetectorName, Event, HeldLock, Link, ObjectId, Operation, OperationKind, Record,
    Site, ThreadId, Treatment, Trouble, WaitFor, Warning,
};
use std::collections::BTreeMap;

/// Looks for locks that are held across waits.
#[derive(Default)]
pub(super) struct HeldAcross {
    /// The places of each thread's events among those of all threads.
    places: Vec<Vec<u64>>,
    /// The locks that were held at every receive from a channel, and who received.
    receivers: BTreeMap<ObjectId, Receivers>,
    told: Vec<(Option<ObjectId>, ObjectId, Warning)>,
}

struct Receivers {
    always: Vec<ObjectId>,
    threads: Vec<ThreadId>,
}

impl HeldAcross {
    /// A wait is over. `of_channel` is the channel from which was received.
    fn waited(&mut self, event: &Event, held: &[HeldLock<Site>], scene: &Scene<'_>) {
        let kind = event.operation.kind;
        let Some(cause) = scene.cause else { return };
        let places =
            |thread: ThreadId| self.places.get(thread.index()).map_or(&[][..], Vec::as_slice);
        let began = places(event.thread).last();
        // Instants count a thread's events from 1.
        let over = places(cause.thread).get(cause.time as usize - 1);
        if over.unwrap_or(&0) <= began.unwrap_or(&0) {
            return;
        }
        let is_receipt = event.meaning().link == Link::Receives;
        let channel = is_receipt.then_some(event.operation.object);
        let names = scene.names();
        for lock in held {
            let Some((other, wanted)) = wants(scene, lock.object, event.thread) else { continue };
            // Who is about to take the lock at the same place is about to receive as well.
            if channel.is_some() && (wanted.kind, wanted.site) == (lock.kind, lock.site) {
                continue;
            }
            let taken = Operation::new(lock.kind, lock.object, lock.site);
            let witness = vec![
                names.role(event.thread, "holds", taken),
                names.role(event.thread, waits(kind), event.operation),
                names.role(other, "meanwhile waits for", wanted),
            ];
            let warning = Warning {
                kind: Trouble::Starvation,
                detector: DetectorName::HeldAcross,
                summary: format!("a lock is held across {}", what(kind)),
                witness,
                confidence: Confidence::Happened,
                treatment: Treatment::Untried,
            };
            self.told.push((channel, lock.object, warning));
        }
    }

    /// Keeps what is held at every receive from a channel.
    fn received(&mut self, event: &Event, held: &[HeldLock<Site>]) {
        let objects = held.iter().map(|lock| lock.object);
        let receivers = self.receivers.entry(event.operation.object).or_insert_with(|| Receivers {
            always: objects.clone().collect(),
            threads: Vec::new(),
        });
        receivers.always.retain(|lock| held.iter().any(|other| other.object == *lock));
        if !receivers.threads.contains(&event.thread) {
            receivers.threads.push(event.thread);
        }
    }

    /// Whether the lock is there to share the receiver.
    fn is_for_receiving(&self, channel: Option<ObjectId>, lock: ObjectId) -> bool {
        channel
            .and_then(|channel| self.receivers.get(&channel))
            .is_some_and(|of| of.threads.len() > 1 && of.always.contains(&lock))
    }
}

/// A thread that is about to take the lock and can not.
fn wants(scene: &Scene<'_>, lock: ObjectId, holder: ThreadId) -> Option<(ThreadId, Operation)> {
    let threads = scene.moment.threads.iter().enumerate();
    let mut others = threads.map(|(index, info)| (ThreadId(index as u32), info.pending));
    others.find(|(thread, pending)| {
        *thread != holder && pending.object == lock && pending.kind.wait().lock().is_some()
    })
}

fn waits(kind: OperationKind) -> &'static str {
    match kind.wait() {
        WaitFor::ThreadEnd => "waits for another thread to end",
        WaitFor::Notification => "waits for a notification, giving back only",
        _ => kind.waiting(),
    }
}

fn what(kind: OperationKind) -> &'static str {
    match kind.wait() {
        WaitFor::ThreadEnd => "a join",
        WaitFor::Message => "a receive",
        WaitFor::Receipt => "a send that waits for the receiver",
        WaitFor::Token => "park, or across an await",
        WaitFor::Notification => "a wait with another mutex",
        _ => "a wait",
    }
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(HeldAcross::default())
}

impl Detector for HeldAcross {
    fn begin(&mut self) {
        self.places.iter_mut().for_each(Vec::clear);
        self.receivers.clear();
        self.told.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        let thread = event.thread;
        let mine = scene.held.by(thread);
        match event.meaning().link {
            Link::Receives => {
                self.received(event, mine);
                self.waited(event, mine, scene);
            }
            Link::AfterEnd
            | Link::AfterReceipt
            | Link::TakesBack
            | Link::TakesToken
            | Link::Notified => {
                self.waited(event, mine, scene);
            }
            _ => {}
        }
        if self.places.len() <= thread.index() {
            self.places.resize_with(thread.index() + 1, Vec::new);
        }
        self.places[thread.index()].push(scene.index);
    }

    fn end(&mut self, _record: &Record<'_>) -> Vec<Suspicion> {
        let told = std::mem::take(&mut self.told);
        told.into_iter()
            .filter(|(channel, lock, _)| !self.is_for_receiving(*channel, *lock))
            .map(|(_, _, warning)| Suspicion {
                warning,
                steering: None,
                certainty: Certainty::Told,
            })
            .collect()
    }
}
