//! How much there is left to see, as far as that can be told.

use crate::Requirement;
use serde::{Deserialize, Serialize};

/// What the setting `saturation` is for tests that were not written for Selvedge. The book says what
/// that loses and saves.
pub const SATURATION: u64 = 250;

/// What a strategy knows of the requirements that it aims at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guidance {
    /// The metric whose requirements they are.
    pub metric: String,
    /// How many of those that are thought to be possible were covered.
    pub covered: u64,
    /// Those that are thought to be possible and were not, sorted.
    pub uncovered: Vec<Requirement>,
}

/// What there is left to see for one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remaining {
    /// The metric.
    pub metric: String,
    /// How many requirements are covered.
    pub covered: u64,
    /// How many more there are by a statistical estimate: that of Chao, from those that were
    /// covered in one and in two executions.
    pub unseen: f64,
    /// How likely the next execution is to cover a new one, by Good and Turing.
    pub next: f64,
    /// The execution from which on nothing was gained, if that is so.
    pub saturated: Option<u64>,
}
