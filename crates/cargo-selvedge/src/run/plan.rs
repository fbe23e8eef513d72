//! Which tests there are, and which of them are to be run.

use super::worker::{Answer, Worker};
use crate::compile::Binary;
use crate::settings::Settings;
use selvedge_harness::{Selection, TestInfo};

/// A test to run.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// The position of its binary in the plan.
    pub(crate) binary: usize,
    /// Its position in the binary's list.
    pub(crate) test: usize,
    /// What is known of it.
    pub(crate) info: TestInfo,
}

/// A binary, and what holds for its tests.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    /// The binary.
    pub(crate) binary: Binary,
    /// Settings of its tests.
    pub(crate) settings: Settings,
}

/// Everything that is to be done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The binaries.
    pub(crate) binaries: Vec<Planned>,
    /// The tests to run, in order.
    pub(crate) jobs: Vec<Job>,
    /// Tests that are not run because they have `#[ignore]`.
    pub(crate) ignored: Vec<String>,
    /// Tests that are not run because the settings exclude them.
    pub(crate) excluded: Vec<String>,
    /// What can not be run under control, binaries and doc tests, and why.
    pub(crate) outside: Vec<(String, String)>,
    /// How many tests there are that were not asked for.
    pub(crate) filtered: usize,
}

impl Plan {
    /// Asks a binary for its tests and adds those that were asked for.
    pub(crate) fn add(&mut self, binary: Binary, settings: Settings, selection: &Selection) {
        let label = binary.label();
        if let Some(why) = &binary.outside {
            return self.outside.push((label, why.clone()));
        }
        let tests = match Worker::start(&binary) {
            Ok(Answer::Hello(worker)) => worker.tests.clone(),
            Ok(Answer::Stranger(why)) => return self.outside.push((label, why)),
            Err(error) => return self.outside.push((label, format!("{error:#}"))),
        };
        let index = self.binaries.len();
        for (test, info) in tests.into_iter().enumerate() {
            let name = format!("{label} {}", info.name);
            if !selection.includes(&info) {
                self.filtered += 1;
            } else if settings.exclude.iter().any(|part| info.name.contains(part.as_str())) {
                self.excluded.push(name);
            } else if !selection.runs(&info) && !selection.lists() {
                self.ignored.push(name);
            } else {
                self.jobs.push(Job { binary: index, test, info });
            }
        }
        self.binaries.push(Planned { binary, settings });
    }

    /// How many tests there are at all.
    pub(crate) fn total(&self) -> usize {
        self.jobs.len() + self.ignored.len() + self.excluded.len() + self.filtered
    }
}
