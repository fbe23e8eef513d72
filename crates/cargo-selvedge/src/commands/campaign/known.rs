//! What was known of the tests before they were run: findings of earlier runs, and those that were accepted.

use crate::findings::{AllEarlier, Built, Earlier, How, Id, Origin, Regressions, Store, Tried};
use crate::project::Project;
use crate::run::{Outcome, Planned};
use selvedge_model::Verdict;
use std::collections::BTreeMap;

/// Which findings of earlier runs are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TryFirst {
    /// All that are pinned or kept.
    All,
    /// None: the tests are explored as if nothing had been found before.
    Nothing,
}

/// What was known before.
#[derive(Debug)]
pub(super) struct Known {
    earlier: AllEarlier,
    /// Why a finding is no reason to fail.
    accepted: BTreeMap<Id, String>,
    /// How many were tried.
    tried: usize,
    /// How many of these showed something.
    again: usize,
}

impl Known {
    pub(super) fn of(project: &Project, store: &Store, first: TryFirst) -> anyhow::Result<Self> {
        let regressions = Regressions::of(project.root());
        let accepted = regressions.all()?.into_iter();
        let accepted = accepted.filter_map(|(id, one)| Some((id, one.accepted?))).collect();
        let earlier = match first {
            TryFirst::All => AllEarlier::of(&regressions, store)?,
            TryFirst::Nothing => AllEarlier::default(),
        };
        Ok(Self { earlier, accepted, tried: 0, again: 0 })
    }

    /// What is to be tried before a test is explored.
    pub(super) fn first(&self, planned: &Planned, test: &str, built: &Built) -> Vec<Earlier> {
        self.earlier.of_test(&planned.binary, test, built)
    }

    /// Why a finding is no reason to fail, if somebody has accepted it.
    pub(super) fn accepted(&self, id: &Id) -> Option<&str> {
        self.accepted.get(id).map(String::as_str)
    }

    /// Marks what does not show any more, and says what is news of it.
    pub(super) fn settle(
        &mut self,
        store: &Store,
        tried: &[Tried],
        outcome: &Outcome,
        shown: Option<&Id>,
    ) -> anyhow::Result<Vec<String>> {
        let mut news = Vec::new();
        for Tried { id, origin, how } in tried {
            self.tried += 1;
            self.again += usize::from(*how == How::Fails);
            let Some(why) = why_fixed(how, outcome).filter(|_| shown != Some(id)) else { continue };
            let is_news = store.mark_fixed(id, &why)?;
            if is_news && *origin == Origin::Kept {
                news.push(format!("[{id}] does not show any more: {why}"));
            }
        }
        Ok(news)
    }

    /// How many were tried and came again, if any was tried.
    pub(super) fn sentence(&self) -> Option<String> {
        let Self { tried, again, .. } = *self;
        let findings = if tried == 1 { "finding" } else { "findings" };
        (tried > 0).then(|| {
            format!("{tried} {findings} of earlier runs tried first, {again} failed again")
        })
    }
}

/// How it is known that something is fixed, if it is. An execution along the old schedule that goes well says so.
/// Where the schedule does not fit, the exploration has to have looked.
fn why_fixed(how: &How, outcome: &Outcome) -> Option<String> {
    match (how, outcome) {
        (How::Passes, _) => Some("its schedule passes".to_owned()),
        (How::Misfit, Outcome::Explored(report)) if report.finding.is_none() => {
            match report.verdict() {
                Verdict::Unfinished | Verdict::Plain | Verdict::OwnMemory | Verdict::Long => None,
                _ => {
                    let executions = report.executions;
                    let did = if executions == 1 { "execution does" } else { "executions do" };
                    Some(format!(
                        "its schedule does not fit any more, and {executions} {did} not show it"
                    ))
                }
            }
        }
        (How::Misfit | How::Fails, _) => None,
    }
}
