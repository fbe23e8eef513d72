//! Which tests are meant: the arguments that libtest takes, with the same meaning.

use crate::message::TestInfo;
use selvedge_model::closest;
use std::num::NonZero;

/// How tests are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people.
    #[default]
    Pretty,
    /// One a line, as cargo-nextest reads it.
    Terse,
}

/// What to do with tests that have `#[ignore]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ignored {
    #[default]
    Skip,
    Only,
    Include,
}

/// Whether a filter has to be the whole name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Matching {
    #[default]
    Part,
    Whole,
}

/// Whether tests are run or only named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Task {
    #[default]
    Run,
    List,
}

/// Where the output of passing tests goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Capture {
    #[default]
    Captured,
    Shown,
}

/// The tests that were asked for, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    filters: Vec<String>,
    skip: Vec<String>,
    ignored: Ignored,
    matching: Matching,
    task: Task,
    capture: Capture,
    format: Format,
    /// At most so many tests at a time.
    pub test_threads: Option<NonZero<usize>>,
}

/// An argument that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// No such flag.
    #[error("unknown argument '{name}'{}", suggestion.map(|s| format!("; did you mean '{s}'?")).unwrap_or_default())]
    Unknown {
        /// What was written.
        name: String,
        /// What may have been meant.
        suggestion: Option<&'static str>,
    },
    /// A flag of libtest that has no meaning here.
    #[error("'{0}' is not supported by cargo selvedge")]
    Unsupported(String),
    /// A flag without what belongs to it.
    #[error("'{0}' needs a value")]
    Missing(String),
    /// A value that does not fit.
    #[error("'{value}' will not do for {flag}; expected {expected}")]
    Value {
        /// The flag.
        flag: &'static str,
        /// What was written.
        value: String,
        /// What would do.
        expected: &'static str,
    },
}

/// Every flag that is understood.
const FLAGS: [&str; 14] = [
    "--exact",
    "--list",
    "--ignored",
    "--include-ignored",
    "--skip",
    "--nocapture",
    "--no-capture",
    "--show-output",
    "--test-threads",
    "--format",
    "--color",
    "--quiet",
    "--test",
    "--bench",
];

impl Selection {
    /// Reads the arguments of a test binary.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, SelectionError> {
        let mut selection = Self::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let (flag, mut value) = match argument.split_once('=') {
                Some((flag, value)) if flag.starts_with("--") => {
                    (flag.to_owned(), Some(value.to_owned()))
                }
                _ => (argument, None),
            };
            let mut needed = || {
                let value = value.take().or_else(|| arguments.next());
                value.ok_or_else(|| SelectionError::Missing(flag.clone()))
            };
            match flag.as_str() {
                "--exact" => selection.matching = Matching::Whole,
                "--list" => selection.task = Task::List,
                "--ignored" => selection.ignored = Ignored::Only,
                "--include-ignored" => selection.ignored = Ignored::Include,
                "--skip" => selection.skip.push(needed()?),
                "--nocapture" | "--no-capture" | "--show-output" => {
                    selection.capture = Capture::Shown;
                }
                "--test-threads" => selection.test_threads = Some(threads(needed()?)?),
                "--format" => selection.format = format(needed()?)?,
                // Colour is the command's business, and `--test` and `--bench` say what kind of
                // binary this is, which we know.
                "--color" => drop(needed()?),
                "--quiet" | "-q" | "--test" | "--bench" => {}
                "--logfile" | "--report-time" | "--shuffle" | "--shuffle-seed"
                | "--ensure-time" | "-Z" => return Err(SelectionError::Unsupported(flag)),
                name if name.starts_with('-') => {
                    let suggestion = closest(name, FLAGS);
                    return Err(SelectionError::Unknown { name: flag, suggestion });
                }
                _ => selection.filters.push(flag),
            }
        }
        Ok(selection)
    }

    /// Asks for tests with this text in their names as well.
    pub fn add_filter(&mut self, filter: String) {
        self.filters.push(filter);
    }

    /// Whether tests are only to be named.
    pub fn lists(&self) -> bool {
        self.task == Task::List
    }

    /// How tests are to be named.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether output is wanted of tests that pass, too.
    pub fn shows_output(&self) -> bool {
        self.capture == Capture::Shown
    }

    /// Whether the name of a test is asked for.
    pub fn names(&self, name: &str) -> bool {
        let fits = |filter: &String| match self.matching {
            Matching::Part => name.contains(filter.as_str()),
            Matching::Whole => name == filter,
        };
        (self.filters.is_empty() || self.filters.iter().any(fits)) && !self.skip.iter().any(fits)
    }

    /// Whether a test that is asked for is to be run, or named without being run.
    pub fn runs(&self, test: &TestInfo) -> bool {
        match self.ignored {
            Ignored::Skip => test.ignored.is_none(),
            Ignored::Only | Ignored::Include => true,
        }
    }

    /// Whether a test is meant at all.
    pub fn includes(&self, test: &TestInfo) -> bool {
        self.names(&test.name) && (self.ignored != Ignored::Only || test.ignored.is_some())
    }
}

