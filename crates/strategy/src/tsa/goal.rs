//! What is aimed at: metrics whose requirements are two places on one object, one directly after the
//! other.
//!
//! The pairs of the paper are places where a lock is taken. A pair of a write and a read, of a release
//! and an acquisition, and the foreign access between two of a thread, are of the same kind: some
//! actions *set* what was last at an object, others *close* a pair with what was last there. What
//! `avio` calls the two accesses of one thread is one closing action here, numbered as a
//! [`second`](super::names::Names::second).

use super::sections::takes;
use selvedge_model::{AccessKind, Effect, Event, GuidedMetric, MetricName, OperationKind};

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
    pub(crate) fn is_queued(self, kind: OperationKind) -> bool {
        use OperationKind as Kind;
        matches!(kind, Kind::Send | Kind::TrySend | Kind::Receive | Kind::TryReceive)
            && !self.is_of_three()
    }

    /// What an operation is if it succeeds; it has not happened yet.
    #[inline]
    pub(crate) fn of_pending(self, kind: OperationKind) -> Role {
        match self.0 {
            GuidedMetric::SyncPair => match takes(kind) {
                Some(_) => BOTH,
                None => NONE,
            },
            GuidedMetric::HbPair => synchronises(kind),
            GuidedMetric::DefUse | GuidedMetric::ReadsFrom => accesses(kind),
            GuidedMetric::Avio => match accesses(kind) {
                NONE => NONE,
                _ => BOTH,
            },
        }
    }

    /// What an operation was.
    #[inline]
    pub(crate) fn of_event(self, event: &Event) -> Role {
        let kind = event.operation.kind;
        let refused = matches!(event.effect, Effect::Refused | Effect::Kept(_));
        match self.0 {
            GuidedMetric::SyncPair if refused => NONE,
            GuidedMetric::SyncPair => self.of_pending(kind),
            GuidedMetric::HbPair => synchronised(event),
            GuidedMetric::DefUse | GuidedMetric::ReadsFrom | GuidedMetric::Avio => {
                let role = match kind {
                    OperationKind::AtomicCas if refused => CLOSES,
                    OperationKind::OnceCall if event.effect == Effect::Refused => CLOSES,
                    OperationKind::OnceCall => NONE,
                    OperationKind::AtomicLoad
                    | OperationKind::AtomicStore
                    | OperationKind::AtomicRmw => accesses(kind),
                    _ if refused || matches!(event.effect, Effect::TimedOut) => NONE,
                    _ => accesses(kind),
                };
                match self.0 {
                    GuidedMetric::Avio if role.any() => BOTH,
                    _ => role,
                }
            }
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

fn accesses(kind: OperationKind) -> Role {
    use OperationKind as Kind;
    match kind {
        Kind::AtomicLoad
        | Kind::Receive
        | Kind::TryReceive
        | Kind::OnceGet
        | Kind::OnceWait
        | Kind::OnceCall => CLOSES,
        Kind::AtomicStore | Kind::Send | Kind::TrySend | Kind::OnceDone => SETS,
        Kind::AtomicRmw | Kind::AtomicCas => BOTH,
        _ => NONE,
    }
}

/// What an operation that has not happened yet is: who takes a lock will give it back.
fn synchronises(kind: OperationKind) -> Role {
    use OperationKind as Kind;
    match kind {
        Kind::MutexLock | Kind::MutexTryLock | Kind::CondvarWake => BOTH,
        Kind::RwWrite | Kind::RwTryWrite => BOTH,
        Kind::RwRead | Kind::RwTryRead => BOTH,
        Kind::Unpark => SETS,
        Kind::Park => CLOSES,
        _ => accesses(kind),
    }
}

/// What an event does to the order of threads. Who gives a lock back leaves something, at the place
/// where it was taken; who takes it picks it up.
fn synchronised(event: &Event) -> Role {
    use OperationKind as Kind;
    let refused = matches!(event.effect, Effect::Refused | Effect::Kept(_));
    let acquires = event.order.acquires();
    let releases = event.order.releases() && !refused;
    match event.operation.kind {
        Kind::MutexUnlock | Kind::RwWriteUnlock | Kind::RwReadUnlock | Kind::RwDowngrade => SETS,
        Kind::CondvarWake | Kind::OnceCall => CLOSES,
        Kind::AtomicLoad => Role { sets: false, closes: acquires },
        Kind::AtomicStore => Role { sets: releases, closes: false },
        Kind::AtomicRmw | Kind::AtomicCas => Role { sets: releases, closes: acquires },
        Kind::Park if event.effect != Effect::Done => NONE,
        Kind::OnceDone => SETS,
        _ if refused || event.effect == Effect::TimedOut => NONE,
        kind if takes(kind).is_some() => CLOSES,
        kind => synchronises(kind),
    }
}
