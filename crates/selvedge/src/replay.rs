//! A finding, seen again.

use crate::{Builder, private};

/// Runs a test along a schedule, as a finding prints it, and panics with an explanation if the
/// test goes wrong again.
///
/// # Panics
///
/// Panics if the test fails, if the text is no schedule, or if the schedule no longer fits the
/// test; it then says at which decision and why.
#[track_caller]
pub fn replay(schedule: &str, test: impl Fn() + Send + Sync + 'static) {
    match Builder::new().set("replay", schedule).explore(test) {
        Ok(report) => private::conclude(&report),
        Err(error) => panic!("{error}"),
    }
}
