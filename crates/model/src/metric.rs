//! Which coverage metrics there are, and how finely they tell objects and threads apart.

use crate::suggest::closest;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Hands the table of metrics to the macro that is named. A row is what a metric counts, its name in the code and its
/// name in settings; before the braces stands the module that keeps it, in `observe`'s folder `coverage/metrics`.
/// Whoever adds a metric writes that file and a row here, and nothing else.
#[macro_export]
macro_rules! with_metrics {
    ($then:ident) => {
        $then! {
            sync_pairs {
                /// lock taken at one place directly after it was taken at another
                SyncPairs = "sp",
            }
            avio {
                /// two accesses of a thread to a variable, and the last foreign one in between
                Avio = "avio",
                /// as avio, by variable and threads
                AvioStar = "avio*",
            }
            hb_pair {
                /// one place synchronised with another, by way of an object
                HbPair = "hbpair",
                /// as hbpair, by threads
                HbPairStar = "hbpair*",
            }
            du_pairs {
                /// a value written at one place is read at another
                DuPairs = "dupairs",
                /// as dupairs, by threads
                DuPairsStar = "dupairs*",
            }
            reads_from {
                /// a read and where its value comes from, the initial value included
                ReadsFrom = "reads-from",
            }
            eraser {
                /// a place left a variable in this state of Eraser's automaton, with these locks
                Eraser = "eraser",
                /// as eraser, by variable and thread
                EraserStar = "eraser*",
            }
            goldilocks {
                /// what proved to Goldilocks that an access is ordered
                GoldiLock = "goldilock",
                /// as goldilock, by variable and thread
                GoldiLockStar = "goldilock*",
                /// which of Goldilocks' checks an access came to; weighted
                GoldiLockSc = "goldilocksc",
            }
            goodlock {
                /// a lock was taken with another one in hand
                GoodLock = "goodlock",
                /// as goodlock, by thread
                GoodLockStar = "goodlock*",
            }
            concur_pairs {
                /// two operations in a row, and whether threads switched in between
                ConcurPairs = "concurpairs",
            }
            sync {
                /// a primitive was used in this situation: visited, blocked, blocking, refused …
                Sync = "sync",
            }
            concurrent_sites {
                /// two threads were at these places at the same time
                ConcurrentSites = "concurrent-sites",
            }
            noise {
                /// two threads met at a variable or lock, in this order
                NoisePairs = "noise",
            }
            sites {
                /// an operation or access was reached at all
                Sites = "sites",
            }
        }
    };
}

macro_rules! metric_names {
    ($($module:ident { $($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+ })+) => {
        /// The metrics that come with Selvedge. Those with a star tell threads (and variables)
        /// apart, those without look at places in the source and at sync objects alone.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum MetricName { $($($(#[doc = $doc])+ $name,)+)+ }

        impl MetricName {
            /// Every metric, in the order in which they are shown.
            pub const ALL: &'static [Self] = &[$($(Self::$name,)+)+];

            /// The name, as people write it.
            pub const fn name(self) -> &'static str {
                match self { $($(Self::$name => $text,)+)+ }
            }

            /// What it counts, in a line.
            pub const fn about(self) -> &'static str {
                match self { $($(Self::$name => concat!($($doc),+).trim_ascii(),)+)+ }
            }
        }
    };
}

with_metrics!(metric_names);

impl fmt::Display for MetricName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The metrics that a strategy can aim at: those whose requirements are places on one object, one
/// directly after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GuidedMetric {
    /// A lock is taken at one place directly after it was taken at another.
    SyncPair,
    /// A value that was written at one place is read at another.
    DefUse,
    /// One place is synchronised with another.
    HbPair,
    /// Two accesses of a thread, and a foreign one in between.
    Avio,
    /// A read and where its value comes from.
    ReadsFrom,
}

