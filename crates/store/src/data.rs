//! What is kept of campaigns, as plain data.

use selvedge_model::{
    Conditions, CoveredRequirement, Growth, Remaining, Requirement, Stopped, Warning,
};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The number of a campaign, which is the same in every file that it was merged into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CampaignId(pub i64);

/// As file names have it.
impl fmt::Display for CampaignId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The number of a run: one test in one campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunId(pub i64);

/// A slice of a run, counted from 0: the executions of one process, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SliceNumber(pub i64);

/// A moment, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Time(pub u64);

impl Time {
    /// This moment. A clock that stands before 1970 is as good as one that stands there.
    pub fn now() -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self(since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX)))
    }
}

/// Whether the sources were those of the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Tree {
    /// They were.
    Clean,
    /// They had been changed since.
    Changed,
}

/// The state of the user's repository.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Commit {
    /// The name of the commit.
    pub id: String,
    /// Whether the sources were those of the commit.
    pub tree: Tree,
}

/// One of several parts of a campaign that run apart, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Shard {
    /// Which one.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

impl Shard {
    /// More shards than this nobody has.
    pub const MOST: u32 = 1 << 16;
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// What was given is no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected i/n with i from 1 to n, such as 2/4")]
pub struct NoShard;

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (index, count) = text.split_once('/').ok_or(NoShard)?;
        let number = |text: &str| text.parse().map_err(|_| NoShard);
        let (index, count) = (number(index)?, number(count)?);
        match 1 <= index && index <= count && count <= Self::MOST {
            true => Ok(Self { index, count }),
            false => Err(NoShard),
        }
    }
}

/// A campaign that is about to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCampaign {
    /// The state of the user's repository, if it is a checkout.
    pub commit: Option<Commit>,
    /// The compiler that built the tests.
    pub toolchain: String,
    /// Which part of a larger campaign it is, if it is one.
    pub part: Option<PartOf>,
}

/// What a shard is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOf {
    /// Which part.
    pub shard: Shard,
    /// A number that all parts have in common.
    pub family: i64,
}

/// A campaign: all executions of one call of the command, and of those that went on with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Campaign {
    /// Its number.
    pub id: CampaignId,
    /// The number that all shards of a campaign have in common; that of the campaign itself if it
    /// is not made of shards.
    pub family: i64,
    /// Which of the shards it is, if it is one.
    pub shard: Option<Shard>,
    /// When it began.
    pub began: Time,
    /// When it came to its end. Nothing if it was killed, or is still going on.
    pub ended: Option<Time>,
    /// The state of the user's repository, if it was a checkout.
    pub commit: Option<Commit>,
    /// The version of the command.
    pub selvedge: String,
    /// The compiler that built the tests.
    pub toolchain: String,
}

/// Which test it is, wherever it is run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TestName {
    /// The package.
    pub package: String,
    /// The name of cargo's target.
    pub target: String,
    /// The kind of cargo's target.
    pub kind: String,
    /// Its path within the target.
    pub name: String,
}

/// How a test is explored that is about to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRun {
    /// The test.
    pub test: TestName,
    /// A number that is made of the test binary: knowledge of another one is of no use to it.
    pub build: u64,
    /// The settings that differ from the defaults.
    pub settings: Vec<(String, String)>,
    /// Who decides which thread goes next.
    pub strategy: String,
    /// Where all randomness comes from.
    pub seed: u64,
}

/// Why a test is explored no longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Ending {
    /// The exploration came to its end.
    Stopped(Stopped),
    /// The test process died; says how.
    Died(String),
    /// The test could not be explored; says why.
    Failed(String),
}

/// One test in one campaign.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// The campaign.
    pub campaign: CampaignId,
    /// The test.
    pub test: TestName,
    /// A number that is made of the test binary.
    pub build: u64,
    /// The settings that differ from the defaults.
    pub settings: Vec<(String, String)>,
    /// Who decided which thread goes next.
    pub strategy: String,
    /// Where all randomness came from.
    pub seed: u64,
    /// How many executions there were.
    pub executions: u64,
    /// How many steps they had together.
    pub steps: u64,
    /// How long they took together.
    pub milliseconds: u64,
    /// The most threads that any of them had, if the exploration came to its end.
    pub threads: u64,
    /// Why the exploration stopped; nothing if it was killed or is still going on.
    pub ending: Option<Ending>,
    /// What looked wrong although no execution has failed for it.
    pub warnings: Vec<Warning>,
    /// Under which conditions its executions ran.
    pub conditions: Conditions,
}

/// The executions of one process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Slice {
    /// Where its randomness came from.
    pub seed: u64,
    /// When it began.
    pub began: Time,
    /// How many executions.
    pub executions: u64,
    /// How many steps they had together.
    pub steps: u64,
    /// How long they took.
    pub milliseconds: u64,
}

/// What one metric has seen of a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The metric, with its level of identity if that is not the usual one.
    pub metric: String,
    /// What was covered, in how many executions and first in which, in the order of being covered.
    pub covered: Vec<CoveredRequirement>,
    /// What the metric or the strategy thinks possible and nobody has seen, sorted.
    pub uncovered: Vec<Requirement>,
    /// How the number of covered requirements grew.
    pub growth: Vec<Growth>,
    /// What is known of it once the exploration has come to its end.
    pub summary: Option<MetricSummary>,
    /// How much there is left to see, if that was estimated.
    pub remaining: Option<Remaining>,
}

/// What is said of a metric when an exploration has come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MetricSummary {
    /// What the covered requirements count for together, if the metric weighs them.
    pub weight: Option<u64>,
    /// How many requirements an execution covered, in the mean.
    pub average: f64,
    /// How many of the requirements that the strategy thinks possible were covered, if it aims at
    /// those of this metric.
    pub aimed: Option<u64>,
}

/// Something that was found in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// The name of the finding.
    pub id: String,
    /// The name of its kind.
    pub kind: String,
    /// What it is, in a line.
    pub headline: String,
    /// In which execution of the run, counted from 1.
    pub execution: u64,
}

/// A finding with all that is needed to show and replay it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFinding {
    /// Its name.
    pub id: String,
    /// The name of its kind.
    pub kind: String,
    /// What it is, in a line.
    pub headline: String,
    /// The text of `finding.json`.
    pub json: String,
    /// The text of `explanation.txt`.
    pub explanation: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_one_of_those_that_there_are() {
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, count: 4 }));
        for bad in ["", "2", "0/4", "5/4", "1/0", "a/b", "-1/2"] {
            assert_eq!(bad.parse::<Shard>(), Err(NoShard), "{bad}");
        }
    }
}
