//! What people are told of a type.

use crate::generate::Came;
use crate::output::{Status, note, seconds};
use selvedge_generate::{Harness, Row};
use selvedge_harness::{
    Alone, CallId, Called, EndedAs, GenerateSummary, GeneratedTest, Level, Seen, Unjudged,
    Violation, Wrong,
};

/// A call, as people write it.
fn call(row: &Row, called: &Called) -> String {
    let arguments: Vec<_> = called.arguments.iter().map(ToString::to_string).collect();
    format!("{}({})", row.name, arguments.join(", "))
}

/// The number of a thread, in words.
fn thread_name(at: usize) -> String {
    ["first", "second", "third"]
        .get(at)
        .map_or_else(|| format!("{}th", at + 1), |name| (*name).to_owned())
}

fn result(seen: &Seen, slot: usize) -> String {
    match &seen.results[slot] {
        Some(text) => text.clone(),
        None => "does not come back".to_owned(),
    }
}

/// What is wrong, in words.
pub(crate) fn headline(violation: &Violation) -> &'static str {
    match violation.wrong {
        Wrong::Crash => "the process would crash",
        Wrong::Memory => "memory is misused",
        Wrong::DroppedTwice => "a value is dropped twice",
        Wrong::UsedAfterDrop => "a value is used after it was dropped",
        Wrong::Panic => "a call panics that panics in no order of the calls",
        Wrong::Blocked => "a thread waits for ever that does so in no order of the calls",
        Wrong::Leak => "a value is never dropped",
        Wrong::Results => "no order of the calls returns these results",
    }
}

/// Tells of a violation.
pub(crate) fn tell_violation(harness: &Harness, violation: &Violation) {
    let status = match violation.level {
        Level::Finding => Status::Found,
        Level::Note => Status::Note,
    };
    status.say(&format!("{}: {}", harness.subject.name, headline(violation)));
    for line in describe(harness, violation) {
        anstream::eprintln!("     {line}");
    }
}

/// The test and what came of it, line by line.
pub(crate) fn describe(harness: &Harness, violation: &Violation) -> Vec<String> {
    let test = &violation.test;
    let calls = harness.calls();
    let row = |id: CallId| calls[id.index()];
    let constructors = harness.constructors();
    let mut lines = Vec::new();
    lines.push(format!(
        "on  {}",
        call(constructors[test.constructor.call.index()], &test.constructor)
    ));
    let mut slot = 0;
    let mut add = |lines: &mut Vec<String>, heading: &str, list: &[Called]| {
        for called in list {
            let result = result(&violation.seen, slot);
            lines.push(format!("{heading:<14} {} -> {result}", call(row(called.call), called)));
            slot += 1;
        }
    };
    add(&mut lines, "before", &test.prefix);
    for (at, thread) in test.threads.iter().enumerate() {
        add(&mut lines, &format!("{} thread", thread_name(at)), thread);
    }
    add(&mut lines, "afterwards", &test.end);
    lines.extend(overlaps(test, violation, |called| row(called.call).name.clone()));
    lines.push(possible(violation));
    lines.push(format!("after {} tests, {}", violation.tests, seconds(violation.after)));
    lines
}

fn overlaps(
    test: &GeneratedTest,
    violation: &Violation,
    name: impl Fn(&Called) -> String,
) -> Option<String> {
    let calls: Vec<_> = test.calls().zip(&violation.spans).collect();
    let mut met = Vec::new();
    for (at, ((stand, one), span)) in calls.iter().enumerate() {
        for ((other_stand, other), other_span) in &calls[at + 1..] {
            let threads = matches!(
                (stand, other_stand),
                (selvedge_harness::Stand::Thread(a), selvedge_harness::Stand::Thread(b)) if a != b
            );
            if threads && span.overlaps(**other_span) {
                met.push(format!("{} with {}", name(one), name(other)));
            }
        }
    }
    (!met.is_empty()).then(|| format!("at the same time: {}", met.join(", ")))
}

/// What orders of the calls return, in one line.
fn possible(violation: &Violation) -> String {
    const SHOWN: usize = 4;
    let mut texts: Vec<_> = violation.possible.iter().map(in_one_line).collect();
    texts.sort();
    texts.dedup();
    let more = texts.len().saturating_sub(SHOWN);
    texts.truncate(SHOWN);
    let more = if more == 0 { String::new() } else { format!(" and {more} others") };
    format!("possible: {}{more}", texts.join(" | "))
}

fn in_one_line(seen: &Seen) -> String {
    let results: Vec<_> = (0..seen.results.len()).map(|slot| result(seen, slot)).collect();
    let ended = match seen.ended {
        EndedAs::Passed => "",
        EndedAs::Blocked => " (waits for ever)",
        EndedAs::TooLong => " (too long)",
        EndedAs::Crashed => " (crashes)",
        EndedAs::Panicked => " (panics)",
        EndedAs::Memory => " (misuses memory)",
        EndedAs::Other => " (fails)",
    };
    format!("{}{ended}", results.join(", "))
}

/// Tells what came of a type.
pub(crate) fn tell_summary(harness: &Harness, came: &Came) {
    let name = &harness.subject.name;
    let calls = harness.calls();
    for (call, how) in &came.deadly {
        note(&format!("{name}: {} is left out: its process {how}", calls[call.index()].name));
    }
    for trouble in &came.trouble {
        note(&format!("{name}: {trouble}"));
    }
    let Some(summary) = &came.summary else { return };
    for (call, alone) in &summary.alone {
        let what = match alone {
            Alone::Blocks => "waits for ever",
            Alone::Panics => "panics",
            Alone::Crashes => "crashes",
            Alone::TooLong => "does not end within the steps of an execution",
        };
        note(&format!("{name}: {} {what} alone on a new object", calls[call.index()].name));
    }
    let findings = came.violations.iter().filter(|one| one.level == Level::Finding).count();
    let status = if findings > 0 { Status::Failed } else { Status::Passed };
    status.say(&format!("{name}: {}", counts(summary, harness)));
}

fn counts(summary: &GenerateSummary, harness: &Harness) -> String {
    let counts = &summary.counts;
    let share = 100.0 * counts.unjudged.total() as f64 / counts.executions.max(1) as f64;
    let unjudged = match counts.unjudged {
        Unjudged { orders: 0, too_long: 0, void: 0 } => "all judged".to_owned(),
        Unjudged { orders, too_long, void } => format!(
            "{share:.1} % not judged ({orders} have too many orders, {too_long} are too long, the beginning of {void} fails)"
        ),
    };
    let per_second = counts.tests as f64 / counts.time.as_secs_f64().max(1e-9);
    format!(
        "{} calls, {} of {} pairs, {} tests ({per_second:.0} a second), {} executions, {} orders, {unjudged}, {}",
        harness.calls().len(),
        counts.covered,
        counts.pairs,
        counts.tests,
        counts.executions,
        counts.orders,
        seconds(counts.time),
    )
}
