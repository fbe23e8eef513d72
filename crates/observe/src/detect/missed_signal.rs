//! Signals that do not reach whom they are meant for.
//!
//! Source: the lost notifications of Agarwal and Stoller (PADTAD 2006): a notification that wakes a
//! thread would wake nobody in an order in which the thread has not begun to wait yet. Waits without
//! a loop: the rule of every manual on condition variables.
//!
//! Three things are told:
//!
//! - *A notification that can come too early*: it woke a waiter, and nobody had the waiter's mutex
//!   since the wait began. So the notifying thread can as well come between the waiter's last look at
//!   its condition and its wait. Told only if it can be brought about.
//! - *A notification that came too early*: it woke nobody while a thread with the mutex in hand was
//!   about to wait, the notifying thread had never had the mutex, and no other notification ended that
//!   wait.
//! - *A wait that does not look again*: it ended for no reason, nobody had had the mutex meanwhile,
//!   the thread gave the mutex back at once, and the next thing that it did was nothing by which it
//!   could look again. Whoever takes a lock, reads an atomic or the clock, or waits once more may be at
//!   the top of a loop.
//!
//! Deviations: (1) a condition that is changed with the mutex in hand is taken to be looked at
//! before the wait, so that such notifications count as harmless; (2) which of several waiters a
//! `notify_one` wakes is not known, so that only a single waiter counts.
//!
//! May miss: conditions that are not looked at although they are changed with the mutex in hand;
//! signals by `park`, channels and futexes; waits that do not look again, if something else is looked at
//! after them. May falsely report: a wait that ended for no reason and
//! whose condition nobody changes under the mutex but something else, such as a file.

use super::scene::Scene;
use super::{Certainty, Detector, Suspicion};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Confidence, DetectorName, Effect, Event, Hold, Link, LockAction, Look, ObjectId, Operation,
    OperationKind, Outcome, Record, Role, Steering, Stop, ThreadId, Treatment, Trouble, WaitFor,
    Warning,
};

/// Looks for missed signals.
#[derive(Default)]
pub(super) struct MissedSignal {
    /// When each mutex was taken, and by whom, in order.
    taken: FxHashMap<ObjectId, Vec<(u64, ThreadId)>>,
    /// What each thread waits for.
    waits: FxHashMap<ThreadId, Waiting>,
    /// Who waits for each condition variable and has not been notified.
    queues: FxHashMap<ObjectId, Vec<ThreadId>>,
    /// Threads that were woken for no reason, with the mutex, and have not done anything since that
    /// tells whether they look again.
    woken: FxHashMap<ThreadId, Woken>,
    /// What is told of threads that were about to wait when a notification came, unless another one
    /// ends their wait.
    too_early: Vec<(ThreadId, Vec<Role>)>,
    told: Vec<Suspicion>,
}

/// A thread that was woken for no reason.
struct Woken {
    wait: Operation,
    mutex: ObjectId,
    /// Where it has given the mutex back, if it has.
    unlock: Option<Operation>,
}

/// A wait that has begun.
struct Waiting {
    since: u64,
    operation: Operation,
    effect: Effect,
    /// The notification that ended it, if that is known.
    by: Option<Notification>,
}

/// A notification that woke somebody.
#[derive(Clone)]
struct Notification {
    index: u64,
    thread: ThreadId,
    operation: Operation,
    /// Everybody whom it woke.
    woke: Vec<ThreadId>,
}

impl MissedSignal {
    /// Whether anybody has taken the mutex between two events, apart from some.
    fn was_taken(&self, mutex: ObjectId, after: u64, before: u64, apart: &[ThreadId]) -> bool {
        let taken = self.taken.get(&mutex).map_or(&[][..], Vec::as_slice);
        let first = taken.partition_point(|(index, _)| *index <= after);
        let mut between = taken[first..].iter().take_while(|(index, _)| *index < before);
        between.any(|(_, thread)| !apart.contains(thread))
    }

    fn notify(&mut self, event: &Event, scene: &Scene<'_>) {
        let Event { thread, operation, effect, .. } = *event;
        let queue = self.queues.entry(operation.object).or_default();
        let woken = match effect {
            Effect::Woke(0) => {
                self.too_early(event, scene);
                return;
            }
            // Which of them it was is not known.
            Effect::Woke(woke) if (woke as usize) < queue.len() => return,
            _ => std::mem::take(queue),
        };
        let notification = Notification { index: scene.index, thread, operation, woke: woken };
        for waiter in &notification.woke {
            if let Some(wait) = self.waits.get_mut(waiter) {
                wait.by = Some(notification.clone());
            }
        }
    }

    /// A notification has woken nobody.
    fn too_early(&mut self, event: &Event, scene: &Scene<'_>) {
        let condvar = event.operation.object;
        let names = scene.names();
        for (index, info) in scene.moment.threads.iter().enumerate() {
            let waiter = ThreadId(index as u32);
            let pending = info.pending;
            if waiter == event.thread
                || pending.kind.meaning(Outcome::Done).link != Link::AwaitsNotification
                || pending.object != condvar
                || self.waits.contains_key(&waiter)
            {
                continue;
            }
            let had_it = |mutex: ObjectId| {
                let taken = self.taken.get(&mutex).map_or(&[][..], Vec::as_slice);
                taken.iter().any(|(_, thread)| *thread == event.thread)
            };
            if scene.held.by(waiter).iter().any(|lock| had_it(lock.object)) {
                continue;
            }
            let witness = vec![
                names.role(event.thread, "notifies", event.operation),
                names.role(waiter, "has looked at its condition and then waits on", pending),
            ];
            self.too_early.push((waiter, witness));
        }
    }

