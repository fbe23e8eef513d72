//! The report as one HTML file.
//!
//! Lists are in the HTML itself, so that they are there without scripts; what takes room (diagrams,
//! sources, requirements, curves) is in a block of JSON and is drawn when somebody opens it.

use crate::data::{Finding, Growth, Metric, Report, State, Test};
use askama::Template;

/// So many requirements are listed in a page, over all metrics of all tests.
const REQUIREMENTS: usize = 30_000;
/// But so many of each metric in any case.
const LEAST_REQUIREMENTS: usize = 20;
/// A curve has no more points than this.
const POINTS: usize = 240;

/// The scripts, in the order in which they need each other.
const SCRIPTS: &[&str] = &[
    include_str!("../assets/basics.js"),
    include_str!("../assets/source.js"),
    include_str!("../assets/diagram.js"),
    include_str!("../assets/finding.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/coverage.js"),
    include_str!("../assets/main.js"),
];

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    report: &'a Report,
    css: &'static str,
    script: String,
    json: String,
    states: Vec<(State, usize)>,
    executions: u64,
    tests: Vec<TestRow<'a>>,
    findings: Vec<FindingRow<'a>>,
    kinds: Vec<&'a str>,
}

/// A test in the list.
struct TestRow<'a> {
    number: usize,
    test: &'a Test,
    findings: usize,
    bar: Option<Bar<'a>>,
}

/// How much of a metric was covered, in percent of what is known or estimated.
struct Bar<'a> {
    metric: &'a Metric,
    percent: u64,
    of: u64,
}

/// A finding in the list.
struct FindingRow<'a> {
    finding: &'a Finding,
    test: &'a Test,
    place: Option<String>,
}

/// The page.
pub fn html(report: &Report) -> Result<String, MakeError> {
    let inside = trimmed(report);
    let json = json(&inside)?;
    let mut states: Vec<(State, usize)> = Vec::new();
    for test in &report.tests {
        match states.iter_mut().find(|(state, _)| *state == test.state) {
            Some((_, count)) => *count += 1,
            None => states.push((test.state, 1)),
        }
    }
    states.sort_unstable();
    let mut kinds: Vec<&str> = report.findings.iter().map(|one| one.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let page = Page {
        report,
        css: include_str!("../assets/page.css"),
        script: SCRIPTS.concat(),
        json,
        states,
        executions: report.tests.iter().map(|test| test.executions).sum(),
        tests: report.tests.iter().enumerate().map(|(n, test)| test_row(report, n, test)).collect(),
        findings: report.findings.iter().map(|finding| finding_row(report, finding)).collect(),
        kinds,
    };
    Ok(page.render()?)
}

/// The page could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// The data can not be written as JSON.
    #[error("can not write the data of the page: {0}")]
    Json(#[from] serde_json::Error),
    /// The template could not be filled.
    #[error("can not fill the page: {0}")]
    Template(#[from] askama::Error),
}

fn test_row<'a>(report: &'a Report, number: usize, test: &'a Test) -> TestRow<'a> {
    let findings = report.findings.iter().filter(|finding| finding.test == number).count();
    // The first metric that can tell what is missing says most.
    let metric = test.metrics.iter().find(|metric| known(metric) > metric.covered_count);
    let bar = metric.or(test.metrics.first()).map(|metric| {
        let of = known(metric);
        Bar { metric, of, percent: (metric.covered_count * 100).checked_div(of).unwrap_or(100) }
    });
    TestRow { number, test, findings, bar }
}

/// How many requirements of a metric are known or thought to be there.
fn known(metric: &Metric) -> u64 {
    let unseen = metric.remaining.map_or(0.0, |left| left.unseen.max(0.0)).round() as u64;
    metric.covered_count + metric.uncovered_count.max(unseen)
}

fn finding_row<'a>(report: &'a Report, finding: &'a Finding) -> FindingRow<'a> {
    let place = finding.place.map(|place| {
        let place = &report.places[place];
        format!("{}:{}", report.files[place.file].short, place.line)
    });
    FindingRow { finding, test: &report.tests[finding.test], place }
}

/// The report with as many requirements and points of curves as a page has room for.
fn trimmed(report: &Report) -> Report {
    let mut report = report.clone();
    let metrics = report.tests.iter().map(|test| test.metrics.len()).sum::<usize>();
    let share = (REQUIREMENTS / (2 * metrics).max(1)).max(LEAST_REQUIREMENTS);
    for metric in report.tests.iter_mut().flat_map(|test| &mut test.metrics) {
        metric.covered.truncate(share);
        metric.uncovered.truncate(share);
        thin_out(&mut metric.growth);
    }
    let strategies = report.tests.iter_mut().flat_map(|test| &mut test.strategies);
    for reached in strategies.flat_map(|strategy| &mut strategy.metrics) {
        thin_out(&mut reached.growth);
    }
    report
}

/// Leaves some of the points of a curve, the last one among them.
fn thin_out(growth: &mut Vec<Growth>) {
    let (every, last) = (growth.len().div_ceil(POINTS).max(1), growth.last().copied());
    *growth = growth.iter().step_by(every).copied().collect();
    if growth.last().copied() != last {
        growth.extend(last);
    }
}

/// The data, such that no text in it can end the element that it stands in.
fn json(report: &Report) -> serde_json::Result<String> {
    Ok(serde_json::to_string(report)?.replace('<', "\\u003c"))
}
