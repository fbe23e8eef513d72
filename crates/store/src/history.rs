//! What was found and covered from campaign to campaign, and what no longer is.

use crate::data::{Campaign, Commit, Found, Run, TestName, Time};
use crate::moved::{Moved, comparable};
use crate::{Database, Places, StoreError};
use selvedge_model::{Requirement, Stopped};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What is to be shown.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Only tests with this text in their names.
    pub test: Option<String>,
    /// At most so many campaigns, the last ones.
    pub last: Option<usize>,
    /// Compare with campaigns of the commit whose name begins like this, instead of the campaign
    /// before the last one.
    pub against: Option<String>,
}

/// What became of tests over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct History {
    /// The campaigns, the oldest first. Shards of one are one.
    pub campaigns: Vec<Entry>,
    /// What was found in any of them, by test.
    pub findings: Vec<FindingHistory>,
    /// What was covered before and is not any more, by test and metric.
    pub lost: Vec<Lost>,
}

/// A campaign.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// When it began.
    pub began: Time,
    /// The state of the user's repository, if it was a checkout.
    pub commit: Option<Commit>,
    /// Whether it came to its end.
    pub complete: bool,
    /// How many tests were explored.
    pub tests: usize,
    /// How many executions there were.
    pub executions: u64,
    /// How many findings there were.
    pub findings: usize,
    /// How many requirements were covered, by metric, counted in each test.
    pub covered: BTreeMap<String, u64>,
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum State {
    /// It was found in the last campaign of its test, and in none before.
    New,
    /// It was found in the last campaign of its test, as before.
    Still,
    /// It was found before, and the last campaign of its test came to its end without.
    Gone,
    /// It was found before; the last campaign of its test has stopped at something else, or was
    /// stopped.
    Unknown,
}

/// A finding over time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingHistory {
    /// Its name.
    pub id: String,
    /// The test.
    pub test: TestName,
    /// What it is, in a line.
    pub headline: String,
    /// What became of it.
    pub state: State,
    /// The first campaign that found it, by its position.
    pub first: usize,
    /// The last one that did.
    pub last: usize,
    /// The last campaign in which its test was explored.
    pub explored: usize,
}

/// A requirement that was covered and is not any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// The test.
    pub test: TestName,
    /// The metric.
    pub metric: String,
    /// What is not covered any more.
    pub requirement: Requirement,
    /// The campaign in which it was, by its position.
    pub before: usize,
    /// The campaign in which it is not.
    pub now: usize,
}

/// One test in one campaign of the history.
struct Explored {
    entry: usize,
    runs: Vec<Run>,
    found: Vec<Found>,
}

impl Database {
    /// What became of tests over time.
    pub fn history(&self, question: &Question) -> Result<History, StoreError> {
        let mut entries = self.whole_campaigns()?;
        let last = question.last.unwrap_or(usize::MAX);
        entries.drain(..entries.len().saturating_sub(last));
        let mut history = History::default();
        let mut tests: BTreeMap<TestName, Vec<Explored>> = BTreeMap::new();
        for (entry, shards) in entries.iter().enumerate() {
            history.campaigns.push(self.entry(entry, shards, question, &mut tests)?);
        }
        for (test, explored) in &tests {
            findings(test, explored, &mut history.findings);
            self.lost(test, explored, question, &mut history)?;
        }
        Ok(history)
    }

    fn entry(
        &self,
        entry: usize,
        shards: &[Campaign],
        question: &Question,
        tests: &mut BTreeMap<TestName, Vec<Explored>>,
    ) -> Result<Entry, StoreError> {
        let mut sum = Entry {
            began: shards.iter().map(|shard| shard.began).min().unwrap_or(Time(0)),
            commit: shards.iter().find_map(|shard| shard.commit.clone()),
            complete: shards.iter().all(|shard| shard.ended.is_some()),
            tests: 0,
            executions: 0,
            findings: 0,
            covered: BTreeMap::new(),
        };
        let mut by_test: BTreeMap<TestName, Explored> = BTreeMap::new();
        for shard in shards {
            for run in self.runs(shard.id)? {
                let asked = question.test.as_ref();
                if asked.is_some_and(|part| !run.test.name.contains(part.as_str())) {
                    continue;
                }
                sum.executions = sum.executions.saturating_add(run.executions);
                let explored = by_test.entry(run.test.clone());
                let explored = explored.or_insert_with(|| Explored {
                    entry,
                    runs: Vec::new(),
                    found: Vec::new(),
                });
                explored.found.extend(self.found(run.id)?);
                explored.runs.push(run);
            }
        }
        for (test, explored) in by_test {
            sum.tests += 1;
            let ids: BTreeSet<_> = explored.found.iter().map(|found| &found.id).collect();
            sum.findings += ids.len();
            for (metric, count) in self.counts(&explored.runs)? {
                let covered = sum.covered.entry(metric).or_default();
                *covered = covered.saturating_add(count);
            }
            tests.entry(test).or_default().push(explored);
        }
        Ok(sum)
    }

