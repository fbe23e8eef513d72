//! Everything that a report tells, as data. This is a format with a version: names and meanings of
//! fields change with [`FORMAT`] only; fields may be added.
//!
//! Places and files are numbers of entries in [`Report::places`] and [`Report::files`], tests and
//! findings those in their lists, all from 0.

mod covered;
mod finding;

pub use covered::{Growth, Metric, Part, Reached, Remaining, Requirement, Strategy};
pub use finding::{Arrow, Fact, Facts, Finding, Lane, Order, Role, Row};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// Everything that is told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The version of this format.
    pub format: u32,
    /// The version of Selvedge that made the report.
    pub selvedge: String,
    /// The project.
    pub project: String,
    /// The commit that was tested, if it is known.
    pub commit: Option<String>,
    /// When the report was made, in seconds since 1970.
    pub made: u64,
    /// The source files that places are in.
    pub files: Vec<File>,
    /// Places in them.
    pub places: Vec<Place>,
    /// The tests.
    pub tests: Vec<Test>,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// A source file, as far as somebody may want to look at it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct File {
    /// As the compiler names it.
    pub name: String,
    /// As much of the name as tells it from the other files.
    pub short: String,
    /// The lines around the places; nothing if the file could not be read when the report was
    /// made.
    pub excerpts: Vec<Excerpt>,
}

/// Some lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Excerpt {
    /// The number of the first one, from 1.
    pub first: u32,
    /// The lines.
    pub lines: Vec<String>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The number of the file.
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Test {
    /// The test binary, as the command calls it.
    pub binary: String,
    /// The name within the binary.
    pub name: String,
    /// What came of it.
    pub state: State,
    /// What went wrong with the test itself, if it could not be explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How many executions there were.
    pub executions: u64,
    /// How many steps they had together.
    pub steps: u64,
    /// The most threads that any of them had.
    pub threads: u64,
    /// How long it took; nothing if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// What looks wrong although no execution has failed for it, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What each metric has seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Metric>,
    /// What each strategy has done, if several were used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<Strategy>,
}

/// What came of a test.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Something was found.
    Found,
    /// It could not be explored.
    Failed,
    /// Nothing was found, and the budget is used up.
    Passed,
    /// Nothing was found in any interleaving.
    Exhausted,
    /// Nothing was found in any interleaving within the bounds of the search.
    Bounded,
    /// Nothing was found, and nothing new was seen for long.
    Saturated,
    /// It makes no choice: one execution shows all that it does.
    Once,
    /// Its executions are too long to be explored in full.
    TooLong,
    /// It was not explored to the end.
    Interrupted,
    /// A finding of it was kept, and nothing else is known.
    Unknown,
}

impl State {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Failed => "failed",
            Self::Passed => "budget used up",
            Self::Exhausted => "exhausted",
            Self::Bounded => "exhausted within bounds",
            Self::Saturated => "saturated",
            Self::Once => "once",
            Self::TooLong => "too long",
            Self::Interrupted => "interrupted",
            Self::Unknown => "not known",
        }
    }

    /// As the format writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Bounded => "bounded",
            Self::TooLong => "too-long",
            Self::Unknown => "unknown",
            other => other.words(),
        }
    }
}
