//! How the time of a suite is dealt out among its tests.
//!
//! People wait for the suite, not for a test. So a call has a time, and whoever begins gets an equal share of what is
//! left of it. A test that ends early leaves its share to those that follow.

use super::allotment::{Explore, checked};
use super::plan::Plan;
use selvedge_model::Config;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A test gets this much in any case: who comes late in a slow suite is explored, too.
const LEAST: Duration = Duration::from_millis(500);

/// The time of a suite that is being run.
#[derive(Debug)]
pub(crate) struct SuiteTime {
    /// When it is used up; never if nobody limits it.
    until: Option<Instant>,
    /// So many tests run at a time.
    at_a_time: usize,
    /// So many have not begun.
    left: AtomicUsize,
}

impl SuiteTime {
    /// The time begins now, for so many tests of a plan.
    pub(crate) fn begin(plan: &Plan, tests: usize, at_a_time: usize) -> Self {
        let until = of_plan(plan).map(|time| Instant::now() + time);
        Self { until, at_a_time, left: AtomicUsize::new(tests) }
    }

    /// The settings of the next test that begins, with its share of the time if they leave that open.
    pub(crate) fn next(&self, mut settings: Explore, own: &Explore) -> Explore {
        let left = self.left.fetch_sub(1, Ordering::Relaxed);
        if let Some(until) = self.until
            && is_open(own)
        {
            let time = until.saturating_duration_since(Instant::now());
            let most = checked(Config::default(), own).time;
            let share = share(time, self.at_a_time, left).min(most);
            settings.push(("time".to_owned(), format!("{}ms", share.as_millis())));
        }
        settings
    }
}

/// The part of the time that is left for one of the tests that are left.
fn share(time: Duration, at_a_time: usize, left: usize) -> Duration {
    let at_a_time = at_a_time.min(left).max(1);
    (time.mul_f64(at_a_time as f64) / u32::try_from(left.max(1)).unwrap_or(u32::MAX)).max(LEAST)
}

/// Whether settings do not say how much is spent on a test: neither how many executions nor how long.
fn is_open(settings: &Explore) -> bool {
    !settings.iter().any(|(key, _)| key == "executions" || key == "time")
}

/// The time of all tests together: the longest that one of the packages has, since all of them run in one call.
/// Nothing if one of them has no limit.
pub(crate) fn of_plan(plan: &Plan) -> Option<Duration> {
    let times = plan
        .binaries
        .iter()
        .map(|planned| checked(Config::default(), &planned.settings.explore).suite_time);
    times.collect::<Option<Vec<_>>>()?.into_iter().max()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn set(pairs: &[(&str, &str)]) -> Explore {
        pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn the_time_that_is_left_is_shared_by_the_tests_that_are_left() {
        assert_eq!(share(120 * SECOND, 2, 100), Duration::from_millis(2400));
        assert_eq!(share(60 * SECOND, 2, 4), 30 * SECOND);
        assert_eq!(share(60 * SECOND, 8, 1), 60 * SECOND, "the last one is alone");
    }

    #[test]
    fn who_comes_late_is_explored_all_the_same() {
        assert_eq!(share(Duration::ZERO, 2, 10), LEAST);
    }

    #[test]
    fn whoever_says_how_much_a_test_may_take_is_not_given_a_share() {
        let time = SuiteTime {
            until: Some(Instant::now() + 3600 * SECOND),
            at_a_time: 1,
            left: AtomicUsize::new(2),
        };
        let own = set(&[("seed", "3")]);
        assert_eq!(time.next(own.clone(), &own), set(&[("seed", "3"), ("time", "10000ms")]));
        for own in [set(&[("executions", "10")]), set(&[("time", "60s")])] {
            assert_eq!(time.next(own.clone(), &own), own);
        }
    }
}