    /// A wait is over, or the execution is: what came too early for it has been missed, if there was
    /// anything, unless something else was noticed instead.
    fn tell_too_early(&mut self, waiter: ThreadId) {
        while let Some(position) = self.too_early.iter().position(|(thread, _)| *thread == waiter) {
            let (_, witness) = self.too_early.remove(position);
            let summary = "a notification came between a thread's last look and its wait";
            self.tell(Trouble::MissedSignal, summary, witness);
        }
    }

    /// Follows what a thread does that was woken for no reason.
    fn follow(&mut self, event: &Event, scene: &Scene<'_>) {
        let Event { thread, operation, .. } = *event;
        let Some(Woken { wait, mutex, unlock }) = self.woken.remove(&thread) else { return };
        match unlock {
            None if operation.kind.gives_back() && operation.object == mutex => {
                self.woken.insert(thread, Woken { wait, mutex, unlock: Some(operation) });
            }
            None => {}
            Some(_) if may_look(operation.kind) => {}
            Some(unlock) => self.did_not_look_again(thread, wait, unlock, scene),
        }
    }

    /// A wait has ended, for whatever reason.
    fn woken(&mut self, event: &Event, scene: &Scene<'_>) {
        let Event { thread, operation, .. } = *event;
        let mutex = operation.object;
        let Some(wait) = self.waits.remove(&thread) else { return };
        self.queues.entry(operation.second).or_default().retain(|waiter| *waiter != thread);
        match event.effect.outcome() {
            Outcome::Done => {
                self.too_early.retain(|(waiter, _)| *waiter != thread);
                self.notified(event, wait, scene);
            }
            Outcome::Spurious => {
                self.tell_too_early(thread);
                if wait.effect != Effect::Timed
                    && !self.was_taken(mutex, wait.since, scene.index, &[])
                {
                    let wait = wait.operation;
                    self.woken.insert(thread, Woken { wait, mutex, unlock: None });
                }
            }
            Outcome::Refused | Outcome::TimedOut => self.tell_too_early(thread),
        }
    }

    /// A wait has ended by a notification.
    fn notified(&mut self, event: &Event, wait: Waiting, scene: &Scene<'_>) {
        let Some(by) = wait.by else { return };
        let (notifier, notify) = (by.thread, by.operation);
        let mutex = event.operation.object;
        // Who goes to wait as well changes nothing for the others.
        if wait.effect == Effect::Timed || self.was_taken(mutex, wait.since, by.index, &by.woke) {
            return;
        }
        let names = scene.names();
        let witness = vec![
            names.role(event.thread, "waits on", wait.operation),
            names.role(notifier, "notifies without having had the waiter's mutex:", notify),
        ];
        let stop = |thread, operation: Operation| Stop {
            thread: names.thread(thread).path,
            kind: operation.kind,
            at: operation.site.source(),
            holding: Vec::new(),
        };
        let steering = Steering {
            hold: vec![stop(event.thread, wait.operation)],
            until: vec![stop(notifier, notify)],
        };
        self.told.push(Suspicion {
            warning: Warning {
                kind: Trouble::MissedSignal,
                detector: DetectorName::MissedSignal,
                summary: "a notification can come between a thread's last look and its wait"
                    .to_owned(),
                witness,
                confidence: Confidence::Predicted,
                treatment: Treatment::Untried,
            },
            steering: Some(steering),
            certainty: Certainty::OnlyIfConfirmed,
        });
    }

    /// A thread gives the mutex back that it has got with a wait that ended for no reason.
    fn did_not_look_again(
        &mut self,
        thread: ThreadId,
        wait: Operation,
        unlock: Operation,
        scene: &Scene<'_>,
    ) {
        let names = scene.names();
        let witness = vec![
            names.role(thread, "waits on", wait),
            names.role(thread, "is woken for no reason and gives back", unlock),
        ];
        let summary = "a wait that ends for no reason counts as a notification; \
                       use a loop or wait_while";
        self.tell(Trouble::OrderViolation, summary, witness);
    }

    fn tell(&mut self, kind: Trouble, summary: &str, witness: Vec<Role>) {
        self.told.push(Suspicion {
            warning: Warning {
                kind,
                detector: DetectorName::MissedSignal,
                summary: summary.to_owned(),
                witness,
                confidence: Confidence::Happened,
                treatment: Treatment::Untried,
            },
            steering: None,
            certainty: Certainty::Told,
        });
    }
}

/// Whether an operation may be a look at the condition of a wait, or the next wait.
fn may_look(kind: OperationKind) -> bool {
    kind.look() != Look::Never
        || kind.wait() != WaitFor::Never
        || kind.meaning(Outcome::Done).link == Link::AwaitsNotification
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(MissedSignal::default())
}

impl Detector for MissedSignal {
    fn begin(&mut self) {
        self.taken.clear();
        self.waits.clear();
        self.queues.clear();
        self.woken.clear();
        self.too_early.clear();
        self.told.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        let Event { thread, operation, effect, .. } = *event;
        if !self.woken.is_empty() {
            self.follow(event, scene);
        }
        match operation.kind.meaning(Outcome::Done).link {
            Link::AwaitsNotification => {
                let wait = Waiting { since: scene.index, operation, effect, by: None };
                self.waits.insert(thread, wait);
                self.queues.entry(operation.object).or_default().push(thread);
            }
            Link::Notified => self.woken(event, scene),
            Link::Notifies => self.notify(event, scene),
            _ => {}
        }
        if event.meaning().lock == LockAction::Takes(Hold::Exclusive) {
            self.taken.entry(operation.object).or_default().push((scene.index, thread));
        }
    }

    fn end(&mut self, _record: &Record<'_>) -> Vec<Suspicion> {
        while let Some(&(waiter, _)) = self.too_early.first() {
            self.tell_too_early(waiter);
        }
        std::mem::take(&mut self.told)
    }
}
