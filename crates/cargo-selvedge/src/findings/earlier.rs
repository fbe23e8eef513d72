//! Findings of earlier runs, which are tried before a test is explored: whoever has just changed something
//! wants to know first whether what was wrong is still wrong.

use super::regression::for_schedule;
use super::{Built, Id, Regressions, Store};
use crate::compile::Binary;
use selvedge_model::Schedule;

/// So many are tried for each test. More are those of a test that fails in a new way every time.
const MOST: usize = 20;

/// A finding of an earlier run, as much of it as it takes to see whether it is still there.
#[derive(Clone, Debug)]
pub(crate) struct Earlier {
    /// What it is called.
    pub(crate) id: Id,
    /// Where it comes from.
    pub(crate) origin: Origin,
    /// The schedule that showed it.
    pub(crate) schedule: Schedule,
    /// The settings that the schedule needs.
    pub(crate) settings: Vec<(String, String)>,
    package: String,
    target: String,
    kind: String,
    test: String,
    built: Built,
}

/// Where a finding comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It is committed with the sources.
    Pinned,
    /// It was kept in the target folder.
    Kept,
}

/// What came of trying one.
#[derive(Clone, Debug)]
pub(crate) struct Tried {
    /// Which one.
    pub(crate) id: Id,
    /// Where it comes from.
    pub(crate) origin: Origin,
    /// What came of it.
    pub(crate) how: How,
}

/// What came of running an earlier schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Something went wrong.
    Fails,
    /// Nothing went wrong.
    Passes,
    /// The schedule does not fit the test any more; what was left of it went well.
    Misfit,
}

/// Everything that may be tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllEarlier(Vec<Earlier>);

impl AllEarlier {
    /// What is committed, and then what was kept. What was accepted is left to the exploration: it would
    /// stand before everything else.
    ///
    /// What was kept and can not be read is left out: it is told of by whoever keeps the next finding there.
    pub(crate) fn of(regressions: &Regressions, store: &Store) -> anyhow::Result<Self> {
        let mut all = Vec::new();
        let mut known = Vec::new();
        for (id, regression) in regressions.all()? {
            known.push(id.clone());
            if regression.accepted.is_some() {
                continue;
            }
            all.push(Earlier {
                id,
                origin: Origin::Pinned,
                schedule: regression.schedule()?,
                settings: regression.settings()?,
                built: regression.built().clone(),
                package: regression.package,
                target: regression.target,
                kind: regression.kind,
                test: regression.test,
            });
        }
        let kept = store
            .all()
            .unwrap_or_default()
            .into_iter()
            .filter_map(|(id, kept)| Some((id, kept.ok()?)));
        for (id, kept) in kept.filter(|(id, _)| !known.contains(id)) {
            // A finding from elsewhere has no say in more than a replay needs.
            let Ok(settings) = kept.replay_settings() else { continue };
            all.push(Earlier {
                id,
                origin: Origin::Kept,
                settings: for_schedule(&settings),
                schedule: kept.finding.schedule,
                built: kept.built,
                package: kept.package,
                target: kept.target,
                kind: kept.target_kind,
                test: kept.test,
            });
        }
        Ok(Self(all))
    }

    /// Those of a test that is built in this way. One that was built otherwise, with other features or without
    /// watching memory, may pass for that reason alone.
    pub(crate) fn of_test(&self, binary: &Binary, test: &str, built: &Built) -> Vec<Earlier> {
        let is_of = |one: &&Earlier| {
            (one.package.as_str(), one.target.as_str(), one.kind.as_str(), one.test.as_str())
                == (&binary.package_name, &binary.target, &binary.kind, test)
        };
        let built_so = |one: &&Earlier| one.built == *built;
        self.0.iter().filter(is_of).filter(built_so).take(MOST).cloned().collect()
    }
}
