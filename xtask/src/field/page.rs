//! The page of the book.

use super::compare::Comparison;
use super::kept::Kept;
use super::known::{Class, Known};
use super::process::Ran;
use super::subject::Subject;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Everything that the page has to tell about one crate.
struct Row<'a> {
    subject: &'a Subject,
    kept: &'a Kept,
    comparison: Comparison<'a>,
}

/// Renders the page.
pub(crate) fn render(measured: &[(Subject, Kept)], known: &Known) -> String {
    let rows: Vec<_> = measured
        .iter()
        .map(|(subject, kept)| Row { subject, kept, comparison: Comparison::of(kept) })
        .collect();
    let mut text = HEAD.to_owned();
    let commits: BTreeMap<_, _> = rows.iter().map(|row| (&row.kept.control.commit, ())).collect();
    let commits: Vec<_> = commits.into_keys().map(|commit| format!("`{commit}`")).collect();
    put(&mut text, format_args!("Measured on {}.\n\n", commits.join(", ")));
    table(&mut text, &rows);
    findings(&mut text, &rows, known);
    differences(&mut text, &rows, known);
    text
}

const HEAD: &str = "\
# Suites of published crates

<!-- Written by `cargo run -p xtask -- field`. -->

What becomes of the tests that published crates bring along, unmodified, under `cargo selvedge test` with default options. The
suite of each crate was run by `cargo test` and by the command, on a machine with two processors, and the verdicts were compared
test by test. *Build* is the processor time of the command's build, beside that of `cargo test --no-run`, both from nothing and with the
mirrors of std at hand. *Time* is that of the tests, under `cargo test` and under control, where each concurrent test is run up to 1,000
times or for 10 seconds. *Peak* is the most memory that one process had.

";

fn table(text: &mut String, rows: &[Row<'_>]) {
    text.push_str(
        "| crate | stands for | tests | same verdict | findings | not finished | build | time | peak |\n",
    );
    text.push_str("|---|---|---|---|---|---|---|---|---|\n");
    let (mut tests, mut same, mut found, mut unfinished) = (0, 0, 0, 0);
    let (mut native, mut control) = (0.0, 0.0);
    for Row { subject, kept, comparison } in rows {
        let kinds: Vec<_> = subject.stands_for.iter().map(|kind| kind.name()).collect();
        tests += comparison.tests;
        same += comparison.same;
        found += comparison.found.len();
        unfinished += comparison.unfinished;
        native += kept.native.build.processor;
        control += kept.control.build.processor;
        put(
            text,
            format_args!(
                "| {} {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                subject.name,
                subject.version,
                kinds.join(", "),
                comparison.tests,
                comparison.trouble.clone().unwrap_or_else(|| comparison.same.to_string()),
                comparison.found.len(),
                comparison.unfinished,
                ratio(kept.control.build.processor, kept.native.build.processor),
                times(kept.native.run.as_ref(), kept.control.run.as_ref()),
                kept.control.run.as_ref().map_or_else(String::new, |run| megabytes(run.peak)),
            ),
        );
    }
    put(
        text,
        format_args!(
            "| **{} crates** | | **{tests}** | **{same}** | **{found}** | **{unfinished}** | **{}** | | |\n\n",
            rows.len(),
            ratio(control, native),
        ),
    );
}

fn findings(text: &mut String, rows: &[Row<'_>], known: &Known) {
    text.push_str(
        "## Findings\n\nTests that pass under `cargo test` and in which something was found:\n\n",
    );
    text.push_str("| crate | test | finding | what it is |\n|---|---|---|---|\n");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for Row { subject, comparison, .. } in rows {
        for (explored, found) in &comparison.found {
            let judged = known.judged(subject, &explored.test, found);
            let class = judged.map_or("not looked at", |judged| judged.class.name());
            *counts.entry(class).or_default() += 1;
            let argument = judged.map_or("", |judged| judged.argument.trim());
            put(
                text,
                format_args!(
                    "| {} | `{}` | {} | **{class}**: {} |\n",
                    subject.name,
                    explored.test,
                    cell(&found.headline),
                    cell(argument),
                ),
            );
        }
    }
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    put(
        text,
        format_args!(
            "\n{} true, {} of the test's own race, {} false, {} not looked at.\n\n",
            count(Class::True.name()),
            count(Class::TestsOwn.name()),
            count(Class::False.name()),
            count("not looked at"),
        ),
    );
}

fn differences(text: &mut String, rows: &[Row<'_>], known: &Known) {
    text.push_str("## Other differences\n\n");
    let mut any = false;
    for Row { subject, comparison, .. } in rows {
        for (tested, how) in &comparison.different {
            any = true;
            let excused = known.excused(subject, &tested.test);
            let why = excused.map_or("nobody has looked at it", |excused| excused.argument.trim());
            put(text, format_args!("- {} `{}` {how}: {}\n", subject.name, tested.test, cell(why)));
        }
    }
    if !any {
        text.push_str("There are none.\n");
    }
}

fn ratio(control: f64, native: f64) -> String {
    format!("{:.2}×", control / native.max(0.001))
}

fn times(native: Option<&Ran>, control: Option<&Ran>) -> String {
    let seconds =
        |ran: Option<&Ran>| ran.map_or_else(|| "–".to_owned(), |ran| format!("{:.0} s", ran.wall));
    format!("{} / {}", seconds(native), seconds(control))
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes >> 20)
}

/// A text as it may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a string takes everything");
}
