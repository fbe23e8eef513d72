//! Which strategies there are.

use super::{ConfigErrorKind, value};
use crate::GuidedMetric;
use std::fmt;
use std::str::FromStr;

/// Hands the table of strategies to the macro that is named. A row is what a strategy does, its name in the code and
/// its name in settings; before the braces stands its module in the crate `strategy`. Whoever adds a strategy writes
/// that file and a row here, and nothing else. Those with parameters are not in the table.
#[macro_export]
macro_rules! with_strategies {
    ($then:ident) => {
        $then! {
            portfolio {
                /// A mixture of the others that shifts the budget to what pays off.
                Portfolio = "portfolio",
            }
            random {
                /// A fair coin at every step.
                Random = "random",
            }
            pos {
                /// A random priority for every operation.
                Pos = "pos",
            }
            surw {
                /// Uniform over the orders of one object's operations.
                Surw = "surw",
                /// Uniform over the orders of all operations.
                Urw = "urw",
            }
            period {
                /// Schedules with few preemptions, one after the other.
                Period = "period",
            }
            rff {
                /// Steered towards orders that were not seen.
                Rff = "rff",
            }
            fest {
                /// What has shown something new, with some choices changed.
                Fest = "fest",
            }
            tsa {
                /// Towards pairs of places where locks are taken that have not been seen.
                Tsa = "tsa",
                /// The same without what the estimate of possible pairs adds.
                TsaH = "tsa-h",
            }
            round_robin {
                /// Every thread one step, in turn.
                RoundRobin = "round-robin",
            }
            exhaustive {
                /// Every schedule, one after the other.
                Exhaustive = "exhaustive",
            }
        }
    };
}

macro_rules! strategy_names {
    ($($module:ident { $($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+ })+) => {
        /// The strategies, with their parameters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum StrategyName {
            /// Random priorities with this many minus one changes on the way.
            Pct(u32),
            /// Towards requirements of this metric that have not been seen.
            Guided(GuidedMetric),
            $($($(#[doc = $doc])+ $name,)+)+
        }

        impl StrategyName {
            const NAMES: &'static [&'static str] = &[
                $($($text,)+)+
                "pct",
                "guided(sync_pair)",
                "guided(def_use)",
                "guided(hb_pair)",
                "guided(avio)",
                "guided(reads_from)",
            ];

            /// How they are offered to people.
            pub(super) const OFFERED: &'static str =
                concat!($($($text, ", ",)+)+ "pct(N) or guided(METRIC)");

            /// The one with a name that has no parameters.
            fn plain(name: &str) -> Option<Self> {
                match name {
                    $($($text => Some(Self::$name),)+)+
                    _ => None,
                }
            }
        }

        impl fmt::Display for StrategyName {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::Pct(depth) => write!(f, "pct({depth})"),
                    Self::Guided(metric) => write!(f, "guided({metric})"),
                    $($(Self::$name => f.write_str($text),)+)+
                }
            }
        }
    };
}

with_strategies!(strategy_names);

/// How many threads' orders PCT aims at, unless told otherwise.
const DEFAULT_DEPTH: u32 = 3;

impl StrategyName {
    /// Whether the strategy learns from accesses to data behind locks.
    pub const fn looks_at_data(self) -> bool {
        match self {
            Self::Guided(metric) => metric.looks_at_data(),
            _ => false,
        }
    }
}

impl FromStr for StrategyName {
    type Err = ConfigErrorKind;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let parameter = |of: &str| name.strip_prefix(of)?.strip_prefix('(')?.strip_suffix(')');
        if let Some(depth) = parameter("pct") {
            return match value::number(depth)? {
                0 => Err(value::wrong(depth, "a depth from 1 up")),
                depth => Ok(Self::Pct(depth)),
            };
        }
        if let Some(metric) = parameter("guided") {
            return value::guided(metric.trim()).map(Self::Guided);
        }
        match name {
            "pct" => Ok(Self::Pct(DEFAULT_DEPTH)),
            _ => Self::plain(name).ok_or_else(|| value::one_of(name, Self::OFFERED, Self::NAMES)),
        }
    }
}
