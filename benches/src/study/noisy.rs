//! Runs on ordinary threads, with noise: the random testing that the source is compared with.

use super::pair::Pairs;
use selvedge::noise::{Kind, Noise};
use selvedge_model::Site;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
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
}

/// What each of several runs has covered, of so many executions each. Executions do not learn from
/// each other, so they need not run one after the other.
pub(crate) fn runs(test: fn(), setting: Setting, runs: u64, executions: u64) -> Vec<Pairs> {
    let covered: Vec<Mutex<BTreeSet<(Site, Site)>>> = (0..runs).map(|_| Mutex::default()).collect();
    let next = AtomicU64::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(run) = covered.get((number / executions) as usize) else { break };
            let probability = f64::from(setting.tenths) / 10.0;
            let noise = Noise { kind: setting.family.kind(), probability, seed: number };
            let ((), recorded) = noise.run(test);
            let mut run = run.lock().expect("nobody panics with it");
            run.extend(recorded.pairs);
        }
    };
    thread::scope(|scope| {
        for _ in 0..setting.family.at_a_time() {
            scope.spawn(work);
        }
    });
    let runs = covered.into_iter().map(|run| run.into_inner().expect("nobody panics with it"));
    runs.map(|run| run.into_iter().map(Into::into).collect()).collect()
}
