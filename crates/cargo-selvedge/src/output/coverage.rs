//! What metrics have seen, for people and for plots.

use selvedge_model::{MetricReport, Requirement};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A test and what the metrics have seen of it.
#[derive(Debug, Serialize)]
pub(crate) struct Measured<'a> {
    pub(crate) binary: String,
    pub(crate) test: &'a str,
    pub(crate) executions: u64,
    pub(crate) metrics: Vec<MetricReport>,
}

/// One metric over all tests.
struct Sum<'a> {
    metric: &'a str,
    covered: BTreeSet<&'a Requirement>,
    /// Known to be possible, and covered by no test.
    uncovered: BTreeSet<&'a Requirement>,
    weight: Option<u64>,
    /// How many requirements all executions covered, each by itself.
    each: f64,
    executions: u64,
}

fn sums<'a>(measured: &'a [Measured<'a>]) -> Vec<Sum<'a>> {
    let mut sums: Vec<Sum<'a>> = Vec::new();
    for test in measured {
        for (index, report) in test.metrics.iter().enumerate() {
            if index == sums.len() {
                sums.push(Sum {
                    metric: &report.metric,
                    covered: BTreeSet::new(),
                    uncovered: BTreeSet::new(),
                    weight: None,
                    each: 0.0,
                    executions: 0,
                });
            }
            let sum = &mut sums[index];
            sum.covered.extend(&report.covered);
            sum.uncovered.extend(&report.uncovered);
            sum.each += report.average * test.executions as f64;
            sum.executions += test.executions;
            if let Some(weight) = report.weight {
                *sum.weight.get_or_insert(0) += weight;
            }
        }
    }
    for sum in &mut sums {
        sum.uncovered.retain(|requirement| !sum.covered.contains(requirement));
    }
    sums
}

/// How much of each metric was covered, by all tests together.
pub(crate) fn table(measured: &[Measured<'_>]) -> String {
    let mut text = format!(
        "{:18} {:>9} {:>9} {:>14} {:>8}\n",
        "metric", "covered", "known", "one execution", "weight"
    );
    for sum in sums(measured) {
        let known = sum.covered.len() + sum.uncovered.len();
        let each = sum.each / sum.executions.max(1) as f64;
        let weight = sum.weight.map_or_else(|| "-".to_owned(), |weight| weight.to_string());
        let (metric, covered) = (sum.metric, sum.covered.len());
        text.push_str(&format!("{metric:18} {covered:>9} {known:>9} {each:>14.1} {weight:>8}\n"));
    }
    text
}

/// How good each metric is for each test that ran more than once.
pub(crate) fn quality_table(measured: &[Measured<'_>]) -> String {
    let mut text = String::new();
    for test in measured.iter().filter(|test| test.executions > 1) {
        text.push_str(&format!("{} {}, {} executions:\n", test.binary, test.test, test.executions));
        let heads = ["metric", "Total", "Average %", "Smooth %"];
        text.push_str(&format!(
            "  {:18} {:>10} {:>10} {:>10}\n",
            heads[0], heads[1], heads[2], heads[3]
        ));
        for report in &test.metrics {
            let Some(quality) = report.quality else { continue };
            // Of nothing there is no part.
            let average = match quality.total > 0.0 {
                true => format!("{:.0}", quality.average * 100.0),
                false => "-".to_owned(),
            };
            let (total, smooth) = (quality.total, quality.smooth * 100.0);
            text.push_str(&format!(
                "  {:18} {total:>10.1} {average:>10} {smooth:>10.1}\n",
                report.metric
            ));
        }
    }
    text
}

/// Every requirement that was covered, by metric.
pub(crate) fn list(measured: &[Measured<'_>]) -> String {
    let mut text = String::new();
    for sum in sums(measured) {
        text.push_str(&format!("covered, {}:\n", sum.metric));
        for requirement in &sum.covered {
            text.push_str(&format!("  {requirement}\n"));
        }
    }
    text
}

/// What is known to be possible and was not covered, by file; nothing if there is nothing.
pub(crate) fn uncovered(measured: &[Measured<'_>]) -> String {
    let mut files: BTreeMap<&str, Vec<(&str, &Requirement)>> = BTreeMap::new();
    let sums = sums(measured);
    for sum in &sums {
        for requirement in &sum.uncovered {
            let file = requirement.file().unwrap_or("elsewhere");
            files.entry(file).or_default().push((sum.metric, requirement));
        }
    }
    let mut text = String::new();
    for (file, requirements) in files {
        text.push_str(&format!("\nnot covered, {file}:\n"));
        for (metric, requirement) in requirements {
            text.push_str(&format!("  {metric:8} {requirement}\n"));
        }
    }
    text
}

/// How coverage grew: a line for each execution after which it had changed.
pub(crate) fn growth_csv(measured: &[Measured<'_>]) -> String {
    let mut text = "binary,test,metric,execution,covered\n".to_owned();
    for Measured { binary, test, executions, metrics } in measured {
        for report in metrics {
            let mut last = None;
            for growth in &report.growth {
                let (execution, covered) = (growth.execution, growth.covered);
                text.push_str(&format!(
                    "{binary},{test},{},{execution},{covered}\n",
                    report.metric
                ));
                last = Some((execution, covered));
            }
            // The curve goes on to the end.
            if let Some((execution, covered)) = last
                && execution < *executions
            {
                text.push_str(&format!(
                    "{binary},{test},{},{executions},{covered}\n",
                    report.metric
                ));
            }
        }
    }
    text
}

/// Everything that is known, a line of JSON for each test.
pub(crate) fn json_lines(measured: &[Measured<'_>]) -> anyhow::Result<String> {
    let mut text = String::new();
    for test in measured {
        text.push_str(&serde_json::to_string(test)?);
        text.push('\n');
    }
    Ok(text)
}
