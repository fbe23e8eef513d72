//! What the examples share: run a test under control, and say what came of it.
//!
//! An ordinary test needs none of this: `#[selvedge::test]` or `selvedge::check` do the same and
//! fail the test. The examples use the interface for programs instead, [`Builder::explore`], which
//! hands the result back as data.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]

use selvedge::report::{Context, SourceFiles, Style, explain, left_out};
use selvedge::{Builder, Finding, Report, Stopped, Verdict};
use std::path::{Path, PathBuf};

/// Explores the test, prints what came of it, and, if that is a finding, how to see it again with
/// `command`.
pub fn show(command: &str, builder: Builder, test: fn()) {
    match builder.explore(test) {
        Ok(report) => {
            print!("{}", story(&report));
            if let Some(finding) = &report.finding {
                println!("\nthis is an example and not a test, so the command is:");
                println!("  SELVEDGE_REPLAY='{}' {command}", finding.schedule);
            }
        }
        Err(error) => println!("{error}"),
    }
}

/// What came of an exploration, in words.
pub fn story(report: &Report) -> String {
    let executions = report.executions;
    match (&report.finding, &report.stopped, report.verdict()) {
        (Some(finding), ..) => explanation(finding),
        (None, Stopped::Misfit(misfit), _) => format!("nothing was found, but {misfit}\n"),
        (None, _, Verdict::Exhausted) => {
            format!("exhausted: the test passes in all interleavings ({executions} executions)\n")
        }
        (None, _, Verdict::Bounded) => format!(
            "exhausted within bounds: the test passes in all interleavings without {} \
             ({executions} executions)\n",
            left_out(&report.conditions)
        ),
        (None, ..) => format!("nothing was found in {executions} executions\n"),
    }
}

fn explanation(finding: &Finding) -> String {
    // The compiler names files relative to the workspace, which is the folder above this one.
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from);
    explain(finding, Context::default(), Style::default(), &SourceFiles::new(workspace))
}

/// Compiles, and where that makes sense runs, the Rust of the documents.
#[cfg(doctest)]
mod documents {
    macro_rules! document {
        ($name:ident, $path:literal) => {
            #[doc = include_str!($path)]
            struct $name;
        };
    }
    document!(Readme, "../README.md");
    document!(Introduction, "../book/src/introduction.md");
    document!(GettingStarted, "../book/src/getting-started.md");
    document!(Command, "../book/src/cargo-selvedge.md");
    document!(Unmodified, "../book/src/unmodified.md");
    document!(Async, "../book/src/async.md");
    document!(Ci, "../book/src/ci.md");
    document!(Strategies, "../book/src/strategies.md");
    document!(Report, "../book/src/report.md");
    document!(Findings, "../book/src/findings.md");
    document!(Schedules, "../book/src/schedules.md");
    document!(Settings, "../book/src/settings.md");
    document!(Limits, "../book/src/limits.md");
    document!(Glossary, "../book/src/glossary.md");
}
