//! One search for a bug: how far it gets, and where it would have stopped.

use crate::clock::processor_time;
use crate::engines::selvedge::settings;
use crate::hush::Hush;
use selvedge::{Report, Stopped, StrategyName};
use std::fmt::Write;
use std::time::Duration;

/// The windows that are tried, beside each other.
pub(super) const WINDOWS: [u64; 4] = [100, 250, 500, 1000];

/// No search takes longer, so that one of a thousand threads does not take the day.
const PATIENCE: Duration = Duration::from_secs(60);

/// A livelock shows after so many steps; no program comes near otherwise.
const LONGEST: u64 = 20_000;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Twin {
    /// A bug.
    Buggy,
    /// Nothing: how long it takes where there is none.
    Fixed,
}

impl Twin {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Buggy => "buggy",
            Self::Fixed => "fixed",
        }
    }
}

/// One search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) program: String,
    pub(super) twin: Twin,
    pub(super) seed: u64,
    /// The execution that has found the bug without stopping before, if one has.
    pub(super) found: Option<u64>,
    /// How many executions there were until then, or at all.
    pub(super) executions: u64,
    /// Seconds of processor time that an execution takes.
    pub(super) each: f64,
    /// Where it is saturated with each of the windows, if it is before that.
    pub(super) stops: [Option<u64>; WINDOWS.len()],
}

impl Row {
    /// Searches without stopping, and then once for each window, with the same seed: it does the same
    /// up to where it stops. Where there is no bug, the search without stopping is left out.
    pub(super) fn measure(name: &str, twin: Twin, test: fn(), seed: u64, limit: u64) -> Self {
        let mut row = Self {
            program: name.to_owned(),
            twin,
            seed,
            found: None,
            executions: limit,
            each: 0.0,
            stops: [None; WINDOWS.len()],
        };
        if twin == Twin::Buggy {
            let report = row.explore(test, limit, "none");
            row.found = report.finding.map(|finding| finding.execution);
            row.executions = row.found.unwrap_or(report.executions);
        }
        for (index, window) in WINDOWS.into_iter().enumerate() {
            let report = row.explore(test, row.executions, &window.to_string());
            if report.stopped != Stopped::Saturated {
                // A longer window is not full either.
                break;
            }
            row.stops[index] = Some(report.executions);
        }
        row
    }

    fn explore(&mut self, test: fn(), executions: u64, saturation: &str) -> Report {
        let began = processor_time();
        let report = {
            let _hush = Hush::new();
            settings(StrategyName::Portfolio, self.seed, executions)
                .time(PATIENCE)
                .max_steps(LONGEST)
                .livelock_steps(LONGEST)
                .set("saturation", saturation)
                .explore(test)
                .expect("the settings are right")
        };
        self.each = (processor_time() - began).as_secs_f64() / report.executions.max(1) as f64;
        report
    }

    /// As a line of the file.
    pub(super) fn write(&self) -> String {
        let Self { program, twin, seed, found, executions, each, stops } = self;
        let number =
            |number: &Option<u64>| number.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let found = number(found);
        let mut line =
            format!("{program}\t{}\t{seed}\t{found}\t{executions}\t{each:e}", twin.word());
        for stop in stops {
            write!(line, "\t{}", number(stop)).expect("a string takes everything");
        }
        line
    }

    /// Reads a line of the file; nothing if it is none, such as the last one of a run that was
    /// interrupted.
    pub(super) fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let (&[program, twin, seed, found, executions, each], windows) =
            fields.split_first_chunk()?;
        let number = |text: &str| match text {
            "-" => Some(None),
            _ => text.parse().ok().map(Some),
        };
        let stops: Option<Vec<Option<u64>>> = windows.iter().map(|text| number(text)).collect();
        Some(Self {
            program: program.to_owned(),
            twin: [Twin::Buggy, Twin::Fixed].into_iter().find(|other| other.word() == twin)?,
            seed: seed.parse().ok()?,
            found: number(found)?,
            executions: executions.parse().ok()?,
            each: each.parse().ok()?,
            stops: stops?.try_into().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let row = Row {
            program: "peterson".to_owned(),
            twin: Twin::Fixed,
            seed: 7,
            found: None,
            executions: 20_000,
            each: 1.5e-5,
            stops: [Some(100), Some(256), None, None],
        };
        assert_eq!(Row::read(&row.write()), Some(row.clone()));
        assert_eq!(Row::read("peterson\tfixed\t7\t-\t20"), None);
    }
}
