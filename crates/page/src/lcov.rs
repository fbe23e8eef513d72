//! Requirements as branches, in the format of `geninfo`, for viewers of coverage.
//!
//! A requirement stands at the line of its first place. The block of a branch is the metric, in the
//! order in which metrics come; its number is that of the requirement among those of the metric at
//! this line. Of all tests together a branch was taken as often as there are tests that covered it.
//! What names no line is left out, for the format has no place for it, and so are files that could not
//! be read, such as those of the standard library, which viewers would miss.

use crate::data::{Metric, Report, Requirement};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A requirement, as it is told from the others of its metric.
type Key<'a> = Vec<(&'a str, Option<usize>)>;
/// How often each requirement of a line was covered, by the number of the metric.
type Branches<'a> = BTreeMap<(usize, Key<'a>), u64>;

/// The coverage of all tests together.
pub fn lcov(report: &Report) -> String {
    let mut metrics: Vec<&str> = Vec::new();
    let mut files: BTreeMap<&str, BTreeMap<u32, Branches<'_>>> = BTreeMap::new();
    for metric in report.tests.iter().flat_map(|test| &test.metrics) {
        let block = metrics.iter().position(|name| *name == metric.name).unwrap_or_else(|| {
            metrics.push(&metric.name);
            metrics.len() - 1
        });
        for (requirement, taken) in requirements(metric) {
            let Some(place) = requirement.place().map(|place| &report.places[place]) else {
                continue;
            };
            let file = &report.files[place.file];
            if file.excerpts.is_empty() {
                continue;
            }
            let lines = files.entry(&file.name).or_default();
            let branches = lines.entry(place.line).or_default();
            *branches.entry((block, key(requirement))).or_default() += taken;
        }
    }
    let mut text = String::new();
    for (file, lines) in files {
        // Writing to a string does not fail.
        let _ = write!(text, "TN:\nSF:{file}\n");
        let (mut found, mut hit) = (0, 0);
        for (line, branches) in &lines {
            let mut last = (usize::MAX, 0);
            for ((block, _), taken) in branches {
                last = if last.0 == *block { (*block, last.1 + 1) } else { (*block, 0) };
                let _ = writeln!(text, "BRDA:{line},{block},{},{taken}", last.1);
                found += 1;
                hit += u64::from(*taken > 0);
            }
        }
        let _ = write!(text, "BRF:{found}\nBRH:{hit}\n");
        let mut covered_lines = 0;
        for (line, branches) in &lines {
            let covered = branches.values().filter(|taken| **taken > 0).count();
            covered_lines += u64::from(covered > 0);
            let _ = writeln!(text, "DA:{line},{covered}");
        }
        let _ = write!(text, "LF:{}\nLH:{covered_lines}\nend_of_record\n", lines.len());
    }
    text
}

fn requirements(metric: &Metric) -> impl Iterator<Item = (&Requirement, u64)> {
    let covered = metric.covered.iter().map(|requirement| (requirement, 1));
    covered.chain(metric.uncovered.iter().map(|requirement| (requirement, 0)))
}

fn key(requirement: &Requirement) -> Key<'_> {
    requirement.parts.iter().map(|part| (part.text.as_str(), part.place)).collect()
}
