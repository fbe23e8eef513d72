//! What is known about findings in other people's tests.

use super::compare::Comparison;
use super::control::{Explored, Found};
use super::kept::Kept;
use super::subject::Subject;
use crate::Result;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// Where it stands.
const FILE: &str = "field/findings.toml";

/// No process of the command's may have more memory than this, in bytes.
const MEMORY: u64 = 1 << 30;

/// All that is known.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    #[serde(default, rename = "finding")]
    findings: Vec<Judged>,
    #[serde(default, rename = "difference")]
    differences: Vec<Difference>,
}

/// A finding that somebody has looked at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judged {
    /// The crate.
    #[serde(rename = "crate")]
    name: String,
    /// The tests that show it.
    tests: Vec<String>,
    /// The kind of finding.
    kind: String,
    /// What it is.
    pub(crate) class: Class,
    /// Why.
    pub(crate) argument: String,
}

/// A difference without a finding that somebody has looked at.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Difference {
    #[serde(rename = "crate")]
    name: String,
    tests: Vec<String>,
    /// Why it is right.
    pub(crate) argument: String,
}

/// What a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Class {
    /// A defect of the crate.
    True,
    /// The crate is right, and its test relies on an order that nobody guarantees.
    TestsOwn,
    /// A defect of Selvedge.
    False,
}

impl Class {
    /// As the table calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::TestsOwn => "the test's own race",
            Self::False => "false",
        }
    }
}

impl Known {
    /// What a finding is, if somebody has looked at it.
    pub(crate) fn judged(&self, subject: &Subject, test: &str, found: &Found) -> Option<&Judged> {
        let mut findings = self.findings.iter();
        findings.find(|judged| {
            judged.name == subject.name
                && judged.kind == found.kind
                && judged.tests.iter().any(|name| name == test)
        })
    }

    /// Why another verdict without a finding is right, if somebody has said so.
    pub(crate) fn excused(&self, subject: &Subject, test: &str) -> Option<&Difference> {
        let mut differences = self.differences.iter();
        differences.find(|difference| {
            difference.name == subject.name && difference.tests.iter().any(|name| name == test)
        })
    }

    /// Everything that does not hold for a crate.
    pub(crate) fn objections(&self, subject: &Subject, kept: &Kept) -> Vec<String> {
        let comparison = Comparison::of(kept);
        let name = &subject.name;
        let mut wrong = Vec::new();
        wrong.extend(comparison.trouble.iter().map(|trouble| format!("{name}: {trouble}")));
        for (explored, found) in &comparison.found {
            let Explored { binary, test, .. } = explored;
            let Found { kind, headline } = found;
            match self.judged(subject, test, found).map(|judged| judged.class) {
                Some(Class::True | Class::TestsOwn) => {}
                Some(Class::False) => {
                    wrong.push(format!("{name}: false: {binary} {test}: {headline}"))
                }
                None => wrong.push(format!(
                    "{name}: {binary} {test}: {kind}: {headline}\n    \
                     nobody has said in {FILE} what this is"
                )),
            }
        }
        for (tested, how) in &comparison.different {
            if self.excused(subject, &tested.test).is_none() {
                wrong.push(format!("{name}: {} {} {how}", tested.binary, tested.test));
            }
        }
        if let Some(run) = kept.control.run.as_ref().filter(|run| run.peak > MEMORY) {
            wrong.push(format!("{name}: a process had {} MB", run.peak >> 20));
        }
        wrong
    }
}

/// Reads the file.
pub(crate) fn read(root: &Path) -> Result<Known> {
    let text = fs::read_to_string(root.join(FILE))
        .map_err(|error| format!("failed to read {FILE}: {error}"))?;
    Ok(toml::from_str(&text).map_err(|error| format!("{FILE}: {error}"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_judgement_is_about_a_crate_of_the_list_and_has_an_argument() {
        let root = crate::root().unwrap();
        let known = read(root).unwrap();
        let subjects = super::super::subject::read(root).unwrap();
        let judged = known.findings.iter().map(|one| (&one.name, &one.tests, &one.argument));
        let excused = known.differences.iter().map(|one| (&one.name, &one.tests, &one.argument));
        for (name, tests, argument) in judged.chain(excused) {
            assert!(subjects.iter().any(|subject| subject.name == *name), "{name}");
            assert!(!tests.is_empty() && argument.split(' ').count() > 5, "{name}: {argument}");
        }
    }
}