    /// How many requirements several runs have covered together, by metric.
    fn counts(&self, runs: &[Run]) -> Result<Vec<(String, u64)>, StoreError> {
        let ids: Vec<_> = runs.iter().map(|run| run.id.0.to_string()).collect();
        let query = format!(
            "SELECT metrics.name, count(DISTINCT requirement) FROM covered \
             JOIN requirements ON requirements.id = requirement \
             JOIN metrics ON metrics.id = metric WHERE run IN ({}) GROUP BY metrics.id",
            ids.join(", ")
        );
        self.look(|file| {
            let mut query = file.prepare(&query)?;
            let count = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64));
            query.query_map([], count)?.collect()
        })
    }

    /// What was covered before and is not any more.
    fn lost(
        &self,
        test: &TestName,
        explored: &[Explored],
        question: &Question,
        history: &mut History,
    ) -> Result<(), StoreError> {
        let Some((now, earlier)) = explored.split_last() else { return Ok(()) };
        let commits = &history.campaigns;
        let wanted = |one: &&Explored| match (&question.against, &commits[one.entry].commit) {
            (None, _) => true,
            (Some(beginning), Some(commit)) => commit.id.starts_with(beginning.as_str()),
            (Some(_), None) => false,
        };
        let Some(before) = earlier.iter().rev().find(wanted) else { return Ok(()) };
        let (was, is) = (self.covered_by(&before.runs)?, self.covered_by(&now.runs)?);
        for (metric, was) in was {
            let Some(is) = is.get(&metric) else { continue };
            let moved = Moved::of(&was, is);
            let is: BTreeSet<Requirement> = is.iter().map(comparable).collect();
            for requirement in was {
                let same = comparable(&requirement);
                let there = is.contains(&same)
                    || moved.follow(&same).is_some_and(|moved| is.contains(&moved));
                if !there {
                    let (test, metric) = (test.clone(), metric.clone());
                    let (before, now) = (before.entry, now.entry);
                    history.lost.push(Lost { test, metric, requirement, before, now });
                }
            }
        }
        Ok(())
    }

    fn covered_by(
        &self,
        runs: &[Run],
    ) -> Result<BTreeMap<String, BTreeSet<Requirement>>, StoreError> {
        let mut all: BTreeMap<String, BTreeSet<Requirement>> = BTreeMap::new();
        for run in runs {
            for metric in self.measured(run.id, Places::Lines)? {
                let covered = metric.covered.into_iter().map(|covered| covered.requirement);
                all.entry(metric.metric).or_default().extend(covered);
            }
        }
        Ok(all)
    }
}

/// What became of the findings of a test.
fn findings(test: &TestName, explored: &[Explored], all: &mut Vec<FindingHistory>) {
    let Some(now) = explored.last() else { return };
    let mut ids: Vec<&str> = Vec::new();
    for found in explored.iter().flat_map(|one| &one.found) {
        if !ids.contains(&found.id.as_str()) {
            ids.push(&found.id);
        }
    }
    for id in ids {
        let with = |one: &&Explored| one.found.iter().any(|found| found.id == id);
        let mut those = explored.iter().filter(with);
        let Some(first) = those.next() else { continue };
        let last = those.next_back().unwrap_or(first);
        let in_last = with(&now);
        let state = match () {
            () if in_last && first.entry == now.entry => State::New,
            () if in_last => State::Still,
            () if now.runs.iter().all(came_to_an_end) && now.found.is_empty() => State::Gone,
            () => State::Unknown,
        };
        let headline = last.found.iter().find(|found| found.id == id);
        all.push(FindingHistory {
            id: id.to_owned(),
            test: test.clone(),
            headline: headline.map(|found| found.headline.clone()).unwrap_or_default(),
            state,
            first: first.entry,
            last: last.entry,
            explored: now.entry,
        });
    }
}

/// Whether a run has explored all that it was to.
fn came_to_an_end(run: &Run) -> bool {
    use crate::data::Ending;
    matches!(&run.ending, Some(Ending::Stopped(stopped)) if *stopped != Stopped::Found)
}
