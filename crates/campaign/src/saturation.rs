//! When to stop: every order that comes has been seen, and that for long.
//!
//! What an execution shows is its order ([`Orders`]): two executions with the same one behave alike. As
//! long as new orders come, more executions can show more, so an exploration is saturated when none
//! has come for long. *Long* is measured by what was needed for the last one: whatever is rare among
//! what was seen was seen late, and what was not seen yet is rarer. Where there is little to see this
//! takes a few hundred executions; where there is much, the budget is used up first.
//!
//! Source: our own. How much is left is estimated by A. Chao, *Estimating the population size for
//! capture-recapture data with unequal catchability* (1987), from what was seen in one and in two
//! executions, and how likely the next execution is to show something new by I. J. Good, *The population
//! frequencies of species and the estimation of population parameters* (1953).
//!
//! May stop too early: where an order is much rarer than all that were seen. The book has what that
//! comes to (`cargo run --release -p selvedge-benches -- saturation`). Where a strategy follows what it
//! has seen, executions are not independent, and the estimates say too little rather than too much.

use selvedge_model::{Record, Remaining};
use selvedge_observe::coverage::{Coverage, Standing};
use selvedge_strategy::{Orders, Sight};

/// What [`Remaining`] calls the orders, beside the metrics.
const ORDERS: &str = "orders";

/// So many times as many executions as the last new thing has taken show nothing new.
const PATIENCE: u64 = 8;

/// How far the executions of a test have come.
pub(crate) struct Saturation {
    /// So many executions show nothing new, at least.
    window: u64,
    orders: Orders,
    /// How many requirements all metrics have covered together.
    covered: usize,
    executions: u64,
    /// The execution that has shown something new last.
    last: u64,
}

/// Whether all of an execution is on record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// It is.
    Whole,
    /// It was too long for that.
    Cut,
}

impl Saturation {
    pub(crate) fn new(window: u64) -> Self {
        Self { window, orders: Orders::default(), covered: 0, executions: 0, last: 0 }
    }

    /// An execution is over.
    pub(crate) fn see(&mut self, record: &Record<'_>, extent: Extent, coverage: Option<&Coverage>) {
        self.executions += 1;
        let covered = coverage.map_or(0, |coverage| coverage.counts().sum());
        let grown = std::mem::replace(&mut self.covered, covered) != covered;
        let sight = self.orders.see(record);
        // What is not on record can not be judged.
        if sight == Sight::New || grown || extent == Extent::Cut {
            self.last = self.executions;
        }
    }

    /// Whether nothing new is to be expected of more executions.
    pub(crate) fn is_reached(&self) -> bool {
        self.orders.are_all() && is_long_ago(self.last, self.executions, self.window)
    }

    /// How many orders were seen, and how many are left.
    pub(crate) fn orders(&self) -> Remaining {
        let (once, twice) = self.orders.rare();
        Remaining {
            metric: ORDERS.to_owned(),
            covered: self.orders.count(),
            unseen: chao(once, twice, self.executions),
            next: good_turing(once, self.executions),
            saturated: self.is_reached().then_some(self.last),
        }
    }
}

/// What each metric has left to see after so many executions.
pub(crate) fn remaining(
    coverage: Option<&Coverage>,
    executions: u64,
    window: Option<u64>,
) -> Vec<Remaining> {
    let of = |standing: Standing<'_>| {
        let last = standing.growth.last().map_or(0, |growth| growth.execution);
        let over = window.is_some_and(|window| is_long_ago(last, executions, window));
        Remaining {
            unseen: chao(standing.once, standing.twice, executions),
            next: good_turing(standing.once, executions),
            saturated: over.then_some(last),
            covered: standing.covered,
            metric: standing.metric,
        }
    };
    coverage.into_iter().flat_map(Coverage::standings).map(of).collect()
}

/// Whether the last new thing was seen so long ago that nothing new is to be expected.
fn is_long_ago(last: u64, executions: u64, window: u64) -> bool {
    executions.saturating_sub(last) >= window.max(PATIENCE.saturating_mul(last))
}

/// Chao's estimate for incidences: how many more there are than were seen.
fn chao(once: u64, twice: u64, executions: u64) -> f64 {
    let (once, twice, executions) = (once as f64, twice as f64, executions.max(1) as f64);
    let unseen = match twice > 0.0 {
        true => once * once / (2.0 * twice),
        false => once * (once - 1.0) / 2.0,
    };
    unseen.max(0.0) * (executions - 1.0) / executions
}

/// The estimate of Good and Turing: how likely the next execution is to show something new.
fn good_turing(once: u64, executions: u64) -> f64 {
    (once as f64 / executions.max(1) as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_late_is_waited_for_longer() {
        assert!(is_long_ago(0, 100, 100));
        assert!(!is_long_ago(1, 100, 100));
        assert!(is_long_ago(10, 110, 100));
        let needed = 1_000 * (PATIENCE + 1);
        assert!(!is_long_ago(1_000, needed - 1, 100));
        assert!(is_long_ago(1_000, needed, 100));
    }

    #[test]
    fn what_was_seen_once_tells_of_what_was_not_seen() {
        assert_eq!(chao(0, 5, 100), 0.0);
        assert_eq!(chao(10, 5, 1_000_000).round(), 10.0);
        assert_eq!(chao(3, 0, 1_000_000).round(), 3.0);
        assert_eq!(chao(1, 0, 100), 0.0);
    }
}
