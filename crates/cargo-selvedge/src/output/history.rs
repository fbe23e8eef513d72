//! What has changed from campaign to campaign, as tables.

use selvedge_store::data::{Commit, TestName, Time, Tree};
use selvedge_store::history::{Entry, FindingHistory, History, Lost, State};
use std::collections::{BTreeMap, BTreeSet};

/// The whole history; `list` says whether each requirement is named.
pub(crate) fn show(history: &History, list: bool) -> String {
    let mut text = campaigns(&history.campaigns);
    if !history.findings.is_empty() {
        text.push_str("\nfindings:\n");
        let mut findings: Vec<_> = history.findings.iter().collect();
        findings.sort_by_key(|finding| (finding.state, &finding.test));
        for one in findings {
            text.push_str(&finding(one, &history.campaigns));
        }
    }
    if !history.lost.is_empty() {
        text.push_str(&lost(history, list));
    }
    text
}

/// A line for each campaign: when, of what, how much.
fn campaigns(entries: &[Entry]) -> String {
    let metrics: BTreeSet<&String> =
        entries.iter().flat_map(|entry| entry.covered.keys()).collect();
    let mut text = format!(
        "{:16} {:9} {:>6} {:>11} {:>9}",
        "campaign", "commit", "tests", "executions", "findings"
    );
    for metric in &metrics {
        text.push_str(&format!(" {:>width$}", metric, width = width(metric)));
    }
    text.push('\n');
    for entry in entries {
        let Entry { tests, executions, findings, .. } = entry;
        let (when, commit) = (moment(entry.began), commit(entry.commit.as_ref()));
        text.push_str(&format!("{when:16} {commit:9} {tests:>6} {executions:>11} {findings:>9}"));
        for metric in &metrics {
            let covered = entry.covered.get(*metric);
            let covered = covered.map_or_else(|| "-".to_owned(), u64::to_string);
            text.push_str(&format!(" {covered:>width$}", width = width(metric)));
        }
        text.push_str(if entry.complete { "\n" } else { "  not to its end\n" });
    }
    text
}

fn width(metric: &str) -> usize {
    metric.len().max(7)
}

/// A finding, what became of it, and when.
fn finding(finding: &FindingHistory, entries: &[Entry]) -> String {
    let FindingHistory { id, test, headline, state, first, last, explored } = finding;
    let at = |index: &usize| name(&entries[*index]);
    let (word, when) = match state {
        State::New => ("new", format!("since {}", at(first))),
        State::Still => ("still", format!("since {}", at(first))),
        State::Gone => ("gone", format!("found last at {}, not at {}", at(last), at(explored))),
        State::Unknown => {
            ("unknown", format!("found last at {}; {} stopped before", at(last), at(explored)))
        }
    };
    format!("  {word:8} {id}  {}: {headline}\n{:20} {when}\n", label(test), "")
}

/// What is not covered any more, by test and metric.
fn lost(history: &History, list: bool) -> String {
    let mut groups: BTreeMap<(&TestName, &str), Vec<&Lost>> = BTreeMap::new();
    for lost in &history.lost {
        groups.entry((&lost.test, &lost.metric)).or_default().push(lost);
    }
    let mut text = "\ncovered before and not any more:\n".to_owned();
    for ((test, metric), all) in groups {
        let Some(first) = all.first() else { continue };
        let at = |index: usize| name(&history.campaigns[index]);
        let (before, now, count) = (at(first.before), at(first.now), all.len());
        let test = label(test);
        text.push_str(&format!("  {test}, {metric}: {count} of {before}, not at {now}\n"));
        for lost in all.iter().filter(|_| list) {
            text.push_str(&format!("    {}\n", lost.requirement));
        }
    }
    if !list {
        text.push_str("  (--list names them)\n");
    }
    text
}

/// A test as people name it.
fn label(test: &TestName) -> String {
    let TestName { package, target, kind, name } = test;
    match kind.as_str() {
        "lib" | "proc-macro" => format!("{package} {name}"),
        kind => format!("{package}::{kind}/{target} {name}"),
    }
}

/// A campaign as people name it: by its commit, or by its time if there is none.
fn name(entry: &Entry) -> String {
    match &entry.commit {
        Some(_) => commit(entry.commit.as_ref()),
        None => moment(entry.began),
    }
}

/// The beginning of a commit's name, with a plus if the sources had been changed since.
fn commit(commit: Option<&Commit>) -> String {
    let Some(Commit { id, tree }) = commit else { return "-".to_owned() };
    let short = id.get(..8).unwrap_or(id);
    match tree {
        Tree::Clean => short.to_owned(),
        Tree::Changed => format!("{short}+"),
    }
}

/// A moment, in the time of Greenwich.
fn moment(time: Time) -> String {
    let seconds = time.0 / 1000;
    let (days, minutes) = (seconds / 86_400, seconds / 60 % 1440);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// The date so many days after the first of January 1970. Years are counted from March here, so
/// that leap days come last.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{date, moment};
    use selvedge_store::data::Time;

    #[test]
    fn moments_are_those_of_the_calendar() {
        assert_eq!(moment(Time(0)), "1970-01-01 00:00");
        assert_eq!(moment(Time(1_709_209_859_999)), "2024-02-29 12:30");
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(47_541), (2100, 3, 1));
    }
}
