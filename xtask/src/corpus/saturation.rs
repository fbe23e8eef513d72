//! What stopping at saturation loses on the corpus.
//!
//! Each bug is looked for with each seed as the command does by default, but with more executions. Where it stops
//! without a finding, the same search goes on without stopping: a bug that is found only then is *lost*. A search
//! that finds something need not be made twice, because stopping changes nothing before it happens.

use super::bug::{Bug, Version};
use super::command::test;
use super::measure::first_finding;
use crate::{Output, Result};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What is written.
const FILE: &str = "corpus/SATURATION.md";

/// So many searches are made for each bug.
const SEEDS: u64 = 20;
/// A bug that is not found in so many executions is not found.
const EXECUTIONS: &str = "20000";
/// Enough for that on any machine.
const TIME: &str = "300s";

/// What came of the searches for one bug.
#[derive(Debug, Default)]
struct Row {
    name: String,
    /// How many searches found it before they stopped.
    found: u64,
    /// The seeds with which it is found only if nothing stops the search, with the executions after which the
    /// search stopped and the one that finds it.
    lost: Vec<(u64, u64, u64)>,
}

/// Looks for all bugs and gives back what was lost.
pub(crate) fn measure(root: &Path) -> Result<Output> {
    let mut rows = Vec::new();
    for bug in super::bug::read(root)? {
        let row = row(root, &bug)?;
        println!("{}: {} of {SEEDS} found, {} lost", row.name, row.found, row.lost.len());
        rows.push(row);
    }
    Ok(Output { path: PathBuf::from(FILE), text: render(&rows) })
}

fn row(root: &Path, bug: &Bug) -> Result<Row> {
    let manifest = bug.manifest(root, Version::Buggy);
    let mut row = Row { name: bug.name.clone(), ..Row::default() };
    for seed in 1..=SEEDS {
        let seed_text = seed.to_string();
        let usual = [("executions", EXECUTIONS), ("time", TIME), ("seed", &*seed_text)];
        let stopped = test(root, &manifest, bug.kind.flags(), &usual)?;
        if first_finding(&stopped).is_some() {
            row.found += 1;
            continue;
        }
        let unstopped = [usual[0], usual[1], usual[2], ("saturation", "none")];
        let went_on = test(root, &manifest, bug.kind.flags(), &unstopped)?;
        if let Some((tested, finding)) = first_finding(&went_on) {
            let stop = stopped.iter().find(|other| other.test == tested.test);
            let stop = stop.map_or(0, |other| other.executions);
            row.lost.push((seed, stop, finding.execution));
        }
    }
    Ok(row)
}

/// The table, and what it does not show.
fn render(rows: &[Row]) -> String {
    let found: u64 = rows.iter().map(|row| row.found).sum();
    let lost: u64 = rows.iter().map(|row| row.lost.len() as u64).sum();
    let share = 100.0 * lost as f64 / (found + lost).max(1) as f64;
    let mut text = format!(
        "{} bugs, {SEEDS} seeds each: {} searches, of which {} find the bug within {EXECUTIONS} executions if \
         nothing stops them. Stopping loses {lost} of these ({share:.2} %).\n",
        rows.len(),
        rows.len() as u64 * SEEDS,
        found + lost,
    );
    for row in rows.iter().filter(|row| row.found + (row.lost.len() as u64) < SEEDS) {
        let missed = SEEDS - row.found - row.lost.len() as u64;
        let searches = if missed == 1 { "search" } else { "searches" };
        write!(text, "\n{}: {missed} {searches} find nothing either way.\n", row.name)
            .expect("a string takes everything");
    }
    for row in rows {
        for (seed, stop, found) in &row.lost {
            write!(
                text,
                "\n{} is lost with seed {seed}: stops after {stop}, found by {found}.\n",
                row.name
            )
            .expect("a string takes everything");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Row, render};

    #[test]
    fn a_lost_bug_is_counted_and_named() {
        let row = |name: &str, found, lost| Row { name: name.to_owned(), found, lost };
        let text = render(&[row("lock-1", 19, vec![(7, 512, 600)]), row("lock-2", 18, Vec::new())]);
        assert!(text.contains("40 searches, of which 38 find the bug"), "{text}");
        assert!(text.contains("Stopping loses 1 of these (2.63 %)"), "{text}");
        assert!(
            text.contains("lock-1 is lost with seed 7: stops after 512, found by 600."),
            "{text}"
        );
        assert!(text.contains("lock-2: 2 searches find nothing either way."), "{text}");
    }
}
