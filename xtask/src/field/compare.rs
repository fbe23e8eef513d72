//! The two runs of a suite, verdict by verdict.

use super::control::{Explored, Found};
use super::kept::Kept;
use super::native::{Tested, Verdict};
use super::process::{Ending, Ran};
use std::collections::BTreeMap;

/// What the comparison of two runs comes to.
#[derive(Debug, Default)]
pub(crate) struct Comparison<'a> {
    /// What keeps the suite from being compared at all.
    pub(crate) trouble: Option<String>,
    /// How many tests were run by the ordinary test runner.
    pub(crate) tests: usize,
    /// How many of these have the same verdict under control.
    pub(crate) same: usize,
    /// How many could not be run to their end under control.
    pub(crate) unfinished: usize,
    /// Tests that pass under `cargo test` and in which something was found.
    pub(crate) found: Vec<(&'a Explored, &'a Found)>,
    /// Tests whose verdicts differ otherwise, and how.
    pub(crate) different: Vec<(&'a Tested, &'static str)>,
}

impl<'a> Comparison<'a> {
    /// Compares what is kept of a crate.
    pub(crate) fn of(kept: &'a Kept) -> Self {
        let mut result = Self { trouble: trouble(kept), ..Self::default() };
        let explored: BTreeMap<_, _> =
            kept.control.tests.iter().map(|test| ((&*test.binary, &*test.test), test)).collect();
        for tested in &kept.native.tests {
            if tested.verdict == Verdict::Ignored {
                continue;
            }
            result.tests += 1;
            let explored = explored.get(&(&*tested.binary, &*tested.test));
            match (tested.verdict, explored.map(|explored| (*explored, &explored.found))) {
                (_, None) => result.different.push((tested, "was not run under control")),
                (Verdict::Failed, Some((_, None))) => {
                    result.different.push((tested, "fails under `cargo test` only"));
                }
                (Verdict::Passed, Some((explored, Some(found)))) => {
                    result.found.push((explored, found));
                }
                (Verdict::Passed, Some((explored, None))) if explored.is_unfinished() => {
                    result.unfinished += 1;
                }
                (Verdict::Passed, Some((_, None))) | (Verdict::Failed, Some((_, Some(_)))) => {
                    result.same += 1;
                }
                (Verdict::Ignored, _) => {}
            }
        }
        result
    }

    /// In one line.
    pub(crate) fn sentence(&self) -> String {
        match &self.trouble {
            Some(trouble) => trouble.clone(),
            None => format!(
                "{} of {} tests have the same verdict, {} findings, {} not finished, {} other \
                 differences",
                self.same,
                self.tests,
                self.found.len(),
                self.unfinished,
                self.different.len(),
            ),
        }
    }
}

/// Why the runs of a suite can not be compared.
fn trouble(kept: &Kept) -> Option<String> {
    let builds = [("cargo test", &kept.native.build), ("the command", &kept.control.build)];
    for (who, build) in builds {
        if build.ending != Ending::Exited(0) {
            return Some(format!("{who} does not build it: {}", ending(build)));
        }
    }
    let runs = [("cargo test", &kept.native.run), ("the command", &kept.control.run)];
    for (who, run) in runs {
        match run {
            // Failed tests are no trouble: cargo's code for them is 101, the command's is 1.
            Some(Ran { ending: Ending::Exited(0 | 1 | 101), .. }) => {}
            Some(run) => return Some(format!("{who} has not run it: {}", ending(run))),
            None => return Some(format!("{who} has not run it")),
        }
    }
    None
}

fn ending(ran: &Ran) -> String {
    match ran.ending {
        Ending::Exited(code) => format!("exit code {code}"),
        Ending::Signal => "killed by a signal".to_owned(),
        Ending::OutOfPatience(seconds) => format!("stopped after {seconds} s"),
    }
}
