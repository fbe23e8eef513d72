//! What people and machines are told of each test.

use super::candidates::Found;
use super::work::{Status, Work};
use crate::output::{self, seconds};
use selvedge_migrate::gap::Gap;
use selvedge_migrate::infer::{Blocking, Event, Left, Node, Ordering};
use selvedge_migrate::rewrite::Migration;
use selvedge_migrate::source::{Sources, StatementId};
use serde::Serialize;
use std::path::PathBuf;

/// All tests, for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    tests: Vec<Test>,
}

#[derive(Debug, Serialize)]
struct Test {
    package: String,
    kind: String,
    target: String,
    test: String,
    file: PathBuf,
    line: usize,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merged_into: Option<String>,
    /// One ordering each.
    schedule: Vec<String>,
    events: Vec<Named>,
    orderings: Vec<Order>,
    sleeps_removed: Vec<usize>,
    sleeps_left: Vec<Stays>,
    verified: Verified,
    seconds: Seconds,
}

#[derive(Debug, Serialize)]
struct Named {
    name: String,
    role: &'static str,
    #[serde(flatten)]
    place: Place,
}

/// A gap, in the original file: before the statement in a line, or at the end of the block that is
/// closed in it. The end of a thread is that of its code.
#[derive(Debug, Serialize)]
struct Place {
    file: PathBuf,
    line: usize,
    column: usize,
    at: &'static str,
}

#[derive(Debug, Serialize)]
struct Order {
    text: String,
    before: End,
    blocking: bool,
    after: End,
    /// In how many of the runs it was seen.
    seen: usize,
}

#[derive(Debug, Serialize)]
struct End {
    event: String,
    occurrence: u32,
    #[serde(flatten)]
    place: Place,
}

#[derive(Debug, Serialize)]
struct Stays {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    reason: String,
}

#[derive(Debug, Serialize)]
struct Verified {
    checked: usize,
    passed: usize,
    executions: u64,
}

/// Seconds on real threads.
#[derive(Debug, Serialize)]
struct Seconds {
    original: Option<f64>,
    migrated: Option<f64>,
}

impl Report {
    /// Of all tests.
    pub(crate) fn of(found: &Found, works: &[Work]) -> Self {
        Self { tests: works.iter().map(|work| test(&found.sources, work)).collect() }
    }
}

fn test(sources: &Sources, work: &Work) -> Test {
    let candidate = &work.candidate;
    let body = sources.body(candidate.test.body);
    let (line, _) = sources.line_column(body.file, candidate.test.function.start);
    let migration = work.migration.as_ref();
    let line_of = |id: StatementId| {
        let statement = sources.statement(id);
        sources.line_column(statement.file, statement.range.start).0
    };
    Test {
        package: candidate.package.clone(),
        kind: candidate.kind.clone(),
        target: candidate.target.clone(),
        test: candidate.test.name.clone(),
        file: sources.file(body.file).path.clone(),
        line,
        status: match &work.status {
            Status::Open => "migrated",
            Status::Left => "left",
            Status::Refused(_) => "refused",
        },
        reason: match &work.status {
            Status::Refused(refusal) => Some(refusal.to_string()),
            Status::Left => {
                let why = migration.and_then(|migration| migration.inferred.left.first());
                why.map(|(_, why)| format!("its sleeps are not about ordering: {}", reason(why)))
            }
            Status::Open => None,
        },
        merged_into: work.merged.as_ref().map(|merged| merged.into.clone()),
        schedule: migration.map_or_else(Vec::new, Migration::schedule),
        events: migration.map_or_else(Vec::new, |migration| events(sources, migration)),
        orderings: migration.map_or_else(Vec::new, |migration| orderings(sources, migration)),
        sleeps_removed: migration
            .map_or_else(Vec::new, |m| m.inferred.removed.iter().map(|&id| line_of(id)).collect()),
        sleeps_left: migration.map_or_else(Vec::new, |migration| {
            let left = migration.inferred.left.iter();
            left.map(|(id, why)| Stays { line: id.map(line_of), reason: reason(why) }).collect()
        }),
        verified: Verified {
            checked: work.verified.checked,
            passed: work.verified.passed,
            executions: work.verified.executions,
        },
        seconds: Seconds {
            original: work.original.map(|time| time.as_secs_f64()),
            migrated: work.migrated.map(|time| time.as_secs_f64()),
        },
    }
}

