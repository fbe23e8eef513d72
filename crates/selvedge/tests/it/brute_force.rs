//! Exhaustive search against brute force: random small programs, each run by the engine in every
//! schedule and by an interpreter over plain data that knows nothing of the engine.
//!
//! For each program the search sees exactly the outcomes that the interpreter sees, and finds something
//! exactly if a thread can get stuck; or it says that it did not come to its end. What it has seen is
//! possible in any case.
//!
//! `SELVEDGE_PROGRAMS=5000` runs that many programs, `SELVEDGE_PROGRAM=17` the one with this number.

mod interpreter;
mod program;
mod running;

use crate::help::{exhaustive, outcomes};
use program::Program;
use selvedge::{Builder, Rate, Report, Verdict};
use selvedge_model::{GuidedMetric, Identity, MetricChoice};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many programs are tried unless somebody asks for more.
const PROGRAMS: u64 = 500;
/// A search that has not come to its end by then is given up.
const EXECUTIONS: u64 = 3_000;

/// What each thread has noted, and then the values that are left.
type Noted = Vec<Vec<u8>>;

/// Whether a search came to its end.
#[derive(Debug, PartialEq, Eq)]
enum Search {
    Complete,
    GivenUp,
}

/// Compares the two, and says what is wrong.
fn compare(program: &Program) -> Result<Search, String> {
    let possible = interpreter::run(program);
    let search = exhaustive(EXECUTIONS)
        .timeouts(Rate::Off)
        .spurious(Rate::Off)
        .weak_cas(Rate::Off)
        .set("shrink", "off")
        .set("detectors", "off");
    let theirs = Arc::new(program.clone());
    let (seen, report) = outcomes(search, move || running::run(&theirs));
    let impossible: Vec<_> = seen.difference(&possible.outcomes).collect();
    if !impossible.is_empty() {
        return Err(format!("seen, but not possible: {impossible:?}"));
    }
    if let Some(finding) = &report.finding {
        return match (finding.kind.name(), possible.gets_stuck) {
            ("deadlock" | "double-lock" | "stuck", true) => Ok(Search::Complete),
            (name, _) => Err(format!("a {name} was found")),
        };
    }
    let missed: BTreeSet<_> = possible.outcomes.difference(&seen).collect();
    match report.verdict() {
        Verdict::Exhausted | Verdict::Once if possible.gets_stuck => {
            Err(format!("nobody got stuck in {} executions", report.executions))
        }
        Verdict::Exhausted | Verdict::Once if !missed.is_empty() => {
            Err(format!("never seen in {} executions: {missed:?}", report.executions))
        }
        Verdict::Exhausted | Verdict::Once => Ok(Search::Complete),
        Verdict::Bounded | Verdict::UsedUp => Ok(Search::GivenUp),
        other => Err(format!("the search ended with {other:?}")),
    }
}

/// A number that somebody asks for.
fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|number| number.parse().expect("a number of programs"))
}

#[test]
fn a_search_of_all_schedules_sees_what_brute_force_sees() {
    let numbers = match asked("SELVEDGE_PROGRAM") {
        Some(number) => number..number + 1,
        None => 0..asked("SELVEDGE_PROGRAMS").unwrap_or(PROGRAMS),
    };
    let tried = numbers.end - numbers.start;
    let mut complete = 0;
    let mut wrong = Vec::new();
    for number in numbers {
        let program = Program::random(number);
        match compare(&program) {
            Ok(Search::Complete) => complete += 1,
            Ok(Search::GivenUp) => {}
            Err(why) => wrong.push(format!("program {number}: {why}\n{program:#?}")),
        }
    }
    #[expect(clippy::print_stdout, reason = "the figure that the fuzzer is run for")]
    {
        println!("{complete} of {tried} searches came to their ends");
    }
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(complete * 10 >= tried * 6, "only {complete} of {tried} came to their ends");
}

/// How many programs are guided by each metric.
const GUIDED: u64 = 50;

/// Strategy, metric and report mean the same by *covered* and by *known*, whatever the metric.
#[test]
fn a_strategy_and_its_metric_agree_on_what_is_covered_and_known() {
    for metric in GuidedMetric::ALL {
        for number in 0..GUIDED {
            let program = Arc::new(Program::random(number));
            let choice = MetricChoice { name: metric.metric(), identity: Identity::default() };
            let settings = Builder::new()
                .set("strategy", &format!("guided({metric})"))
                .set("detectors", "off")
                .set("shrink", "off")
                .metrics([choice])
                .executions(60);
            let report = settings.explore(move || drop(running::run(&program)));
            let report = report.expect("the settings are right");
            let Report { guidance: Some(guidance), coverage, .. } = &report else {
                panic!("the strategy aims at something")
            };
            let kept = &coverage[0];
            let place = format!("program {number}, {metric}");
            assert_eq!(guidance.metric, kept.metric, "{place}");
            assert_eq!(guidance.covered, kept.covered.len() as u64, "{place}");
            assert_eq!(guidance.uncovered, kept.uncovered, "{place}");
            let both = kept.uncovered.iter().find(|&one| kept.covered.contains(one));
            assert_eq!(both, None, "{place}");
        }
    }
}
