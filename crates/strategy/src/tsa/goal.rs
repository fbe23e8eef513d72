//! What is aimed at: metrics whose requirements are two places on one object, one directly after the
//! other.
//!
//! The pairs of the paper are places where a lock is taken. A pair of a write and a read, of a release
//! and an acquisition, and the foreign access between two of a thread, are of the same kind: some
//! actions *set* what was last at an object, others *close* a pair with what was last there. What
//! `avio` calls the two accesses of one thread is one closing action here, numbered as a
//! [`second`](super::names::Names::second).

use selvedge_model::{
    AccessKind, Event, GuidedMetric, Link, LockAction, Meaning, MetricName, OperationKind, Order,
    Outcome, ValueUse,
};

/// What an action is in pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Role {
    /// It may be the first of a pair.
    pub(crate) sets: bool,
    /// It may be the second of a pair.
    pub(crate) closes: bool,
}

const NONE: Role = Role { sets: false, closes: false };
const SETS: Role = Role { sets: true, closes: false };
const CLOSES: Role = Role { sets: false, closes: true };
const BOTH: Role = Role { sets: true, closes: true };

impl Role {
    pub(crate) fn any(self) -> bool {
        self.sets || self.closes
    }
}

/// A metric that is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Goal(pub(crate) GuidedMetric);

impl Goal {
    pub(crate) fn metric(self) -> MetricName {
        self.0.metric()
    }

    /// Whether the two must be different threads'.
    pub(crate) fn is_foreign(self) -> bool {
        matches!(self.0, GuidedMetric::HbPair | GuidedMetric::Avio)
    }

    /// Whether the pair of nothing and the first is one.
    pub(crate) fn begins_with_nothing(self) -> bool {
        self.0 == GuidedMetric::ReadsFrom
    }

    /// Whether requirements name the object.
    pub(crate) fn names_object(self) -> bool {
        matches!(self.0, GuidedMetric::DefUse | GuidedMetric::HbPair)
    }

    /// Whether data behind locks are looked at. Their accesses are no operations: what can be held
    /// back is the operation that takes the lock.
    pub(crate) fn is_about_data(self) -> bool {
        self.0.looks_at_data()
    }

    /// Whether what readers leave is seen by writers alone.
    pub(crate) fn tells_readers_apart(self) -> bool {
        self.0 == GuidedMetric::HbPair
    }

    /// Whether the closing action is told by the thread's own one before, too.
    pub(crate) fn is_of_three(self) -> bool {
        self.0 == GuidedMetric::Avio
    }

    /// Whether what is set stays until it is taken, one after the other.
    #[inline]
    pub(crate) fn is_queued(self, meaning: &Meaning) -> bool {
        matches!(meaning.link, Link::Sends | Link::Receives) && !self.is_of_three()
    }

    /// What an operation is if it succeeds; it has not happened yet.
    #[inline]
    pub(crate) fn of_pending(self, kind: OperationKind) -> Role {
        let meaning = kind.meaning(Outcome::Done);
        match self.0 {
            GuidedMetric::HbPair => synchronises(kind, meaning),
            GuidedMetric::DefUse | GuidedMetric::ReadsFrom | GuidedMetric::Avio => {
                // Who comes to an initialisation may find it done.
                let found_done = kind.meaning(Outcome::Refused).value;
                self.of_value(meaning.value.or(found_done))
            }
            GuidedMetric::SyncPair => of_lock(meaning),
        }
    }

    /// What an operation was.
    #[inline]
    pub(crate) fn of_event(self, event: &Event) -> Role {
        let meaning = event.meaning();
        match self.0 {
            GuidedMetric::SyncPair => of_lock(meaning),
            GuidedMetric::HbPair => synchronised(meaning, event.order),
            GuidedMetric::DefUse | GuidedMetric::ReadsFrom | GuidedMetric::Avio => {
                self.of_value(meaning.value)
            }
        }
    }

    fn of_value(self, value: Option<ValueUse>) -> Role {
        match (self.0, value) {
            (_, None) => NONE,
            (GuidedMetric::Avio, Some(_)) => BOTH,
            (_, Some(value)) => Role { sets: value.writes(), closes: value.reads() },
        }
    }

    /// What an access to data behind a lock is.
    pub(crate) fn of_access(self, kind: AccessKind) -> Role {
        match (self.0, kind) {
            (GuidedMetric::Avio, _) => BOTH,
            (GuidedMetric::DefUse | GuidedMetric::ReadsFrom, AccessKind::Read) => CLOSES,
            (GuidedMetric::DefUse | GuidedMetric::ReadsFrom, AccessKind::Write) => SETS,
            (GuidedMetric::SyncPair | GuidedMetric::HbPair, _) => NONE,
        }
    }
}

/// Who takes a lock is both.
fn of_lock(meaning: &Meaning) -> Role {
    match meaning.locks() {
        Some(_) => BOTH,
        None => NONE,
    }
}

/// What an operation that has not happened yet does to the order of threads: who takes a lock will give
/// it back.
fn synchronises(kind: OperationKind, meaning: &Meaning) -> Role {
    match (meaning.lock, meaning.link) {
        (LockAction::Takes(_), _) if kind.locks().is_some() => BOTH,
        (LockAction::Takes(_), _) => CLOSES,
        (LockAction::GivesBack(_), _) if meaning.value.is_some() => SETS,
        (_, Link::Sends | Link::GivesToken | Link::Stores) => SETS,
        (_, Link::Receives | Link::TakesToken | Link::AfterInitialisation | Link::Loads) => CLOSES,
        (_, Link::Updates) => BOTH,
        _ => NONE,
    }
}

/// What an event did to the order of threads. Who gives a lock back leaves something, at the place
/// where it was taken; who takes it picks it up.
fn synchronised(meaning: &Meaning, order: Order) -> Role {
    let closes = order.acquires();
    let sets = order.releases();
    match (meaning.lock, meaning.link) {
        (LockAction::GivesBack(_) | LockAction::Downgrades, _) => SETS,
        (LockAction::Takes(_), _) => CLOSES,
        (_, Link::Sends | Link::GivesToken) => SETS,
        (_, Link::Receives | Link::TakesToken | Link::AfterInitialisation) => CLOSES,
        (_, Link::Loads) => Role { sets: false, closes },
        (_, Link::Stores) => Role { sets, closes: false },
        (_, Link::Updates) => Role { sets, closes },
        _ => NONE,
    }
}
