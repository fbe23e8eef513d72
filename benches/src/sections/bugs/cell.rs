//! One cell of the tables: what came of one way of searching for one bug.

use crate::engines::Search;
use crate::figures::{NONE, plain};
use std::ops::Range;

/// The searches with different seeds, taken together.
#[derive(Default)]
pub(super) struct Cell {
    searches: u64,
    found: u64,
    /// With those of the searches that were given up, so that giving up does not look cheap.
    executions: u64,
    failure: Option<&'static str>,
}

impl Cell {
    /// Searches once for each seed.
    pub(super) fn new(seeds: Range<u64>, search: impl Fn(u64) -> Search) -> Self {
        let mut cell = Self::default();
        for seed in seeds {
            cell.searches += 1;
            match search(seed) {
                Search::Found(executions) => {
                    cell.found += 1;
                    cell.executions += executions;
                }
                Search::Exhausted(executions) | Search::GaveUp(executions) => {
                    cell.executions += executions;
                }
                Search::Failed(what) => cell.failure = Some(what),
            }
        }
        cell
    }

    /// Executions until the bug is found, on average.
    pub(super) fn mean(&self) -> f64 {
        if self.found == 0 || self.failure.is_some() {
            return f64::INFINITY;
        }
        self.executions as f64 / self.searches as f64
    }

    pub(super) fn shown(&self) -> String {
        match (self.failure, self.found) {
            (Some(what), _) => format!("**{what}**"),
            (None, 0) => NONE.to_owned(),
            (None, found) if found == self.searches => plain(self.mean()),
            (None, found) => format!("{} ({found}/{})", plain(self.mean()), self.searches),
        }
    }
}

/// The cell of a search that has no seed.
pub(super) fn once(search: Search) -> String {
    match search {
        Search::Found(executions) => executions.to_string(),
        Search::Exhausted(executions) => format!("none in all {executions}"),
        Search::GaveUp(executions) => format!("{NONE} ({executions})"),
        Search::Failed(what) => format!("**{what}**"),
    }
}
