//! When to stop: nothing new was seen for long.
//!
//! Source: the rule is that of Sherman, Dwyer and Elbaum, *Saturation-based testing of concurrent
//! programs* (FSE 2009), as Hong et al. (ISSTA 2012) use it: a line is fitted to the growth of
//! coverage over a window, and coverage is saturated when the line explains next to nothing of it.
//! How much is left is estimated by A. Chao, *Estimating the population size for capture-recapture
//! data with unequal catchability* (1987), from requirements that were covered in one and in two
//! executions, and how likely the next execution is to show something new by I. J. Good, *The
//! population frequencies of species and the estimation of population parameters* (1953).
//!
//! Deviations: (1) the window is a number of executions instead of a time, so that the same campaign
//! stops at the same execution on every machine; (2) every metric must be saturated, and at least one
//! must have seen something.
//!
//! May stop too early: where what is rare needs more executions than the window has. Where a
//! strategy follows what it has seen, executions are not independent, and the estimates say too
//! little rather than too much.

use selvedge_model::{Growth, Remaining};
use selvedge_observe::coverage::{Coverage, Standing};

/// A line that explains less of the growth than this says that there is none.
const EXPLAINED: f64 = 0.1;

/// Whether nothing new is to be expected of more executions.
pub(crate) fn is_reached(coverage: &Coverage, executions: u64, window: u64) -> bool {
    let mut seen_any = false;
    executions >= window
        && coverage.standings().all(|standing| {
            seen_any |= standing.covered > 0;
            is_flat(standing.growth, executions, window)
        })
        && seen_any
}

/// What is left to see after so many executions.
pub(crate) fn remaining(
    coverage: &Coverage,
    executions: u64,
    window: Option<u64>,
) -> Vec<Remaining> {
    let of = |standing: Standing<'_>| Remaining {
        unseen: chao(standing.once, standing.twice, executions),
        next: (standing.once as f64 / executions.max(1) as f64).min(1.0),
        saturated: window
            .filter(|&window| executions >= window && is_flat(standing.growth, executions, window))
            .map(|_| standing.growth.last().map_or(0, |growth| growth.execution)),
        covered: standing.covered,
        metric: standing.metric,
    };
    coverage.standings().map(of).collect()
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

/// Whether a line through the last executions of a growth curve explains next to nothing of it.
fn is_flat(growth: &[Growth], executions: u64, window: u64) -> bool {
    let first = executions - window + 1;
    let Some(last) = growth.last() else { return true };
    if last.execution <= first {
        return true;
    }
    // The number of covered requirements after each execution of the window.
    let mut at = growth.partition_point(|growth| growth.execution <= first);
    let mut covered = at.checked_sub(1).map_or(0, |before| growth[before].covered);
    let start = covered;
    let (mut sum, mut squares, mut products) = (0.0, 0.0, 0.0);
    for position in 0..window {
        while growth.get(at).is_some_and(|growth| growth.execution <= first + position) {
            covered = growth[at].covered;
            at += 1;
        }
        let gained = (covered - start) as f64;
        sum += gained;
        squares += gained * gained;
        products += gained * position as f64;
    }
    let count = window as f64;
    let mean = (count - 1.0) / 2.0;
    let spread = (count * count - 1.0) * count / 12.0;
    let variation = squares - sum * sum / count;
    let covariation = products - sum * mean;
    variation <= 0.0 || covariation * covariation / (spread * variation) < EXPLAINED
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(u64, u64)]) -> Vec<Growth> {
        points.iter().map(|&(execution, covered)| Growth { execution, covered }).collect()
    }

    #[test]
    fn steady_growth_is_not_flat_and_no_growth_is() {
        let steady: Vec<Growth> = (1..=200).map(|n| Growth { execution: n, covered: n }).collect();
        assert!(!is_flat(&steady, 200, 100));
        assert!(is_flat(&steady, 400, 100));
        assert!(is_flat(&[], 400, 100));
    }

    #[test]
    fn a_single_step_counts_while_it_is_well_inside_the_window() {
        let step = curve(&[(1, 10), (150, 11)]);
        assert!(!is_flat(&step, 200, 100));
        // It is about to leave the window.
        assert!(is_flat(&step, 248, 100));
    }

    #[test]
    fn what_was_seen_once_tells_of_what_was_not_seen() {
        assert_eq!(chao(0, 5, 100), 0.0);
        assert_eq!(chao(10, 5, 1_000_000).round(), 10.0);
        assert_eq!(chao(3, 0, 1_000_000).round(), 3.0);
        assert_eq!(chao(1, 0, 100), 0.0);
    }
}
