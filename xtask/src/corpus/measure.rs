//! Looks for one bug.

use super::bug::{Bug, Version};
use super::command::{Tested, test};
use crate::Result;
use crate::selvedge::Selvedge;
use selvedge_model::Finding;
use selvedge_report::headline;
use std::fmt;
use std::path::Path;

/// A bug has to be found within this time.
const TIME: &str = "60s";
/// There is no other limit on the search.
const NO_LIMIT: &str = "1000000000";
/// The fixed version has to survive so many executions, or as many as [`TIME`] allows.
const EXECUTIONS: &str = "50000";
/// A finding is run again so often.
pub(crate) const REPLAYS: u32 = 10;

/// What came of looking for a bug.
#[derive(Debug)]
pub(crate) struct Measured {
    /// What was found in the buggy version.
    pub(crate) found: Option<Found>,
    /// What the fixed version did; nothing if there is none.
    pub(crate) fixed: Option<Fixed>,
}

/// A finding in the buggy version.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) headline: String,
    pub(crate) kind: &'static str,
    pub(crate) strategy: String,
    pub(crate) execution: u64,
    pub(crate) seconds: f64,
    /// How many switches the shortest schedule has.
    pub(crate) decisions: usize,
    /// How often it came again.
    pub(crate) replays: u32,
}

/// What the fixed version did.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) executions: u64,
    /// What was found, which should be nothing.
    pub(crate) found: Option<String>,
}

/// Looks for a bug.
pub(crate) fn measure(selvedge: &Selvedge, root: &Path, bug: &Bug) -> Result<Measured> {
    let manifest = bug.manifest(root, Version::Buggy);
    let tested = test(
        selvedge,
        root,
        &manifest,
        bug.kind.flags(),
        &[("executions", NO_LIMIT), ("time", TIME)],
    )?;
    let found = match first_finding(&tested) {
        Some((tested, finding)) => Some(Found::new(
            tested,
            finding,
            replay(selvedge, root, &manifest, bug.kind.flags(), tested, finding)?,
        )),
        None => None,
    };
    let fixed = match bug.fixed {
        Some(_) => {
            let manifest = bug.manifest(root, Version::Fixed);
            let settings = [("executions", EXECUTIONS), ("time", TIME), ("saturation", "none")];
            Some(Fixed::of(&test(selvedge, root, &manifest, bug.kind.flags(), &settings)?))
        }
        None => None,
    };
    Ok(Measured { found, fixed })
}

/// The first test in which something was found.
pub(crate) fn first_finding(tested: &[Tested]) -> Option<(&Tested, &Finding)> {
    tested.iter().find_map(|tested| Some((tested, tested.finding.as_ref()?)))
}

/// Runs the schedule of a finding again and again, each time in a new process, and says how often
/// the same problem showed.
fn replay(
    selvedge: &Selvedge,
    root: &Path,
    manifest: &Path,
    flags: &[&str],
    tested: &Tested,
    finding: &Finding,
) -> Result<u32> {
    let schedule = finding.schedule.to_string();
    let mut same = 0;
    for _ in 0..REPLAYS {
        let again = test(selvedge, root, manifest, flags, &[("replay", &schedule)])?;
        let of_this_test = again.iter().filter(|again| again.test == tested.test);
        let mut findings = of_this_test.filter_map(|again| again.finding.as_ref());
        if findings.any(|again| again.kind.same_problem(&finding.kind)) {
            same += 1;
        }
    }
    Ok(same)
}

impl Found {
    fn new(tested: &Tested, finding: &Finding, replays: u32) -> Self {
        Self {
            headline: headline(finding),
            kind: finding.kind.name(),
            strategy: finding.strategy.clone(),
            execution: finding.execution,
            seconds: tested.seconds,
            decisions: finding.schedule.decisions.len(),
            replays,
        }
    }
}

impl Fixed {
    fn of(tested: &[Tested]) -> Self {
        let finding = first_finding(tested).map(|(_, finding)| headline(finding));
        let trouble = tested.iter().find_map(|tested| tested.message.clone());
        Self {
            executions: tested.iter().map(|tested| tested.executions).sum(),
            found: finding.or(trouble),
        }
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.found {
            Some(found) => write!(
                f,
                "{} ({}, execution {}, {:.1} s, replayed {} of {REPLAYS})",
                found.headline, found.strategy, found.execution, found.seconds, found.replays,
            )?,
            None => f.write_str("not found")?,
        }
        match &self.fixed {
            Some(Fixed { executions, found: None }) => {
                write!(f, "; fixed version silent for {executions} executions")
            }
            Some(Fixed { found: Some(found), .. }) => write!(f, "; FIXED VERSION: {found}"),
            None => Ok(()),
        }
    }
}
