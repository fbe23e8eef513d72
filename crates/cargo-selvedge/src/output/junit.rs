//! A JUnit report, which CI systems show.

use crate::run::{Death, Outcome};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use selvedge_model::{Finding, Verdict as Tried};
use selvedge_report::headline;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// A test that is over.
pub(crate) struct Case<'a> {
    pub(crate) binary: String,
    pub(crate) test: &'a str,
    pub(crate) verdict: Verdict<'a>,
    pub(crate) elapsed: Duration,
}

/// What came of a test, as far as the report tells.
pub(crate) enum Verdict<'a> {
    /// Nothing was found; says how much was tried, if that is known.
    Passed(Option<Tried>),
    /// Something was found.
    Found { finding: &'a Finding, explanation: &'a str },
    /// It could not be explored.
    Broken { message: String, printed: &'a str },
    /// It was not run.
    NotRun { why: &'a str },
}

impl<'a> Verdict<'a> {
    /// What came of a test that was just run.
    pub(crate) fn of(outcome: &'a Outcome, explanation: Option<&'a str>) -> Self {
        match outcome {
            Outcome::Explored(report) => match &report.finding {
                Some(finding) => {
                    Self::Found { finding, explanation: explanation.unwrap_or_default() }
                }
                None => Self::Passed(Some(report.verdict())),
            },
            Outcome::Died(Death { how, printed, .. }) => {
                Self::Broken { message: format!("the test process {how}"), printed }
            }
            Outcome::Failed(why) => Self::Broken { message: why.clone(), printed: "" },
        }
    }
}

/// Writes the report of these tests.
pub(crate) fn write_junit<'a>(
    path: &Path,
    cases: impl Iterator<Item = Case<'a>>,
) -> anyhow::Result<()> {
    let text = junit(cases)?;
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
    }
    Ok(fs_err::write(path, text)?)
}

/// The report of these tests.
pub(crate) fn junit<'a>(cases: impl Iterator<Item = Case<'a>>) -> anyhow::Result<String> {
    let mut suites: BTreeMap<String, TestSuite> = BTreeMap::new();
    for Case { binary, test, verdict, elapsed } in cases {
        let tried = match verdict {
            Verdict::Passed(tried) => tried,
            Verdict::Found { .. } | Verdict::Broken { .. } | Verdict::NotRun { .. } => None,
        };
        let status = match verdict {
            Verdict::Passed(Some(Tried::Unfinished)) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message("no execution came to its end");
                status
            }
            Verdict::Passed(_) => TestCaseStatus::success(),
            Verdict::Found { finding, explanation } => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type(finding.kind.name()).set_message(headline(finding));
                status.set_description(explanation);
                status
            }
            Verdict::NotRun { why } => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(why);
                status
            }
            Verdict::Broken { message, printed } => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                status.set_message(message);
                if !printed.is_empty() {
                    status.set_description(printed);
                }
                status
            }
        };
        let mut case = TestCase::new(test, status);
        case.set_classname(&binary).set_time(elapsed);
        if let Some(tried) = tried {
            case.add_property(("selvedge.verdict", tried.name()));
        }
        suites.entry(binary).or_insert_with_key(|name| TestSuite::new(name)).add_test_case(case);
    }
    let mut report = Report::new("cargo selvedge");
    report.add_test_suites(suites.into_values());
    Ok(report.to_string()?)
}