fn threads(value: String) -> Result<NonZero<usize>, SelectionError> {
    let error = |value| SelectionError::Value {
        flag: "--test-threads",
        value,
        expected: "a number from 1 up",
    };
    value.parse().map_err(|_| error(value))
}

fn format(value: String) -> Result<Format, SelectionError> {
    match value.as_str() {
        "pretty" => Ok(Format::Pretty),
        "terse" => Ok(Format::Terse),
        "json" | "junit" => Err(SelectionError::Unsupported(format!("--format {value}"))),
        _ => Err(SelectionError::Value { flag: "--format", value, expected: "pretty or terse" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Expected;
    use selvedge_model::Source;

    fn parse(arguments: &[&str]) -> Result<Selection, SelectionError> {
        Selection::parse(arguments.iter().map(ToString::to_string))
    }

    fn test(name: &str, ignored: Option<&str>) -> TestInfo {
        let at = Source { file: String::new(), line: 1, column: 1 };
        let ignored = ignored.map(str::to_owned);
        TestInfo { name: name.to_owned(), ignored, expected: Expected::Return, at }
    }

    #[test]
    fn filters_are_parts_of_names_unless_they_are_exact() {
        let part = parse(&["lock"]).unwrap();
        assert!(part.names("a::lock_twice") && !part.names("a::wait"));
        let exact = parse(&["--exact", "a::lock"]).unwrap();
        assert!(exact.names("a::lock") && !exact.names("a::lock_twice"));
        let skip = parse(&["a::", "--skip=lock", "--skip", "wait"]).unwrap();
        assert!(skip.names("a::send") && !skip.names("a::lock") && !skip.names("a::wait"));
    }

    #[test]
    fn ignored_tests_are_left_out_taken_alone_or_taken_too() {
        let (plain, ignored) = (test("a", None), test("b", Some("")));
        let runs = |arguments: &[&str], test| {
            let selection = parse(arguments).unwrap();
            (selection.includes(test), selection.runs(test))
        };
        assert_eq!(runs(&[], &plain), (true, true));
        assert_eq!(runs(&[], &ignored), (true, false));
        assert_eq!(runs(&["--ignored"], &plain), (false, true));
        assert_eq!(runs(&["--ignored"], &ignored), (true, true));
        assert_eq!(runs(&["--include-ignored"], &plain), (true, true));
        assert_eq!(runs(&["--include-ignored"], &ignored), (true, true));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let message = |arguments: &[&str]| parse(arguments).unwrap_err().to_string();
        assert_eq!(message(&["--exakt"]), "unknown argument '--exakt'; did you mean '--exact'?");
        assert_eq!(message(&["--skip"]), "'--skip' needs a value");
        assert_eq!(message(&["--shuffle"]), "'--shuffle' is not supported by cargo selvedge");
        assert_eq!(
            message(&["--test-threads", "0"]),
            "'0' will not do for --test-threads; expected a number from 1 up"
        );
    }
}
