//! A test that is run again and again on ordinary threads, with noise.
//!
//! Asked for by a variable of the environment, since it is no exploration: nothing is controlled, and
//! nothing can be replayed. What comes of it are the synchronisation pairs that were covered.

use crate::{TestDescAndFn, body};
use selvedge_harness::Selection;
use selvedge_std::noise::{Kind, Noise};
use std::process::ExitCode;
use std::time::Duration;

/// Holds what [`Series::parse`] reads, if there is to be noise.
pub(crate) const VARIABLE: &str = "SELVEDGE_NOISE";

/// Executions with noise.
#[derive(Debug, PartialEq)]
struct Series {
    noise: Noise,
    executions: u64,
    at_a_time: usize,
}

impl Series {
    /// Reads `KIND PROBABILITY SEED EXECUTIONS AT-A-TIME`, where the kind is `yield`, or the most
    /// milliseconds of a sleep.
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(' ').collect();
        let [kind, probability, seed, executions, at_a_time] = words[..] else { return None };
        let kind = match kind {
            "yield" => Kind::Yield,
            most => Kind::Sleep(Duration::from_millis(most.parse().ok()?)),
        };
        let probability = probability.parse().ok()?;
        Some(Self {
            noise: Noise { kind, probability, seed: seed.parse().ok()? },
            executions: executions.parse().ok()?,
            at_a_time: at_a_time.parse().ok()?,
        })
    }
}

/// Runs the tests that the arguments choose as the variable says, and prints the pairs of each: a line
/// with two places.
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a test runner")]
pub(crate) fn run(
    tests: &[&TestDescAndFn],
    arguments: impl IntoIterator<Item = String>,
    series: &str,
) -> ExitCode {
    let Some(series) = Series::parse(series) else {
        eprintln!("error: {VARIABLE}={series} is not KIND PROBABILITY SEED EXECUTIONS AT-A-TIME");
        return ExitCode::FAILURE;
    };
    let selection = match Selection::parse(arguments) {
        Ok(selection) => selection,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    let Series { noise, executions, at_a_time } = series;
    for test in tests.iter().filter(|test| selection.includes(&test.info())) {
        let recorded = noise.run_all(executions, at_a_time, || body::run(test));
        for (first, second) in recorded.pairs {
            println!("pair\t{first}\t{second}");
        }
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_is_read_and_what_is_none_is_refused() {
        let noise =
            Noise { kind: Kind::Sleep(Duration::from_millis(10)), probability: 0.5, seed: 7 };
        let series = Series { noise, executions: 500, at_a_time: 8 };
        assert_eq!(Series::parse("10 0.5 7 500 8"), Some(series));
        assert_eq!(Series::parse("yield 0.5 7 500"), None);
        assert_eq!(Series::parse("never 0.5 7 500 8"), None);
    }
}
