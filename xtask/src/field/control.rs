//! The suite under `cargo selvedge test`, with default options.

use super::kept::{builds, log};
use super::native::BUILD_PATIENCE;
use super::process::{Ending, Ran, run as measure};
use crate::Result;
use crate::selvedge::Selvedge;
use selvedge_model::{Finding, Verdict, Warning};
use selvedge_report::headline;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A suite is given up after so long.
const PATIENCE: Duration = Duration::from_secs(1800);

/// What the command made of a suite.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Control {
    /// Which program it was measured with.
    pub(crate) program: String,
    /// The commit of that program.
    pub(crate) commit: String,
    /// The build, without that of the kit.
    pub(crate) build: Ran,
    /// The tests; nothing if they were not built.
    pub(crate) run: Option<Ran>,
    /// What came of each test.
    pub(crate) tests: Vec<Explored>,
}

/// What came of a test.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Explored {
    /// The binary that it is in.
    pub(crate) binary: String,
    /// Its name.
    pub(crate) test: String,
    /// In one word, as the command writes it.
    pub(crate) result: String,
    /// How often it was run.
    pub(crate) executions: u64,
    /// What was found, or what kept it from being explored.
    pub(crate) found: Option<Found>,
    /// How many warnings there were.
    pub(crate) warnings: usize,
}

impl Explored {
    /// Whether no execution came to its end.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.result == Verdict::Unfinished.name()
    }
}

/// What was found in a test.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Found {
    /// The kind of finding; `died` if the test took its process down, `not explored` if it was not run.
    pub(crate) kind: String,
    /// In one sentence.
    pub(crate) headline: String,
}

/// Builds and explores the suite of a project.
pub(crate) fn run(root: &Path, selvedge: &Selvedge, manifest: &Path) -> Result<Control> {
    let (program, commit) = (selvedge.fingerprint.clone(), selvedge.commit.clone());
    let target = builds(root).join("control");
    let mut command = selvedge.test(manifest, &target);
    command.arg("--no-run");
    let build = logged(root, "control-build.txt", &mut command, BUILD_PATIENCE)?;
    if build.ending != Ending::Exited(0) {
        return Ok(Control { program, commit, build, run: None, tests: Vec::new() });
    }
    let json = log(root, "control.json");
    let mut command = selvedge.test(manifest, &target);
    command.arg("--json").arg(&json);
    let ran = logged(root, "control-run.txt", &mut command, PATIENCE)?;
    let tests = if json.exists() { read(&fs::read_to_string(&json)?)? } else { Vec::new() };
    Ok(Control { program, commit, build, run: Some(ran), tests })
}

fn logged(root: &Path, name: &str, command: &mut Command, patience: Duration) -> Result<Ran> {
    let both = fs::File::create(log(root, name))?;
    measure(command.stdout(both.try_clone()?).stderr(both), patience)
}

/// Reads what the command wrote of each test.
pub(crate) fn read(lines: &str) -> Result<Vec<Explored>> {
    #[derive(Deserialize)]
    struct Line {
        binary: String,
        /// None for a binary whose tests can not be run under control.
        test: Option<String>,
        result: String,
        #[serde(default)]
        executions: u64,
        message: Option<String>,
        finding: Option<Finding>,
        #[serde(default)]
        warnings: Vec<Warning>,
    }
    let lines = lines.lines().map(serde_json::from_str::<Line>);
    lines
        .filter(|line| line.as_ref().is_ok_and(|line| line.test.is_some()) || line.is_err())
        .map(|line| {
            let line = line?;
            let found = match (line.finding, line.message) {
                (Some(finding), _) => Some(Found {
                    kind: finding.kind.name().to_owned(),
                    headline: headline(&finding),
                }),
                (None, Some(message)) => {
                    let kind = if line.executions > 0 { "died" } else { "not explored" };
                    Some(Found { kind: kind.to_owned(), headline: message })
                }
                (None, None) => None,
            };
            Ok(Explored {
                binary: line.binary,
                test: line.test.unwrap_or_default(),
                result: line.result,
                executions: line.executions,
                found,
                warnings: line.warnings.len(),
            })
        })
        .collect()
}
