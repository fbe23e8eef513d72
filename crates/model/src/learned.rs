//! What executions of a test have taught, for whoever goes on with it: another process, a later
//! run, or the record of a campaign.

use crate::{Growth, OperationKind, Requirement, Source, ThreadId};
use serde::{Deserialize, Serialize};

/// In how many executions a requirement was covered, as far as it matters: what is yet unseen is
/// estimated from what was seen once and twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Frequency {
    /// In one.
    Once,
    /// In two.
    Twice,
    /// In three or more.
    Often,
}

impl Frequency {
    /// In how many executions it was covered if these and others are counted together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Once, Self::Once) => Self::Twice,
            _ => Self::Often,
        }
    }
}

/// A requirement that was covered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoveredRequirement {
    /// What was covered.
    pub requirement: Requirement,
    /// In how many executions.
    pub frequency: Frequency,
    /// The first of them, counted from 1 over all that went before in the campaign.
    pub first: u64,
}

/// What one metric has seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearnedMetric {
    /// Its name, as in [`MetricReport`](crate::MetricReport).
    pub metric: String,
    /// What was covered; of a part of a campaign, what has become more frequent in it, with the
    /// number of executions of that part. What is known to be covered often is not told again.
    pub covered: Vec<CoveredRequirement>,
    /// How the number of covered requirements grew.
    pub growth: Vec<Growth>,
}

/// An operation as it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WrittenOperation {
    /// What it does.
    pub kind: OperationKind,
    /// Where it stands.
    pub source: Source,
}

/// An execution that was the first to show something, for others to go on from.
///
/// It is a hint and need not be run again to the letter: where a thread that was chosen can not run, another one does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusEntry {
    /// Who was chosen: threads, each with how many times in a row.
    pub chosen: Vec<(ThreadId, u32)>,
    /// What it has shown: operations of two threads, the second directly after the first on one object.
    pub pairs: Vec<(WrittenOperation, WrittenOperation)>,
}

/// What executions have taught.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// How many executions there were.
    pub executions: u64,
    /// How many steps they had together.
    pub steps: u64,
    /// What each metric that was kept has seen.
    pub metrics: Vec<LearnedMetric>,
    /// Executions that are worth going on from.
    pub corpus: Vec<CorpusEntry>,
}

impl Learned {
    /// Adds what later executions have taught.
    pub fn append(&mut self, later: Self) {
        let Self { executions, steps, metrics, corpus } = later;
        self.executions += executions;
        self.steps += steps;
        self.corpus.extend(corpus);
        for later in metrics {
            match self.metrics.iter_mut().find(|metric| metric.metric == later.metric) {
                Some(metric) => {
                    metric.covered.extend(later.covered);
                    metric.growth.extend(later.growth);
                }
                None => self.metrics.push(later),
            }
        }
    }
}
