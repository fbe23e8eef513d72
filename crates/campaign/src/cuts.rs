//! Long tests: most of their executions are cut off.
//!
//! A stress test makes the same few operations a million times. One whole execution of it takes as long as the test
//! may take in all, and shows little that its beginning does not show. So if the first execution of a test with several
//! threads is not over after [`LONG`] steps, it ends there, and so do the following ones, most of them after
//! [`SHORT`] steps and some after more. When half of the time is over and there were [`FEWEST`] of them, or when
//! all of it is over, one whole execution says whether the test passes; what time is left goes to short ones again. If the whole one does
//! not end in time, whoever has asked for the exploration runs the test without control.
//!
//! A cut execution has no verdict. What has gone wrong before its end is a finding like any other: its schedule, run
//! again, comes to the same point, and nobody cuts it off.
//!
//! All of this is counted in steps, so it is the same on every machine, but for the moment of the whole execution.
//!
//! May miss: what shows only late in a long execution, but for what the whole one shows. May falsely report: nothing.
//!
//! An execution that is cut off is abandoned in the middle, so this needs executions that have memory and statics of
//! their own.

use selvedge_engine::Until;
use selvedge_model::{Config, Isolation, StrategyName, Toggle};
use std::time::Duration;

/// An execution that has so many steps is long.
const LONG: u64 = 20_000;
/// A short execution of a long test has about so many steps.
const SHORT: u64 = 2_048;
/// There are so many of them at least before the whole one, if there is time.
const FEWEST: u64 = 64;
/// The lengths of executions that are cut off, one after the other, as multiples of [`SHORT`].
const LENGTHS: [u64; 8] = [1, 1, 2, 1, 1, 4, 1, 8];

/// What is known of the length of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// Nothing yet.
    Nothing,
    /// Its executions are run to their end, because they are short or can not be cut off.
    Ends,
    /// It is long, and no execution has been run to its end.
    Long,
    /// It is long, and one execution was run to its end.
    LongAndEnds,
}

/// Says after how many steps executions are cut off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuts {
    known: Known,
    cut: u64,
}

impl Cuts {
    pub(crate) fn new(config: &Config) -> Self {
        let is_possible = config.isolation != Isolation::Off
            && config.strategy != StrategyName::Exhaustive
            && config.check_determinism == Toggle::Off;
        Self { known: if is_possible { Known::Nothing } else { Known::Ends }, cut: 0 }
    }

    /// How far the next execution goes, when so many have been run for so long.
    pub(crate) fn next(&self, config: &Config, executions: u64, elapsed: Duration) -> Until {
        let is_time = elapsed >= config.time
            || executions >= config.executions / 2
            || (elapsed >= config.time / 2 && self.cut >= FEWEST);
        match self.known {
            Known::Nothing => Until::Steps(LONG),
            Known::Ends => Until::TheEnd,
            Known::Long if is_time => Until::Asked,
            Known::Long | Known::LongAndEnds => {
                Until::Steps(LENGTHS[self.cut as usize % LENGTHS.len()] * SHORT)
            }
        }
    }

    /// An execution was cut off.
    pub(crate) fn was_cut(&mut self) {
        self.cut += 1;
        if self.known == Known::Nothing {
            self.known = Known::Long;
        }
    }

    /// An execution has come to its end.
    pub(crate) fn has_ended(&mut self, until: Until) {
        self.known = match (self.known, until) {
            (Known::Nothing | Known::Ends, _) => Known::Ends,
            // It was short by chance, and another may go wrong late.
            (Known::Long, Until::Steps(_)) => Known::Long,
            (Known::Long, Until::TheEnd | Until::Asked) | (Known::LongAndEnds, _) => {
                Known::LongAndEnds
            }
        };
    }

    /// Whether those executions that were cut off, if any, are not all there were, so that there is a verdict.
    pub(crate) fn is_judged(&self) -> bool {
        match self.known {
            Known::Long => false,
            Known::Nothing | Known::Ends | Known::LongAndEnds => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Config {
        Config { isolation: Isolation::On, ..Config::default() }
    }

    #[test]
    fn a_short_test_is_never_cut_off_again() {
        let config = config();
        let mut cuts = Cuts::new(&config);
        assert_eq!(cuts.next(&config, 0, Duration::ZERO), Until::Steps(LONG));
        cuts.has_ended(Until::Steps(LONG));
        assert_eq!(cuts.next(&config, 1, Duration::ZERO), Until::TheEnd);
        assert!(cuts.is_judged());
    }

    #[test]
    fn a_long_test_is_judged_by_one_whole_execution() {
        let config = config();
        let mut cuts = Cuts::new(&config);
        cuts.was_cut();
        assert!(!cuts.is_judged());
        assert_eq!(cuts.next(&config, 1, config.time / 2), Until::Steps(SHORT));
        assert_eq!(cuts.next(&config, 30, config.time), Until::Asked);
        assert_eq!(cuts.next(&config, config.executions, Duration::ZERO), Until::Asked);
        cuts.has_ended(Until::Asked);
        assert!(cuts.is_judged() && cuts.next(&config, 31, config.time) != Until::Asked);
    }

    #[test]
    fn nothing_is_cut_off_that_would_leave_something_behind() {
        let config = Config { isolation: Isolation::Off, ..Config::default() };
        assert_eq!(Cuts::new(&config).next(&config, 0, Duration::ZERO), Until::TheEnd);
    }
}