fn events(sources: &Sources, migration: &Migration) -> Vec<Named> {
    let in_gaps = migration.names.events.iter();
    let in_gaps = in_gaps.map(|(&event, name)| named(sources, event, name));
    let ends = migration.names.threads.iter();
    let ends = ends
        .map(|(&body, name)| named(sources, Event::Ended(body), &format!("end@{}", name.as_str())));
    in_gaps.chain(ends).collect()
}

fn named(sources: &Sources, event: Event, name: &str) -> Named {
    Named { name: name.to_owned(), role: role(event), place: place(sources, event) }
}

fn role(event: Event) -> &'static str {
    match event {
        Event::Finished(_) => "finished",
        Event::Starting(_) => "starting",
        Event::Ended(_) => "ended",
    }
}

/// Where an event stands; the end of a thread is the end of its code.
fn place(sources: &Sources, event: Event) -> Place {
    let gap = match event {
        Event::Finished(gap) | Event::Starting(gap) => gap,
        Event::Ended(body) => Gap::End(sources.body(body).root),
    };
    let (file, offset) = (gap.file(sources), gap.offset(sources));
    let (line, column) = sources.line_column(file, offset);
    let at = if matches!(gap, Gap::Before(_)) { "before" } else { "end" };
    Place { file: sources.file(file).path.clone(), line, column, at }
}

fn orderings(sources: &Sources, migration: &Migration) -> Vec<Order> {
    let end = |node: Node| End {
        event: migration.node(Node { occurrence: 1, ..node }),
        occurrence: node.occurrence,
        place: place(sources, node.event),
    };
    let all = migration.inferred.orderings.iter();
    all.map(|ordering| Order {
        text: migration.ordering(ordering),
        before: end(ordering.before),
        blocking: ordering.blocking == Blocking::Yes,
        after: end(ordering.after),
        seen: migration.inferred.seen.get(ordering).copied().unwrap_or(0),
    })
    .collect()
}

/// An ordering between places, for one that has no names.
pub(super) fn unnamed(sources: &Sources, ordering: &Ordering) -> String {
    let end = |node: Node| {
        let Place { file, line, .. } = place(sources, node.event);
        format!("{}:{line} (occurrence {})", file.display(), node.occurrence)
    };
    format!("{} before {}", end(ordering.before), end(ordering.after))
}

/// Why a sleep stays.
pub(super) fn reason(left: &Left) -> String {
    match left {
        Left::Polling => {
            "it is in a loop that asks again and again whether something has happened".to_owned()
        }
        Left::Endless => "it is in a loop without an end".to_owned(),
        Left::Outlived => "the test is over before it is".to_owned(),
        Left::Alone => "the test has no other thread that it could wait for".to_owned(),
        Left::Unordered => {
            "no ordering was inferred from it: no other thread came to anything while it slept that it \
             could have waited for"
                .to_owned()
        }
        Left::InMacro(name) => format!(
            "it stands inside of `{name}!`, which is not looked into; take it out of the macro"
        ),
        Left::Elsewhere => {
            "it is not a statement of the test: a library sleeps, or a larger expression does"
                .to_owned()
        }
    }
}

/// Tells what became of a test.
pub(super) fn tell(found: &Found, work: &Work) {
    let label = work.candidate.label();
    match &work.status {
        Status::Refused(refusal) => output::Status::Refused.say(&format!("{label}: {refusal}")),
        Status::Left => output::Status::Left.say(&format!("{label}: its sleeps stay")),
        Status::Open => {
            let times = match (work.original, work.migrated) {
                (Some(before), Some(after)) => {
                    format!(": {} instead of {}", seconds(after), seconds(before))
                }
                _ => String::new(),
            };
            let verified = work.verified;
            output::Status::Migrated.say(&format!(
                "{label}{times}; verified by {} checked runs, {} runs and {} executions",
                verified.checked, verified.passed, verified.executions
            ));
        }
    }
    let Some(migration) = &work.migration else { return };
    for (statement, why) in &migration.inferred.left {
        let place = match statement {
            Some(id) => {
                let statement = found.sources.statement(*id);
                found.sources.place(statement.file, statement.range.start)
            }
            None => "somewhere".to_owned(),
        };
        output::note(&format!("the sleep at {place} stays: {}", reason(why)));
    }
}
