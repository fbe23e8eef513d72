//! What the tests share: ways to run a small program and to see what came of it.

use selvedge::{Builder, Finding, FindingKind, Report, StrategyName};
use std::any::Any;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Longer than any test takes: budgets of executions decide, not the clock of the machine.
const FOR_EVER: Duration = Duration::from_secs(3600);

/// Every schedule, at most so many.
pub(crate) fn exhaustive(executions: u64) -> Builder {
    Builder::new().strategy(StrategyName::Exhaustive).executions(executions).time(FOR_EVER)
}

/// The default strategy, with so many executions.
pub(crate) fn portfolio(executions: u64) -> Builder {
    Builder::new().strategy(StrategyName::Portfolio).executions(executions).time(FOR_EVER)
}

/// Runs a program and collects what its executions say.
pub(crate) fn outcomes<T: Ord + Send + 'static>(
    builder: Builder,
    program: impl Fn() -> T + Send + Sync + 'static,
) -> (BTreeSet<T>, Report) {
    let seen = Arc::new(Mutex::new(BTreeSet::new()));
    let theirs = Arc::clone(&seen);
    let report = builder
        .explore(move || {
            let outcome = program();
            theirs.lock().unwrap().insert(outcome);
        })
        .unwrap();
    let seen = mem::take(&mut *seen.lock().unwrap());
    (seen, report)
}

/// What a program does wrong.
#[track_caller]
pub(crate) fn finding(builder: Builder, program: impl Fn() + Send + Sync + 'static) -> Finding {
    let report = builder.explore(program).unwrap();
    report.finding.unwrap_or_else(|| {
        panic!("nothing was found in {} executions: {:?}", report.executions, report.stopped)
    })
}

/// A program does nothing wrong.
#[track_caller]
pub(crate) fn silent(builder: Builder, program: impl Fn() + Send + Sync + 'static) -> Report {
    let report = builder.explore(program).unwrap();
    assert_eq!(report.finding.as_ref().map(|finding| &finding.kind), None::<&FindingKind>);
    report
}

/// The text of the panic that the closure ends with.
#[track_caller]
pub(crate) fn panic_message(f: impl FnOnce()) -> String {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(()) => panic!("there was no panic"),
        Err(payload) => text(&*payload),
    }
}

/// The text of a panic's payload.
pub(crate) fn text(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => panic!("a panic without a text"),
    }
}

/// The number of the line of `source` that ends in the comment `marker`.
#[track_caller]
pub(crate) fn line(source: &str, marker: &str) -> u32 {
    let comment = format!("// {marker}");
    let mut lines = (1..).zip(source.lines()).filter(|(_, line)| line.ends_with(&comment));
    match (lines.next(), lines.next()) {
        (Some((number, _)), None) => number,
        (None, _) => panic!("no line is marked '{marker}'"),
        _ => panic!("two lines are marked '{marker}'"),
    }
}

/// How often control went from one thread to another on the way to a finding.
pub(crate) fn context_switches(finding: &Finding) -> usize {
    finding.steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
}

/// Asserts equality of sets and says what is missing and what is too much.
#[track_caller]
pub(crate) fn same_outcomes<T: Ord + Debug>(strategy: &str, seen: &BTreeSet<T>, all: &BTreeSet<T>) {
    let missed: Vec<_> = all.difference(seen).collect();
    let forbidden: Vec<_> = seen.difference(all).collect();
    assert!(
        missed.is_empty() && forbidden.is_empty(),
        "{strategy}: never seen {missed:?}, not allowed {forbidden:?}"
    );
}
