//! What was found, as a table for people.

use super::bug::Bug;
use super::measure::{Fixed, Found, Measured, REPLAYS};

const INTRODUCTION: &str = "\
# Bugs of published crates, found by ordinary tests

Written by `cargo run --release -p xtask -- corpus`; see [README.md](README.md). Each test is looked at for at most a
minute with the default strategy and the default seed. *Found in* is the execution that failed first; the seconds include
confirming the finding and making its schedule shorter. *Replays* says how often the schedule showed the same problem
again, each time in a new process. *Fixed* says for how many executions the same test was silent with the
corrected version.

";

const HEAD: &str = "\
| bug | crate | kind | finding | found by | found in | seconds | decisions | replays | fixed |
|---|---|---|---|---|---|---|---|---|---|
";

/// The whole page.
pub(crate) fn render(measured: &[(Bug, Measured)]) -> String {
    let found = measured.iter().filter(|(_, measured)| measured.found.is_some()).count();
    let total = measured.len();
    let mut page =
        format!("{INTRODUCTION}{found} of {total} are found.\n\n{HEAD}{}", rows(measured));
    let notes: Vec<_> = measured
        .iter()
        .filter_map(|(bug, _)| Some(format!("- **{}**: {}\n", bug.name, bug.pending.as_ref()?)))
        .collect();
    if !notes.is_empty() {
        page.push_str("\n## Notes\n\n");
        page.extend(notes);
    }
    page
}

/// A row for each bug.
pub(crate) fn rows(measured: &[(Bug, Measured)]) -> String {
    measured.iter().map(|(bug, measured)| row(bug, measured)).collect()
}

fn row(bug: &Bug, measured: &Measured) -> String {
    let Bug { name, krate, buggy, source, kind, .. } = bug;
    let what = format!("[{name}]({source}) | {krate} {buggy} | {}", kind.name());
    let found = match &measured.found {
        Some(found) => found_cells(found),
        None => "**not found** | | | | | ".to_owned(),
    };
    let fixed = match (&bug.fixed, &measured.fixed) {
        (Some(version), Some(Fixed { executions, found: None })) => {
            format!("{version}: silent for {executions}")
        }
        (Some(version), Some(Fixed { found: Some(found), .. })) => {
            format!("**{version}: {found}**")
        }
        _ => "no version yet".to_owned(),
    };
    format!("| {what} | {found} | {fixed} |\n")
}

fn found_cells(found: &Found) -> String {
    let Found { kind, strategy, execution, seconds, decisions, replays, .. } = found;
    let strategy = strategy.trim_start_matches("portfolio: ");
    format!("{kind} | {strategy} | {execution} | {seconds:.1} | {decisions} | {replays}/{REPLAYS}")
}

#[cfg(test)]
mod tests {
    use super::{Measured, render};
    use crate::corpus::bug::{Bug, Kind};
    use crate::corpus::measure::{Fixed, Found};

    fn bug(name: &str, fixed: Option<&str>) -> Bug {
        Bug {
            name: name.to_owned(),
            krate: "lock".to_owned(),
            buggy: "1.0.0".to_owned(),
            fixed: fixed.map(str::to_owned),
            source: "https://example.org/1".to_owned(),
            kind: Kind::Deadlock,
            pending: None,
        }
    }

    #[test]
    fn a_row_says_what_was_found_and_how_the_fixed_version_did() {
        let found = Found {
            headline: "deadlock: 2 threads wait for each other".to_owned(),
            kind: "deadlock",
            strategy: "portfolio: pct(3)".to_owned(),
            execution: 7,
            seconds: 0.04,
            decisions: 2,
            replays: 10,
        };
        let fixed = Fixed { executions: 50_000, found: None };
        let measured = [
            (bug("lock-1", Some("1.0.1")), Measured { found: Some(found), fixed: Some(fixed) }),
            (bug("lock-2", None), Measured { found: None, fixed: None }),
        ];
        let page = render(&measured);
        assert!(page.contains("1 of 2 are found."), "{page}");
        assert!(
            page.contains(
                "| [lock-1](https://example.org/1) | lock 1.0.0 | deadlock | deadlock | pct(3) | 7 | 0.0 | 2 | 10/10 | 1.0.1: \
                 silent for 50000 |\n"
            ),
            "{page}"
        );
        assert!(page.contains("| **not found** | | | | |  | no version yet |\n"), "{page}");
    }
}
