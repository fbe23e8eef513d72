//! Makes a test that shows something smaller.
//!
//! Calls are left out one after the other, then arguments are made simpler, for as long as the smaller test shows the
//! same. Since a test shows it under some schedules only, each is tried under many.

use crate::oracle::{Subject, Verdict, judge};
use crate::orders::Orders;
use crate::outcome::{Came, Outcome, Texts};
use crate::runner::{Executed, Runner};
use crate::table::Table;
use selvedge_harness::{GeneratedTest, Level, Results, Role, Wrong};
use selvedge_model::Schedule;

/// Under so many schedules a smaller test may show it.
const SCHEDULES: u32 = 120;
/// Orders of the calls of one test, at most.
const ORDERS: u64 = 4_000;
/// So many smaller tests are tried.
const TRIES: u32 = 600;

/// A test that shows it, as far as it was made smaller.
pub(crate) struct Small {
    pub(crate) test: GeneratedTest,
    pub(crate) executed: Executed,
    pub(crate) outcome: Outcome,
    pub(crate) orders: Orders,
    pub(crate) texts: Texts,
}

/// Runs a test until it shows this.
fn shows(
    runner: &mut Runner,
    table: &'static Table,
    test: &GeneratedTest,
    (what, leaves): ((Level, Wrong), bool),
) -> Option<Small> {
    runner.take(test);
    let mut orders = Orders::new(ORDERS);
    orders.leaves = leaves;
    let mut texts = Texts::default();
    for _ in 0..SCHEDULES {
        let executed = runner.explore(&mut texts);
        let Came::Of(outcome) = &executed.came else { return None };
        let outcome = outcome.clone();
        let subject = Subject::new(table, test, &executed.spans);
        let verdict = judge(runner, &subject, &mut orders, (&executed, &outcome), &mut texts);
        if verdict == Verdict::Violates(what.0, what.1) {
            return Some(Small { test: test.clone(), executed, outcome, orders, texts });
        }
    }
    None
}

/// Makes a test that shows this as small as it gets. Nothing if it does not show it again.
pub(crate) fn shrink(
    runner: &mut Runner,
    table: &'static Table,
    test: &GeneratedTest,
    what: (Level, Wrong),
    leaves: bool,
) -> Option<Small> {
    let what = (what, leaves);
    let mut small = shows(runner, table, test, what)?;
    let mut tries = 0;
    loop {
        let smaller = smaller(&small.test, table).find_map(|candidate| {
            tries += 1;
            match tries <= TRIES {
                true => shows(runner, table, &candidate, what),
                false => None,
            }
        });
        match smaller {
            Some(smaller) => small = smaller,
            None => break,
        }
    }
    let renamed = renamed(&small.test, table);
    if renamed != small.test
        && let Some(renamed) = shows(runner, table, &renamed, what)
    {
        small = renamed;
    }
    Some(small)
}

/// The execution with the fewest decisions that shows it, of many, and its schedule.
pub(crate) fn fewest_decisions(
    runner: &mut Runner,
    table: &'static Table,
    mut small: Small,
    what: (Level, Wrong),
) -> (Small, String) {
    runner.take(&small.test);
    let mut best: Option<Schedule> = None;
    for _ in 0..SCHEDULES * 2 {
        let (executed, schedule) = runner.explore_with_schedule(&mut small.texts);
        let Came::Of(outcome) = &executed.came else { continue };
        let outcome = outcome.clone();
        let subject = Subject::new(table, &small.test, &executed.spans);
        let parts = (&executed, &outcome);
        let verdict = judge(runner, &subject, &mut small.orders, parts, &mut small.texts);
        let decisions = |schedule: &Schedule| schedule.switches();
        let is_shorter = best.as_ref().is_none_or(|best| decisions(&schedule) < decisions(best));
        if verdict == Verdict::Violates(what.0, what.1) && is_shorter {
            best = Some(schedule);
            (small.executed, small.outcome) = (executed, outcome);
        }
    }
    let text = best.map_or_else(String::new, |schedule| schedule.to_string());
    (small, text)
}

/// All tests that are smaller by one step, the smallest first.
fn smaller<'a>(
    test: &'a GeneratedTest,
    table: &'static Table,
) -> impl Iterator<Item = GeneratedTest> + 'a {
    let threads = (test.threads.len() > 2).then_some(0..test.threads.len()).into_iter().flatten();
    let without_thread = threads.map(|thread| {
        let mut smaller = test.clone();
        smaller.threads.remove(thread);
        smaller
    });
    let without_call = (0..test.len()).rev().map(|slot| without(test, slot));
    without_thread.chain(without_call).chain(quieter(test, table)).chain(simpler(test, table))
}

/// Tests in which a call whose results are worth little while others run is made when all is quiet.
fn quieter<'a>(
    test: &'a GeneratedTest,
    table: &'static Table,
) -> impl Iterator<Item = GeneratedTest> + 'a {
    (0..test.threads.len()).filter_map(move |thread| {
        let mut quieter = test.clone();
        let last = quieter.threads[thread].pop()?;
        let weak = table.calls[last.call.index()].results == Results::Weak;
        quieter.end.insert(0, last);
        weak.then_some(quieter)
    })
}

fn without(test: &GeneratedTest, slot: usize) -> GeneratedTest {
    let mut smaller = test.clone();
    let end = test.base(test.threads.len());
    if slot < test.prefix.len() {
        smaller.prefix.remove(slot);
    } else if slot >= end {
        smaller.end.remove(slot - end);
    } else {
        let threads = 0..test.threads.len();
        let thread = threads.rev().find(|&thread| test.base(thread) <= slot).unwrap_or_default();
        smaller.threads[thread].remove(slot - test.base(thread));
    }
    smaller
}

/// Tests in which one number is zero that was not.
fn simpler<'a>(
    test: &'a GeneratedTest,
    table: &'static Table,
) -> impl Iterator<Item = GeneratedTest> + 'a {
    (0..test.len()).flat_map(move |slot| {
        let (_, called) = test.calls().nth(slot).expect("the slot is one of the test's");
        let roles = table.calls[called.call.index()].arguments;
        let numbers = roles.iter().zip(&called.arguments).enumerate();
        let numbers: Vec<_> = numbers
            .filter(|(_, (role, value))| matches!(role, Role::Number | Role::Key) && **value > 0)
            .map(|(at, _)| at)
            .collect();
        numbers.into_iter().map(move |at| {
            let mut simpler = test.clone();
            *argument(&mut simpler, slot, at) = 0;
            simpler
        })
    })
}

fn argument(test: &mut GeneratedTest, slot: usize, at: usize) -> &mut u64 {
    let threads = test.threads.iter_mut().flatten();
    let mut calls = test.prefix.iter_mut().chain(threads).chain(&mut test.end);
    let called = calls.nth(slot).expect("the slot is one of the test's");
    &mut called.arguments[at]
}

/// The test with values that are numbered from 1.
fn renamed(test: &GeneratedTest, table: &'static Table) -> GeneratedTest {
    let mut renamed = test.clone();
    let mut next = 10;
    for slot in 0..test.len() {
        let (_, called) = test.calls().nth(slot).expect("the slot is one of the test's");
        let roles = table.calls[called.call.index()].arguments;
        for (at, role) in roles.iter().enumerate() {
            if *role == Role::Value {
                next += 1;
                *argument(&mut renamed, slot, at) = next;
            }
        }
    }
    renamed
}
