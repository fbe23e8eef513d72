//! A JUnit report, which CI systems show.

use crate::run::{Death, Outcome};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use selvedge_report::headline;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// A test that is over.
pub(crate) struct Case<'a> {
    pub(crate) binary: String,
    pub(crate) test: &'a str,
    pub(crate) outcome: &'a Outcome,
    pub(crate) explanation: Option<&'a str>,
    pub(crate) elapsed: Duration,
}

/// Writes the report of these tests.
pub(crate) fn write_junit<'a>(
    path: &Path,
    cases: impl Iterator<Item = Case<'a>>,
) -> anyhow::Result<()> {
    let mut suites: BTreeMap<String, TestSuite> = BTreeMap::new();
    for Case { binary, test, outcome, explanation, elapsed } in cases {
        let status = match outcome {
            Outcome::Explored(report) => match &report.finding {
                Some(finding) => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    status.set_type(finding.kind.name()).set_message(headline(finding));
                    status.set_description(explanation.unwrap_or_default());
                    status
                }
                None => TestCaseStatus::success(),
            },
            Outcome::Died(Death { how, printed, .. }) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                status.set_message(format!("the test process {how}")).set_description(printed);
                status
            }
            Outcome::Failed(why) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                status.set_message(why);
                status
            }
        };
        let mut case = TestCase::new(test, status);
        case.set_classname(&binary).set_time(elapsed);
        suites.entry(binary).or_insert_with_key(|name| TestSuite::new(name)).add_test_case(case);
    }
    let mut report = Report::new("cargo selvedge");
    report.add_test_suites(suites.into_values());
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
    }
    Ok(fs_err::write(path, report.to_string()?)?)
}
