//! What came of each test, a line of JSON for each, for programs.

use crate::findings::Id;
use crate::run::Outcome;
use selvedge_model::{Finding, Trouble, Verdict, Warning};
use selvedge_report::{conditions, left_out};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// A line.
#[derive(Debug, Serialize)]
struct Line<'a> {
    binary: &'a str,
    test: &'a str,
    result: &'static str,
    /// How much a test that has passed was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    /// What a search of all schedules has left out, in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    left_out: String,
    /// What people should know of the conditions that the test ran under, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    conditions: Option<String>,
    executions: u64,
    steps: u64,
    threads: usize,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    /// Why the finding is no reason to fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<Trouble>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<&'a Finding>,
    #[serde(skip_serializing_if = "<[Warning]>::is_empty")]
    warnings: &'a [Warning],
}

/// What is known of a finding beside what went wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<'a> {
    /// What it is called.
    pub(crate) id: &'a Id,
    /// Why it is no reason to fail, if somebody has accepted it.
    pub(crate) accepted: Option<&'a str>,
}

/// What was not run.
#[derive(Debug, Serialize)]
struct NotRun<'a> {
    binary: &'a str,
    result: &'static str,
    message: &'a str,
}

/// Where the lines go.
#[derive(Debug)]
pub(crate) enum JsonLines {
    /// To a file.
    File(fs_err::File),
    /// To the standard output.
    Output(std::io::Stdout),
}

impl JsonLines {
    /// Begins a new file; `-` is the standard output.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Output(std::io::stdout()));
        }
        if let Some(folder) = path.parent() {
            fs_err::create_dir_all(folder)?;
        }
        Ok(Self::File(fs_err::File::create(path)?))
    }

    /// Writes a line, as a whole.
    fn write(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        match self {
            Self::File(file) => file.write_all(&text)?,
            Self::Output(output) => output.write_all(&text)?,
        }
        Ok(())
    }

    /// Adds tests that were not run, all that a binary has.
    pub(crate) fn add_not_run(&mut self, binary: &str, why: &str) -> anyhow::Result<()> {
        let line = NotRun { binary, result: "not-run", message: why };
        self.write(&line)
    }

    /// Adds a test.
    pub(crate) fn add(
        &mut self,
        binary: &str,
        test: &str,
        outcome: &Outcome,
        found: Option<Named<'_>>,
        elapsed: Duration,
    ) -> anyhow::Result<()> {
        let mut line = Line {
            binary,
            test,
            result: "failed",
            verdict: None,
            left_out: String::new(),
            conditions: None,
            executions: 0,
            steps: 0,
            threads: 0,
            seconds: elapsed.as_secs_f64(),
            id: found.map(|found| found.id.as_str()),
            accepted: found.and_then(|found| found.accepted),
            message: None,
            trouble: None,
            finding: None,
            warnings: &[],
        };
        match outcome {
            Outcome::Explored(report) => {
                let verdict = report.verdict();
                line.result = match verdict {
                    Verdict::Found
                    | Verdict::Once
                    | Verdict::Long
                    | Verdict::Plain
                    | Verdict::OwnMemory
                    | Verdict::Unfinished => verdict.name(),
                    Verdict::Exhausted
                    | Verdict::Bounded
                    | Verdict::Saturated
                    | Verdict::UsedUp
                    | Verdict::Replayed => "passed",
                };
                line.verdict = Some(verdict.name());
                if verdict == Verdict::Bounded {
                    line.left_out = left_out(&report.conditions);
                }
                line.conditions = conditions(&report.conditions);
                line.executions = report.executions;
                line.steps = report.steps;
                line.threads = report.threads;
                line.trouble = report.finding.as_ref().and_then(|found| found.kind.trouble());
                line.finding = report.finding.as_ref();
                line.warnings = &report.warnings;
            }
            Outcome::Died(death) => {
                line.executions = death.executions;
                line.message = Some(&death.how);
            }
            Outcome::Failed(why) => line.message = Some(why),
        }
        self.write(&line)
    }
}
