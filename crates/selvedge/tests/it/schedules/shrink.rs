//! Schedules of findings are short, and a seed leads to the same one again.

use super::{abba, lost_update};
use crate::help::{context_switches, finding, portfolio};
use selvedge::sync::atomic::AtomicU32;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::{Arc, Mutex};
use selvedge::{Finding, Report, StrategyName, Toggle, thread};
use std::collections::BTreeSet;

/// The findings of both programs by several strategies, with many seeds.
fn findings_of(program: fn()) -> Vec<Finding> {
    let strategies = [StrategyName::Portfolio, StrategyName::Random, StrategyName::Pct(3)];
    let with = |strategy, seed| portfolio(1_000).strategy(strategy).seed(seed);
    let each = |strategy| (0..10).map(move |seed| finding(with(strategy, seed), program));
    strategies.into_iter().flat_map(each).collect()
}

#[test]
fn the_schedules_of_the_classics_have_at_most_two_switches() {
    for found in findings_of(abba).into_iter().chain(findings_of(lost_update)) {
        let schedule = &found.schedule;
        assert!((1..=2).contains(&schedule.decisions.len()), "{schedule}");
        assert!((1..=2).contains(&schedule.switches()), "{schedule}");
    }
}

#[test]
fn the_schedule_of_a_lock_order_inversion_needs_one_decision() {
    for found in findings_of(abba) {
        assert_eq!(found.schedule.decisions.len(), 1, "{}", found.schedule);
        assert_eq!(context_switches(&found), 1, "{}", found.schedule);
    }
}

#[test]
fn the_schedule_of_a_lost_update_needs_one_decision() {
    for found in findings_of(lost_update) {
        assert_eq!(found.schedule.decisions.len(), 1, "{}", found.schedule);
        assert_eq!(context_switches(&found), 2, "{}", found.schedule);
    }
}

#[test]
fn shrinking_keeps_the_problem_and_takes_nothing_from_what_is_short() {
    let long = finding(portfolio(1_000).shrink(Toggle::Off).seed(4), lost_update);
    let short = finding(portfolio(1_000).seed(4), lost_update);
    assert!(short.kind.same_problem(&long.kind));
    assert_eq!((short.execution, &short.strategy), (long.execution, &long.strategy));
    assert!(short.schedule.decisions.len() <= long.schedule.decisions.len());
    assert!(context_switches(&short) <= context_switches(&long));
}

/// A report without how long it took.
fn timeless(report: &Report) -> String {
    let Report { executions, steps, threads, stopped, finding, .. } = report;
    format!("{executions} {steps} {threads} {stopped:?} {finding:?}")
}

#[test]
fn a_seed_makes_the_whole_campaign_repeatable() {
    use StrategyName::{Exhaustive, Pct, Portfolio, Pos, Random, RoundRobin, Surw, Urw};
    for strategy in [Portfolio, Random, Pct(3), Pos, Surw, Urw, RoundRobin, Exhaustive] {
        for seed in [0, 1, u64::MAX] {
            let run = || portfolio(500).strategy(strategy).seed(seed).explore(abba).unwrap();
            let (first, second) = (run(), run());
            assert_eq!(timeless(&first), timeless(&second));
        }
    }
}

#[test]
fn a_campaign_without_a_finding_is_repeatable_too() {
    let program = || {
        let counter = Arc::new(Mutex::new(0));
        let theirs = Arc::clone(&counter);
        let adder = thread::spawn(move || *theirs.lock().unwrap() += 1);
        if *counter.lock().unwrap() == 0 {
            // More steps in some schedules than in others.
            thread::yield_now();
        }
        adder.join().unwrap();
    };
    let run = |seed| portfolio(300).seed(seed).explore(program).unwrap();
    assert_eq!(timeless(&run(5)), timeless(&run(5)));
    let steps: BTreeSet<_> = (0..10).map(|seed| run(seed).steps).collect();
    assert!(steps.len() > 5, "all seeds do the same: {steps:?}");
}

#[test]
fn different_seeds_take_different_ways() {
    let way = |seed| {
        let random = portfolio(1_000).strategy(StrategyName::Random);
        let builder = random.seed(seed).shrink(Toggle::Off);
        let found = finding(builder, || {
            let counter = AtomicU32::new(0);
            let add = || (0..3).for_each(|_| counter.store(counter.load(SeqCst) + 1, SeqCst));
            thread::scope(|scope| {
                scope.spawn(add);
                scope.spawn(add);
            });
            assert_eq!(counter.load(SeqCst), 6);
        });
        found.schedule.to_string()
    };
    let ways: BTreeSet<_> = (0..20).map(way).collect();
    assert!(ways.len() > 10, "{ways:#?}");
}
