//! What stopping at saturation loses on the corpus.
//!
//! Each bug is looked for with each seed as the command does by default, but with more executions. Where it stops
//! without a finding, the same search goes on without stopping: a bug that is found only then is *lost*. A search
//! that finds something need not be made twice, because stopping changes nothing before it happens.
//!
//! Each search is kept below `target/corpus`, so that an interrupted chore goes on where it was. It counts for the
//! program that was measured and for no other. All bugs are looked for with one seed before the next: who has no
//! time for all of it has seen every bug.

use super::bug::{Bug, Version};
use super::command::test;
use super::measure::first_finding;
use crate::selvedge::{Profile, Selvedge};
use crate::{Output, Result};
use selvedge_model::Verdict;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What is written.
const FILE: &str = "corpus/SATURATION.md";

/// So many searches are made for each bug.
const SEEDS: u64 = 20;
/// A bug that is not found in so many executions is not found.
const EXECUTIONS: u64 = 20_000;
/// Enough for that on any machine.
const TIME: &str = "300s";

/// A search for a bug.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Search {
    bug: String,
    seed: u64,
    /// The executions after which it stops because it is saturated, if it does.
    stops: Option<u64>,
    /// The execution that finds the bug if nothing stops the search, if one does.
    found: Option<u64>,
    /// How many executions there were if nothing stops it.
    executions: u64,
}

/// Looks for all bugs and gives back what was lost.
pub(crate) fn measure(root: &Path) -> Result<Output> {
    let bugs = super::bug::read(root)?;
    let selvedge = Selvedge::build(root, Profile::Release)?;
    let folder = root.join("target/corpus");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("saturation-{}.jsonl", selvedge.fingerprint));
    let before = if file.is_file() { fs::read_to_string(&file)? } else { String::new() };
    // The last line of a chore that was interrupted may be none.
    let mut searches: Vec<Search> =
        before.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let mut file = OpenOptions::new().create(true).append(true).open(file)?;
    writeln!(file)?;
    for seed in 1..=SEEDS {
        for bug in &bugs {
            if searches.iter().any(|search| search.bug == bug.name && search.seed == seed) {
                continue;
            }
            let search = Search::make(&selvedge, root, bug, seed)?;
            println!("{search:?}");
            writeln!(file, "{}", serde_json::to_string(&search)?)?;
            searches.push(search);
        }
    }
    // A bug that is not in the list any more.
    searches.retain(|search| bugs.iter().any(|bug| bug.name == search.bug));
    Ok(Output { path: PathBuf::from(FILE), text: render(&selvedge.commit, &searches) })
}

impl Search {
    fn make(selvedge: &Selvedge, root: &Path, bug: &Bug, seed: u64) -> Result<Self> {
        let manifest = bug.manifest(root, Version::Buggy);
        let flags = bug.kind.flags();
        let (executions, seed_text) = (EXECUTIONS.to_string(), seed.to_string());
        let usual = [("executions", &*executions), ("time", TIME), ("seed", &*seed_text)];
        let mut tested = test(selvedge, root, &manifest, flags, &usual)?;
        let is_saturated = tested
            .iter()
            .any(|tested| tested.verdict.as_deref() == Some(Verdict::Saturated.name()));
        let mut stops = None;
        if first_finding(&tested).is_none() && is_saturated {
            stops = tested.iter().map(|tested| tested.executions).max();
            let unstopped = [usual[0], usual[1], usual[2], ("saturation", "none")];
            tested = test(selvedge, root, &manifest, flags, &unstopped)?;
        }
        let found = first_finding(&tested).map(|(_, finding)| finding.execution);
        let executions = tested.iter().map(|tested| tested.executions).max().unwrap_or(0);
        Ok(Self { bug: bug.name.clone(), seed, stops, found, executions })
    }

    fn is_lost(&self) -> bool {
        self.stops.is_some() && self.found.is_some()
    }
}

/// What was lost, and what was not found at all.
fn render(commit: &str, searches: &[Search]) -> String {
    let mut bugs: Vec<&str> = searches.iter().map(|search| search.bug.as_str()).collect();
    bugs.sort_unstable();
    bugs.dedup();
    let found = searches.iter().filter(|search| search.found.is_some()).count();
    let lost = searches.iter().filter(|search| search.is_lost()).count();
    let share = 100.0 * lost as f64 / found.max(1) as f64;
    let latest = searches.iter().filter_map(|search| search.found).max().unwrap_or(0);
    let mut text = format!(
        "Measured by `cargo run --release -p xtask -- corpus saturation` on commit {commit}.\n\n\
         {} bugs, {SEEDS} seeds each: {} searches, of which {found} find the bug within {EXECUTIONS} executions if \
         nothing stops them, the last of them in execution {latest}. Stopping loses {lost} of these ({share:.2} %).\n",
        bugs.len(),
        searches.len(),
    );
    for Search { bug, seed, stops, found, executions } in searches {
        match (stops, found) {
            (None, Some(_)) => continue,
            (Some(stops), Some(found)) => write!(
                text,
                "\n{bug} is lost with seed {seed}: stops after {stops}, found by {found}.\n"
            ),
            (_, None) => {
                write!(text, "\n{bug} is not found with seed {seed}, in {executions} executions.\n")
            }
        }
        .expect("a string takes everything");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Search, render};

    #[test]
    fn a_lost_bug_is_counted_and_named() {
        let search = |bug: &str, seed, stops, found| Search {
            bug: bug.to_owned(),
            seed,
            stops,
            found,
            executions: found.unwrap_or(20_000),
        };
        let text = render(
            "abc",
            &[
                search("lock-1", 1, None, Some(3)),
                search("lock-1", 2, Some(512), Some(600)),
                search("lock-2", 1, None, Some(900)),
                search("lock-2", 2, Some(256), None),
            ],
        );
        assert!(text.contains("on commit abc"), "{text}");
        assert!(text.contains("4 searches, of which 3 find the bug"), "{text}");
        assert!(text.contains("the last of them in execution 900"), "{text}");
        assert!(text.contains("Stopping loses 1 of these (33.33 %)"), "{text}");
        let lost = "lock-1 is lost with seed 2: stops after 512, found by 600.";
        assert!(text.contains(lost), "{text}");
        assert!(text.contains("lock-2 is not found with seed 2, in 20000 executions."), "{text}");
    }
}
