//! What looks wrong although no execution has failed for it, as data.
//!
//! A finding is something that happened and fails a test. A warning is something that a detector
//! noticed: it did happen and did no harm that the test could see, or it is predicted to happen in
//! another order. Warnings never fail a test; a prediction that comes true becomes a finding.

use crate::{
    FindingKind, Link, ObjectName, OperationKind, Place, Schedule, Source, ThreadPath,
    ThreadReport, Wait,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kinds of concurrency error (Letko, *Analysis and Testing of Concurrent Programs*, 2012,
/// section 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// Two accesses to a variable that nothing orders, at least one of them a write.
    DataRace,
    /// What was meant to happen in one go did not, and no execution in which it does is equal.
    AtomicityViolation,
    /// Something happened before what it was meant to come after.
    OrderViolation,
    /// Threads wait for each other in a circle.
    Deadlock,
    /// A signal does not reach the thread that it is meant for.
    MissedSignal,
    /// A thread waits for something that need not happen.
    Starvation,
    /// A thread computes for ever without progress.
    NonProgress,
    /// Threads go round and round, each until another one stops.
    Livelock,
    /// A thread waits for something that never happens.
    BlockedThread,
}

impl Trouble {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::DataRace => "data race",
            Self::AtomicityViolation => "atomicity violation",
            Self::OrderViolation => "order violation",
            Self::Deadlock => "deadlock",
            Self::MissedSignal => "missed signal",
            Self::Starvation => "starvation",
            Self::NonProgress => "non-progress",
            Self::Livelock => "livelock",
            Self::BlockedThread => "blocked thread",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// Whether a detector has seen it or concludes that it can come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// It happened in an execution.
    Happened,
    /// It did not happen; an execution shows that another order would bring it about, as far as the
    /// detector can tell.
    Predicted,
}

/// What was done about a warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Treatment {
    /// Nothing: it has happened, or nobody knows how to bring it about.
    Untried,
    /// It was tried in vain to bring it about, in so many executions.
    Unconfirmed {
        /// How many.
        executions: u64,
    },
    /// It came about; this schedule shows it.
    Confirmed {
        /// The decisions that lead there.
        schedule: Schedule,
    },
}

/// One who takes part: who does what, where, to what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Role {
    /// Who.
    pub thread: ThreadReport,
    /// The part that it plays, in words that come before the object: "holds", "then waits for".
    pub does: String,
    /// The operation; nothing if it is an access to data.
    pub kind: Option<OperationKind>,
    /// To what.
    pub object: Option<ObjectName>,
    /// Where.
    pub at: Place,
}

/// Something that looks wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What it is.
    pub kind: Trouble,
    /// Who noticed.
    pub detector: DetectorName,
    /// What it comes to, in one line.
    pub summary: String,
    /// Who takes part, in the order in which it matters.
    pub witness: Vec<Role>,
    /// Whether it happened.
    pub confidence: Confidence,
    /// What was done about it.
    pub treatment: Treatment,
}

impl Warning {
    /// Whether this is the same problem as the other, possibly noticed in another execution: the
    /// same operations at the same places, whichever threads carry them out.
    pub fn same_problem(&self, other: &Self) -> bool {
        fn parts(warning: &Warning) -> Vec<(&Place, Option<OperationKind>)> {
            let mut parts: Vec<_> =
                warning.witness.iter().map(|role| (&role.at, role.kind)).collect();
            parts.sort();
            parts
        }
        (self.kind, self.detector) == (other.kind, other.detector) && parts(self) == parts(other)
    }
}

impl Warning {
    /// Whether a finding is what this warns of: its threads wait where it says that they could.
    pub fn is_shown_by(&self, found: &FindingKind) -> bool {
        let waits: &[Wait] = match found {
            FindingKind::Deadlock { cycle } => cycle,
            FindingKind::Stuck { waits, .. } | FindingKind::LeakedThreads { waits } => waits,
            _ => return false,
        };
        let waits_at =
            |role: &Role| waits.iter().any(|wait| Place::Line(wait.at.clone()) == role.at);
        match self.kind {
            Trouble::Deadlock => {
                let of_thread = |path: &ThreadPath| {
                    self.witness.iter().any(|role| role.thread.path == *path && waits_at(role))
                };
                !self.witness.is_empty()
                    && self.witness.iter().all(|role| of_thread(&role.thread.path))
            }
            Trouble::MissedSignal => self.witness.iter().any(|role| {
                role.kind.is_some_and(|kind| kind.link() == Link::AwaitsNotification)
                    && waits_at(role)
            }),
            _ => false,
        }
    }
}

/// A place at which a thread is to be held back, or that it has passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Which thread.
    pub thread: ThreadPath,
    /// What it is about to do.
    pub kind: OperationKind,
    /// Where.
    pub at: Source,
    /// Where it has taken locks that it must hold for this to be the place.
    pub holding: Vec<Source>,
}

/// How a prediction can be brought about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steering {
    /// Threads that are held back for as long as others can run.
    pub hold: Vec<Stop>,
    /// Nobody is held back any more once all of these have been carried out; if there are none,
    /// for ever.
    pub until: Vec<Stop>,
}

