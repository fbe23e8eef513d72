//! The list of tests.

use crate::Result;
use crate::package::{Package, read_list};
use serde::Deserialize;
use std::path::Path;

/// Where it stands.
pub(crate) const FILE: &str = "benches/migration/subjects.toml";

/// A published crate with sleep-based tests.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    /// Its name in the registry.
    pub(crate) name: String,
    /// The exact version.
    pub(crate) version: String,
    /// The features that its tests need.
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// The tests that are migrated.
    pub(crate) tests: Vec<Tests>,
    /// The tests that sleep and are not migrated.
    #[serde(default)]
    pub(crate) excluded: Vec<Excluded>,
}

impl Subject {
    /// Its package.
    pub(crate) fn package(&self) -> Package<'_> {
        Package { name: &self.name, version: &self.version }
    }
}

/// Tests of one target.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tests {
    /// `lib`, or `tests/` and the name of an integration test.
    pub(crate) target: String,
    /// Their names, as the test binary lists them.
    pub(crate) names: Vec<String>,
}

/// Tests that are not migrated.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Excluded {
    /// Which.
    pub(crate) tests: String,
    /// Why not.
    pub(crate) reason: String,
}

/// All crates, in the order of the list.
pub(crate) fn read(root: &Path) -> Result<Vec<Subject>> {
    read_list(root, FILE)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn no_test_is_listed_twice() {
        let subjects = super::read(crate::root().unwrap()).unwrap();
        let mut seen = BTreeSet::new();
        for subject in &subjects {
            for tests in &subject.tests {
                for name in &tests.names {
                    assert!(seen.insert((&subject.name, &tests.target, name)), "{name}");
                }
            }
        }
    }
}
