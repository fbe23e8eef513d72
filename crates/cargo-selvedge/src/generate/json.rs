//! What came of each type, a line of JSON for each, for programs.

use super::process::Came;
use selvedge_generate::Harness;
use selvedge_harness::{GenerateSummary, Violation};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// A line.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(rename = "type")]
    name: &'a str,
    /// Its constructors and calls, in the order of their numbers.
    constructors: Vec<&'a str>,
    calls: Vec<&'a str>,
    /// What is not called, and why.
    skipped: Vec<(&'a str, &'a str)>,
    violations: &'a [Violation],
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a GenerateSummary>,
    /// What went wrong with the harness.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trouble: Vec<&'a str>,
}

/// Where lines go.
pub(crate) struct Lines(Box<dyn Write>);

impl Lines {
    /// To a file, or to the standard output if it is `-`.
    pub(crate) fn to(file: &Path) -> anyhow::Result<Self> {
        Ok(match file.to_str() {
            Some("-") => Self(Box::new(std::io::stdout())),
            _ => Self(Box::new(fs_err::File::create(file)?)),
        })
    }

    /// Writes what came of a type.
    pub(crate) fn write(&mut self, harness: &Harness, came: &Came) -> anyhow::Result<()> {
        let skipped = harness.subject.skipped.iter().map(|one| (&*one.method.1, &*one.reason));
        let refused = harness.refused().into_iter().map(|(row, why)| (&*row.name, why));
        let line = Line {
            name: &harness.subject.name,
            constructors: harness.constructors().iter().map(|row| &*row.name).collect(),
            calls: harness.calls().iter().map(|row| &*row.name).collect(),
            skipped: skipped.chain(refused).collect(),
            violations: &came.violations,
            summary: came.summary.as_ref(),
            trouble: came.trouble.iter().map(String::as_str).collect(),
        };
        writeln!(self.0, "{}", serde_json::to_string(&line)?)?;
        Ok(())
    }
}