/// What a detector has to be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LooksAt {
    /// Operations.
    Operations,
    /// Accesses to data behind locks as well, which nobody is told of otherwise.
    Data,
}

/// Hands the table of detectors to the macro that is named. A row is what a detector looks for, its name in the code
/// and in settings, what it has to be told of, and its module in `observe`'s folder `detect`. Whoever adds a
/// detector writes that file and a row here, and nothing else.
#[macro_export]
macro_rules! with_detectors {
    ($then:ident) => {
        $then! {
            /// Circles of locks and other waits.
            Deadlock = "deadlock", Data in good_lock,
            /// Notifications that come too early, and waits that do not check again.
            MissedSignal = "missed-signal", Operations in missed_signal,
            /// Locks that are held while their thread waits for somebody else.
            HeldAcross = "held-across", Operations in held_across,
            /// What is never interrupted while executions pass, and was when one failed.
            Avio = "avio", Data in avio,
            /// Orders that executions never have while they pass, and uses before initialisation.
            Order = "order", Data in order,
            /// Marked blocks that can not be shown to happen in one go.
            Reduction = "reduction", Operations in reduction,
            /// Marked blocks that did not happen as if in one go.
            Velodrome = "velodrome", Data in velodrome,
            /// Declared groups of variables of which only a part was seen or changed.
            AtomicSets = "atomic-sets", Data in atomic_sets,
            /// Variables that are used together under a lock here and apart there.
            Views = "views", Data in view_consistency,
            /// Races in other orders of what happened.
            Hybrid = "hybrid", Operations in hybrid,
            /// Variables that no lock protects.
            Eraser = "eraser", Data in eraser,
            /// Races of what happened, by locksets.
            Goldilocks = "goldilocks", Data in goldilocks,
            /// Accesses at the same time that no common lock protects.
            RaceTrack = "race-track", Data in race_track,
            /// Threads that others overtake again and again.
            Progress = "progress", Operations in progress,
        }
    };
}

macro_rules! detector_names {
    ($($(#[doc = $doc:literal])+ $detector:ident = $name:literal, $looks_at:ident in $module:ident,)+) => {
        /// The detectors.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(rename_all = "kebab-case")]
        pub enum DetectorName { $($(#[doc = $doc])+ $detector,)+ }

        impl DetectorName {
            /// Every detector.
            pub const ALL: &'static [Self] = &[$(Self::$detector,)+];

            /// What it is called in settings.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$detector => $name,)+ }
            }

            /// What it has to be told of.
            pub const fn looks_at(self) -> LooksAt {
                match self { $(Self::$detector => LooksAt::$looks_at,)+ }
            }
        }
    };
}

with_detectors!(detector_names);

impl fmt::Display for DetectorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Which detectors are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetectorSet(u32);

impl DetectorSet {
    /// None.
    pub const NONE: Self = Self(0);

    /// Those whose warnings are worth a person's time, whatever the test.
    pub const fn usual() -> Self {
        Self::NONE
            .with(DetectorName::Deadlock)
            .with(DetectorName::MissedSignal)
            .with(DetectorName::HeldAcross)
    }

    /// All there are.
    pub fn all() -> Self {
        DetectorName::ALL.iter().fold(Self::NONE, |set, &name| set.with(name))
    }

    /// These and one more.
    pub const fn with(self, name: DetectorName) -> Self {
        Self(self.0 | (1 << name as u32))
    }

    /// Whether the detector is on.
    pub const fn has(self, name: DetectorName) -> bool {
        self.0 & (1 << name as u32) != 0
    }

    /// Whether any of them looks at accesses to data behind locks.
    pub fn looks_at_data(self) -> bool {
        DetectorName::ALL.iter().any(|&name| self.has(name) && name.looks_at() == LooksAt::Data)
    }

    /// Whether none is on.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(path: ThreadPath, line: u32) -> Role {
        Role {
            thread: ThreadReport { path, name: None, spawned: None },
            does: "waits for".to_owned(),
            kind: Some(OperationKind::MutexLock),
            object: None,
            at: Place::Line(Source { file: "a.rs".to_owned(), line, column: 1 }),
        }
    }

    #[test]
    fn the_same_places_in_other_threads_are_the_same_problem() {
        let main = ThreadPath::main();
        let of = |witness| Warning {
            kind: Trouble::Deadlock,
            detector: DetectorName::Deadlock,
            summary: String::new(),
            witness,
            confidence: Confidence::Predicted,
            treatment: Treatment::Untried,
        };
        let one = of(vec![role(main.child(1), 1), role(main.child(2), 2)]);
        let turned = of(vec![role(main.child(3), 2), role(main.child(1), 1)]);
        assert!(one.same_problem(&turned));
        assert!(!one.same_problem(&of(vec![role(main.child(1), 1), role(main.child(2), 3)])));
    }

    #[test]
    fn a_set_has_what_was_put_in() {
        let set = DetectorSet::NONE.with(DetectorName::HeldAcross);
        assert!(set.has(DetectorName::HeldAcross) && !set.has(DetectorName::Deadlock));
        assert!(DetectorName::ALL.iter().all(|&name| DetectorSet::all().has(name)));
    }
}