impl GuidedMetric {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::SyncPair, Self::DefUse, Self::HbPair, Self::Avio, Self::ReadsFrom];

    /// The name, as people write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SyncPair => "sync_pair",
            Self::DefUse => "def_use",
            Self::HbPair => "hb_pair",
            Self::Avio => "avio",
            Self::ReadsFrom => "reads_from",
        }
    }

    /// Whether its requirements are about data behind locks, too.
    pub const fn looks_at_data(self) -> bool {
        matches!(self, Self::DefUse | Self::Avio | Self::ReadsFrom)
    }

    /// The metric that counts the requirements.
    pub const fn metric(self) -> MetricName {
        match self {
            Self::SyncPair => MetricName::SyncPairs,
            Self::DefUse => MetricName::DuPairs,
            Self::HbPair => MetricName::HbPair,
            Self::Avio => MetricName::Avio,
            Self::ReadsFrom => MetricName::ReadsFrom,
        }
    }
}

impl fmt::Display for GuidedMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How finely a metric tells objects and threads apart.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Identity {
    /// Each by itself: threads by their path, objects by origin and order of first use.
    Real,
    /// Objects by kind and place of creation, threads by where they were spawned and what they
    /// did first.
    #[default]
    Abstract,
    /// Objects by kind, threads by where they were spawned.
    Type,
    /// Not at all.
    None,
}

impl Identity {
    /// Every level, from the finest.
    pub const ALL: [Self; 4] = [Self::Real, Self::Abstract, Self::Type, Self::None];

    /// The name, as people write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Abstract => "abstract",
            Self::Type => "type",
            Self::None => "none",
        }
    }
}

/// A metric that is to be kept, written as `avio*` or `avio*:real`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MetricChoice {
    /// Which one.
    pub name: MetricName,
    /// How finely.
    pub identity: Identity,
}

impl fmt::Display for MetricChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.identity {
            Identity::Abstract => f.pad(self.name.name()),
            identity => f.pad(&format!("{}:{}", self.name, identity.name())),
        }
    }
}

/// A name that no metric has; says which it may have been meant to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMetric {
    /// What may have been meant.
    pub suggestion: Option<&'static str>,
}

impl FromStr for MetricChoice {
    type Err = UnknownMetric;

    fn from_str(text: &str) -> Result<Self, UnknownMetric> {
        let (name, identity) = text.split_once(':').unwrap_or((text, "abstract"));
        let found = MetricName::ALL.iter().find(|metric| metric.name() == name);
        let name = *found.ok_or_else(|| UnknownMetric {
            suggestion: closest(name, MetricName::ALL.iter().map(|metric| metric.name())),
        })?;
        let found = Identity::ALL.into_iter().find(|level| level.name() == identity);
        let identity = found.ok_or_else(|| UnknownMetric {
            suggestion: closest(identity, Identity::ALL.iter().map(|level| level.name())),
        })?;
        Ok(Self { name, identity })
    }
}

/// What each state of `goldilocksc` counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The last access was the same thread's.
    pub same_thread: u32,
    /// A lock that was held then is held now.
    pub common_lock: u32,
    /// The lockset had to be computed.
    pub lockset: u32,
    /// Nothing orders the two.
    pub race: u32,
}

impl Default for Weights {
    fn default() -> Self {
        Self { same_thread: 1, common_lock: 5, lockset: 5, race: 10 }
    }
}

/// How many series of how many executions the quality of metrics is computed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// How many series.
    pub count: u32,
    /// How many executions each has, drawn at random from all there were.
    pub length: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_reads_back_as_it_was_printed() {
        for &name in MetricName::ALL {
            for identity in Identity::ALL {
                let choice = MetricChoice { name, identity };
                assert_eq!(choice.to_string().parse(), Ok(choice));
            }
        }
    }

    #[test]
    fn a_name_that_is_nearly_right_is_suggested() {
        let suggestion = |text: &str| text.parse::<MetricChoice>().unwrap_err().suggestion;
        assert_eq!(suggestion("dupair"), Some("dupairs"));
        assert_eq!(suggestion("avio*:rael"), Some("real"));
    }
}
