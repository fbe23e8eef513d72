//! The asynchronous tests of `corpus/async` and `corpus/async-seeded`: those with a bug must be found, all others are silent.

use super::command::{Tested, test};
use crate::Result;
use crate::selvedge::{Profile, Selvedge};
use selvedge_model::{Config, Replayed};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// So often each correct test is run.
const EXECUTIONS: u64 = 2_000;
/// Enough for that on any machine.
const TIME: &str = "120s";

/// Which tests have a bug.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// The kind of finding, by the name of the test.
    found: BTreeMap<String, String>,
    /// Why a bug is not found, by the name of the test.
    #[serde(default)]
    missed: BTreeMap<String, String>,
}

/// Runs all tests and compares what is found with what is expected.
pub(crate) fn check(root: &Path) -> Result<()> {
    let selvedge = Selvedge::build(root, Profile::Release)?;
    ["corpus/async", "corpus/async-seeded"]
        .into_iter()
        .try_for_each(|folder| check_folder(root, &root.join(folder), &selvedge))
}

/// Runs the tests of one project.
fn check_folder(root: &Path, folder: &Path, selvedge: &Selvedge) -> Result<()> {
    let expected: Expected = toml::from_str(&fs::read_to_string(folder.join("expected.toml"))?)?;
    let executions = EXECUTIONS.to_string();
    let settings = [("executions", executions.as_str()), ("time", TIME)];
    let tested = test(selvedge, root, &folder.join("Cargo.toml"), &[], &settings)?;
    let mut wrong: Vec<_> = tested.iter().filter_map(|tested| expected.objection(tested)).collect();
    let is_missing = |name: &&String| tested.iter().all(|tested| tested.test != **name);
    wrong.extend(
        expected.found.keys().filter(is_missing).map(|name| format!("{name}: no such test")),
    );
    if !wrong.is_empty() {
        return Err(format!("not as expected:\n  {}", wrong.join("\n  ")).into());
    }
    let (found, missed) = (expected.found.len(), expected.missed.len());
    let correct = tested.len() - found - missed;
    println!("{found} bugs found, {missed} missed, {correct} correct tests silent");
    Ok(())
}

impl Expected {
    /// What is wrong with what came of a test.
    fn objection(&self, tested: &Tested) -> Option<String> {
        let name = &tested.test;
        if let Some(message) = &tested.message {
            return Some(format!("{name}: {message}"));
        }
        // Whoever runs the test without settings must find it as well.
        let usual = Config::default().executions;
        match (self.found.get(name), &tested.finding) {
            (None, None) => None,
            (None, Some(_)) if self.missed.contains_key(name) => {
                Some(format!("{name}: is found, and expected to be missed"))
            }
            (None, Some(finding)) => {
                Some(format!("{name}: {} in a correct test", finding.kind.name()))
            }
            (Some(_), None) => Some(format!("{name}: not found")),
            (Some(kind), Some(finding)) if finding.kind.name() != kind => {
                Some(format!("{name}: {} instead of {kind}", finding.kind.name()))
            }
            (Some(_), Some(finding)) if finding.execution > usual => {
                Some(format!("{name}: found in execution {} only", finding.execution))
            }
            (Some(_), Some(finding)) if finding.replayed != Replayed::Yes => {
                Some(format!("{name}: not found again"))
            }
            (Some(_), Some(_)) => None,
        }
    }
}
