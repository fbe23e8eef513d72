//! What the macros call and what the entry points share. No part of the public interface.

use crate::Builder;
use selvedge_model::{Report, Stopped};
use std::fmt::Debug;

pub use crate::schedule::events::{event, name_thread};
pub use crate::schedule::run::{Written, run_written, run_written_controlled};
/// What the logged copy of a test that is migrated calls.
pub use selvedge_real::log;
pub use selvedge_spec::Mode;

/// What a test function may return.
pub trait TestResult {
    /// Panics if the test has failed.
    fn finish(self);
}

impl TestResult for () {
    fn finish(self) {}
}

impl<E: Debug> TestResult for Result<(), E> {
    #[track_caller]
    fn finish(self) {
        if let Err(error) = self {
            panic!("the test returned an error: {error:?}");
        }
    }
}

/// Runs a test with the settings of its attribute.
#[track_caller]
pub fn run_test(settings: &[(&str, &str)], test: impl Fn() + Send + Sync + 'static) {
    let builder = settings.iter().fold(Builder::new(), |b, (key, value)| b.set(key, value));
    builder.check(test);
}

/// Tells what came of an exploration, and panics if that is a finding.
#[track_caller]
pub(crate) fn conclude(report: &Report) {
    if let Some(finding) = &report.finding {
        say(&crate::explain::explanation(finding));
        panic!("selvedge: {}", selvedge_report::headline(finding));
    }
    for warning in selvedge_report::untold(&report.warnings) {
        say(&crate::explain::warning(warning));
    }
    match &report.stopped {
        Stopped::Exhausted => say(&format!(
            "selvedge: proved: every schedule of the test passes, within the bounds of the settings \
             ({} executions)",
            report.executions
        )),
        Stopped::Bounded => say(&format!(
            "selvedge: every schedule of the test passes, but for longer turns of loops that wait, \
             which were cut short ({} executions)",
            report.executions
        )),
        Stopped::Misfit(misfit) => panic!("selvedge: the test passed, but {misfit}"),
        _ => {}
    }
}

/// Prints where the test harness captures it.
#[expect(clippy::print_stderr, reason = "this is the one place where the library speaks")]
fn say(text: &str) {
    eprintln!("{text}");
}
