//! What was covered, what was not, and by whom.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a metric has seen of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// What it counts, in a line; empty if this version does not know it.
    pub about: String,
    /// How many requirements were covered.
    pub covered_count: u64,
    /// How many are known to be possible and were not covered.
    pub uncovered_count: u64,
    /// Those that were covered. A page may have the first of them only.
    pub covered: Vec<Requirement>,
    /// Those that were not covered. A page may have the first of them only.
    pub uncovered: Vec<Requirement>,
    /// How many were covered after which execution, wherever that changed.
    pub growth: Vec<Growth>,
    /// How much there is left to see, if that was estimated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining: Option<Remaining>,
}

/// A point of a growth curve: after so many executions, so many requirements were covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Growth(pub u64, pub u64);

/// How much there is left to see.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Remaining {
    /// How many more requirements there are by a statistical estimate.
    pub unseen: f64,
    /// How likely the next execution is to cover a new one.
    pub next: f64,
    /// The execution from which on nothing was gained, if that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saturated: Option<u64>,
}

/// Something that executions can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Requirement {
    /// What it is made of, in the order of the metric's definition.
    pub parts: Vec<Part>,
}

impl Requirement {
    /// The first place that it names.
    pub fn place(&self) -> Option<usize> {
        self.parts.iter().find_map(|part| part.place)
    }
}

/// An element of a requirement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// In words, such as `then` or `on mutex of`; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The place that follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
}

/// What a strategy has done in a test, in its last run of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Strategy {
    /// Its name.
    pub name: String,
    /// How many executions it had.
    pub executions: u64,
    /// How many findings it met.
    pub findings: u64,
    /// How it did in each metric.
    pub metrics: Vec<Reached>,
}

/// What a strategy has covered of a metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reached {
    /// The metric.
    pub metric: String,
    /// How many requirements it covered.
    pub covered: u64,
    /// How that grew.
    pub growth: Vec<Growth>,
}
