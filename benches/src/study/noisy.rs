//! Runs on ordinary threads, with noise: the random testing that the source is compared with.

use super::crates;
use super::pair::Pairs;
use super::subjects::Test;
use selvedge::noise::{Kind, Noise};
use std::time::Duration;

/// One of the fifteen settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Setting {
    pub(crate) family: Family,
    /// How often there is noise, in tenths.
    pub(crate) tenths: u8,
}

/// The three kinds of noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Yield,
    Sleep10,
    Sleep100,
}

impl Family {
    pub(crate) const ALL: [Self; 3] = [Self::Yield, Self::Sleep10, Self::Sleep100];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Yield => "RND-y",
            Self::Sleep10 => "RND-s10",
            Self::Sleep100 => "RND-s100",
        }
    }

    fn kind(self) -> Kind {
        match self {
            Self::Yield => Kind::Yield,
            Self::Sleep10 => Kind::Sleep(Duration::from_millis(10)),
            Self::Sleep100 => Kind::Sleep(Duration::from_millis(100)),
        }
    }

    /// How many executions go on at the same time: few enough not to keep the processor busy, for
    /// sleep is what is to decide who comes first.
    fn at_a_time(self) -> usize {
        match self {
            Self::Yield => 1,
            Self::Sleep10 => 8,
            Self::Sleep100 => 80,
        }
    }
}

impl Setting {
    /// All fifteen.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let of = |family| (1..=5).map(move |tenths| Self { family, tenths });
        Family::ALL.into_iter().flat_map(of)
    }

    /// As the tables call it.
    pub(crate) fn name(self) -> String {
        format!("{} 0.{}", self.family.name(), self.tenths)
    }

    fn probability(self) -> f64 {
        f64::from(self.tenths) / 10.0
    }

    /// As the runner of test binaries reads it.
    pub(crate) fn series(self, seed: u64, executions: u64) -> String {
        let kind = match self.family.kind() {
            Kind::Yield => "yield".to_owned(),
            Kind::Sleep(most) => most.as_millis().to_string(),
        };
        let (probability, at_a_time) = (self.probability(), self.family.at_a_time());
        format!("{kind} {probability} {seed} {executions} {at_a_time}")
    }
}

/// What each of several runs has covered, of so many executions each.
pub(crate) fn runs(test: Test, setting: Setting, runs: u64, executions: u64) -> Vec<Pairs> {
    let run = |run| {
        let seed = run * executions;
        match test {
            Test::Here(test) => {
                let noise =
                    Noise { kind: setting.family.kind(), probability: setting.probability(), seed };
                let recorded = noise.run_all(executions, setting.family.at_a_time(), test);
                recorded.pairs.into_iter().map(Into::into).collect()
            }
            Test::OfCrate(name) => crates::noisy_run(name, setting, seed, executions),
        }
    };
    (0..runs).map(run).collect()
}
