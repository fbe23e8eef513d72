//! Outcome sets: every outcome that sequential consistency and std's documentation allow is seen,
//! and none that they forbid.
//!
//! The first programs are those by which the peers were measured (`PEERS.md`, part 6).

mod atomics;
mod channels;
mod locks;
mod threads;
mod time;
mod waits;

use crate::help::{exhaustive, outcomes, portfolio, same_outcomes};
use selvedge::{Builder, FindingKind, Stopped};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// More schedules than any of the programs has that are searched to the end.
const MANY: u64 = 300_000;
/// Enough for the default strategy to show everything that these programs do.
const ENOUGH: u64 = 3_000;

/// The settings as they are by default.
fn as_is(builder: Builder) -> Builder {
    builder
}

/// The program has exactly these outcomes. The exhaustive search is run to its end, so that what
/// it has not seen does not exist.
#[track_caller]
fn exactly<T: Ord + Debug + Send + 'static>(
    allowed: impl IntoIterator<Item = T>,
    settings: fn(Builder) -> Builder,
    program: fn() -> T,
) {
    let stopped = compare(settings(exhaustive(MANY)), settings, allowed, program);
    let complete = matches!(stopped, Stopped::Exhausted | Stopped::Sequential);
    assert!(complete, "the search did not come to its end: {stopped:?}");
}

/// The program has exactly these outcomes, as far as `executions` of an exhaustive search can
/// tell. The first part of a search covers all orders of operations that can matter; it is over
/// long before.
#[track_caller]
fn within<T: Ord + Debug + Send + 'static>(
    executions: u64,
    allowed: impl IntoIterator<Item = T>,
    settings: fn(Builder) -> Builder,
    program: fn() -> T,
) {
    compare(settings(exhaustive(executions)), settings, allowed, program);
}

#[track_caller]
fn compare<T: Ord + Debug + Send + 'static>(
    search: Builder,
    settings: fn(Builder) -> Builder,
    allowed: impl IntoIterator<Item = T>,
    program: fn() -> T,
) -> Stopped {
    let allowed = BTreeSet::from_iter(allowed);
    let (seen, report) = outcomes(search, program);
    assert_eq!(report.finding.map(|finding| finding.kind), None::<FindingKind>);
    same_outcomes("exhaustive", &seen, &allowed);
    let (seen, sample) = outcomes(settings(portfolio(ENOUGH)), program);
    assert_eq!(sample.finding.map(|finding| finding.kind), None::<FindingKind>);
    same_outcomes("portfolio", &seen, &allowed);
    report.stopped
}
