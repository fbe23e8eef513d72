//! Sync: a primitive was used in this situation.
//!
//! Source: A. Bron et al., *Applications of Synchronization Coverage* (2005), as in Z. Letko's thesis
//! (2012), table 3.1: (pl1, mode).
//!
//! Modes of locks: *visited*; *blocked*: the thread had to wait because another one had the lock;
//! *blocking*: it had the lock while another one waited for it. Whoever has to wait is seen when the
//! lock is given back, or at the end. Modes of other primitives: an operation that may fail is
//! *done* or *refused*; one that waits has *waited* as it should, *timed out*, ended for *no reason*
//! or because the other side is *disconnected*; a notification *wakes* somebody or *nobody*.
//!
//! Deviations: (1) modes of other primitives than locks are ours. (2) A mode counts for the place,
//! whatever the object.

use crate::coverage::{
    Fact, Facts, Found, Metric, PartKind, SiteNumber, Sites, Tuple, What, tuple,
};
use selvedge_model::{
    Event, HeldLocks, Hold, Link, Look, MetricName, Moment, Operation, Outcome, Record, ThreadId,
    ThreadInfo, WaitFor, Weights,
};

const MODES: &[&str] = &[
    "visited",
    "blocked",
    "blocking",
    "done",
    "refused",
    "timed out",
    "no reason",
    "wakes",
    "wakes nobody",
    "waited",
    "disconnected",
];
const VISITED: u32 = 0;
const BLOCKED: u32 = 1;
const BLOCKING: u32 = 2;
const DONE: u32 = 3;
const REFUSED: u32 = 4;
const TIMED_OUT: u32 = 5;
const NO_REASON: u32 = 6;
const WAKES: u32 = 7;
const WAKES_NOBODY: u32 = 8;
const WAITED: u32 = 9;
const DISCONNECTED: u32 = 10;

#[derive(Default)]
pub(crate) struct Sync {
    held: HeldLocks<SiteNumber>,
}

pub(super) fn make(_: MetricName, _: Weights) -> Box<dyn Metric> {
    Box::new(Sync::default())
}

impl Metric for Sync {
    fn name(&self) -> String {
        MetricName::Sync.to_string()
    }

    fn parts(&self) -> Vec<PartKind> {
        vec![PartKind::Site(""), PartKind::State("", MODES)]
    }

    fn begin(&mut self) {
        self.held.clear();
    }

    fn facts(&mut self, facts: &Facts, found: &mut Found) {
        for fact in facts.iter() {
            if let Some(mode) = mode(fact) {
                found.add(tuple([fact.site, mode]));
            }
        }
    }

    fn wants_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &Event, moment: &Moment<'_>, sites: &mut Sites, found: &mut Found) {
        let mut fact = Fact::of_event(event, 0);
        if let Some((lock, hold)) = fact.unlocks() {
            let thread = event.thread.0;
            self.blocked(lock, hold, thread, moment.threads, sites, found);
        }
        if fact.locks().is_some() {
            fact.site = sites.of_site(event.operation.site);
        }
        fact.hold(&mut self.held);
    }

    fn end(&mut self, record: &Record<'_>, sites: &mut Sites, found: &mut Found) {
        for thread in 0..record.threads.len() as u32 {
            let locks: Vec<_> = self
                .held
                .by(ThreadId(thread))
                .iter()
                .map(|held| (held.object.0, held.hold))
                .collect();
            for (lock, hold) in locks {
                self.blocked(lock, hold, thread, record.threads, sites, found);
            }
        }
    }

    fn possible(&self, covered: &[Tuple]) -> Vec<Tuple> {
        let mut possible = Vec::new();
        for covered in covered.iter().filter(|covered| covered[1] == VISITED) {
            possible.push(tuple([covered[0], BLOCKED]));
            possible.push(tuple([covered[0], BLOCKING]));
        }
        for covered in covered {
            let other = match covered[1] {
                DONE => REFUSED,
                REFUSED => DONE,
                WAKES => WAKES_NOBODY,
                WAKES_NOBODY => WAKES,
                _ => continue,
            };
            possible.push(tuple([covered[0], other]));
        }
        possible
    }
}

impl Sync {
    /// A thread has a lock that others may be waiting for.
    fn blocked(
        &self,
        lock: u32,
        hold: Hold,
        thread: u32,
        threads: &[ThreadInfo],
        sites: &mut Sites,
        found: &mut Found,
    ) {
        let held = self.held.by(ThreadId(thread)).iter().rev();
        let Some(taken) = { held }.find(|held| held.object.0 == lock && held.hold == hold) else {
            return;
        };
        for (index, other) in threads.iter().enumerate() {
            if index as u32 != thread && waits(&other.pending, lock, hold) {
                found.add(tuple([sites.of_site(other.pending.site), BLOCKED]));
                found.add(tuple([taken.site, BLOCKING]));
            }
        }
    }
}

/// Whether the operation waits for a lock that is held in this way.
fn waits(pending: &Operation, lock: u32, hold: Hold) -> bool {
    pending.object.0 == lock
        && matches!(pending.kind.wait(), WaitFor::Lock(wanted) if wanted.excludes(hold))
}

fn mode(fact: &Fact) -> Option<u32> {
    let What::Operation(kind) = fact.what else { return None };
    let done_or_refused = match fact.outcome {
        Outcome::Done => DONE,
        Outcome::Refused | Outcome::TimedOut | Outcome::Spurious => REFUSED,
    };
    match kind.wait() {
        WaitFor::Lock(Hold::Shared | Hold::Exclusive) => Some(VISITED),
        WaitFor::Lock(Hold::Initialising) => Some(done_or_refused),
        WaitFor::Notification
        | WaitFor::Token
        | WaitFor::Futex
        | WaitFor::Message
        | WaitFor::Room => Some(match fact.outcome {
            Outcome::Done => WAITED,
            Outcome::Refused => DISCONNECTED,
            Outcome::TimedOut => TIMED_OUT,
            Outcome::Spurious => NO_REASON,
        }),
        WaitFor::Never => match (kind.look(), kind.meaning(Outcome::Done).link) {
            (Look::Tries, _) | (Look::Only, Link::AfterInitialisation) => Some(done_or_refused),
            (_, Link::Notifies | Link::WakesFutex) => match fact.other {
                0 => Some(WAKES_NOBODY),
                _ => Some(WAKES),
            },
            _ => None,
        },
        WaitFor::Initialisation
        | WaitFor::ThreadEnd
        | WaitFor::Time
        | WaitFor::Barrier
        | WaitFor::Receipt
        | WaitFor::Input
        | WaitFor::Output
        | WaitFor::Files
        | WaitFor::Turn => None,
    }
}
