//! Threads: how they end, who has ended, and who gives way.

use super::{MANY, as_is, exactly, within};
use crate::help::{exhaustive, outcomes, portfolio, same_outcomes, silent, text};
use selvedge::sync::Arc;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::atomic::{AtomicBool, AtomicU32};
use selvedge::{Stopped, StrategyName, hint, thread};
use std::collections::BTreeSet;

#[test]
fn the_panic_of_a_thread_is_what_join_returns() {
    exactly(["Err: expected"], as_is, || {
        let failing = thread::spawn(|| panic!("expected"));
        match failing.join() {
            Ok(()) => "Ok",
            Err(panic) if text(&*panic) == "expected" => "Err: expected",
            Err(_) => "Err: another panic",
        }
    });
}

#[test]
fn is_finished_says_yes_and_no() {
    exactly([false, true], as_is, || {
        let worker = thread::spawn(|| {});
        let finished = worker.is_finished();
        worker.join().unwrap();
        finished
    });
}

#[test]
fn a_thread_is_finished_only_after_its_last_operation() {
    exactly([(false, 0), (false, 1), (true, 1)], as_is, || {
        let done = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&done);
        let worker = thread::spawn(move || count.store(1, SeqCst));
        let finished = worker.is_finished();
        let seen = done.load(SeqCst);
        worker.join().unwrap();
        (finished, seen)
    });
}

#[test]
fn a_scope_ends_after_all_its_threads() {
    exactly([3], as_is, || {
        let sum = AtomicU32::new(0);
        thread::scope(|scope| {
            scope.spawn(|| sum.fetch_add(1, SeqCst));
            scope.spawn(|| sum.fetch_add(2, SeqCst));
        });
        sum.into_inner()
    });
}

/// A writer counts to three, a reader looks twice; `between` is done between their operations.
fn count_and_look(between: fn()) -> (u32, u32) {
    let counter = Arc::new(AtomicU32::new(0));
    let other = Arc::clone(&counter);
    let writer = thread::spawn(move || {
        other.store(1, SeqCst);
        between();
        other.store(2, SeqCst);
        between();
        other.store(3, SeqCst);
    });
    let first = counter.load(SeqCst);
    between();
    let second = counter.load(SeqCst);
    writer.join().unwrap();
    (first, second)
}

/// What [`count_and_look`] can see.
fn growing_pairs() -> impl Iterator<Item = (u32, u32)> {
    (0..=3).flat_map(|first| (first..=3).map(move |second| (first, second)))
}

#[test]
fn two_looks_at_a_counter_see_every_growing_pair() {
    exactly(growing_pairs(), as_is, || count_and_look(|| {}));
}

#[test]
fn straight_line_yields_lose_no_outcome() {
    exactly(growing_pairs(), as_is, || count_and_look(thread::yield_now));
}

#[test]
fn straight_line_spin_hints_lose_no_outcome() {
    exactly(growing_pairs(), as_is, || count_and_look(hint::spin_loop));
}

#[test]
fn a_yield_before_the_only_store_loses_no_outcome() {
    exactly([0, 1], as_is, || {
        let flag = Arc::new(AtomicU32::new(0));
        let other = Arc::clone(&flag);
        let writer = thread::spawn(move || {
            thread::yield_now();
            thread::yield_now();
            other.store(1, SeqCst);
        });
        thread::yield_now();
        let seen = flag.load(SeqCst);
        writer.join().unwrap();
        seen
    });
}

#[test]
fn a_spinning_thread_sees_the_flag_in_every_schedule() {
    within(MANY, [true], as_is, || {
        let flag = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&flag);
        let raiser = thread::spawn(move || other.store(true, SeqCst));
        while !flag.load(SeqCst) {
            hint::spin_loop();
        }
        raiser.join().unwrap();
        true
    });
}

#[test]
fn a_bounded_loop_of_yields_loses_no_outcome() {
    exactly([0, 1], as_is, || {
        let flag = Arc::new(AtomicU32::new(0));
        let other = Arc::clone(&flag);
        let writer = thread::spawn(move || {
            (0..5).for_each(|_| thread::yield_now());
            other.store(1, SeqCst);
        });
        let seen = flag.load(SeqCst);
        writer.join().unwrap();
        seen
    });
}

#[test]
fn a_thread_that_spins_a_few_times_may_give_up() {
    exactly([false, true], as_is, || {
        let flag = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&flag);
        let patient = thread::spawn(move || {
            (0..3).any(|_| {
                let raised = other.load(SeqCst);
                if !raised {
                    hint::spin_loop();
                }
                raised
            })
        });
        flag.store(true, SeqCst);
        patient.join().unwrap()
    });
}

#[test]
fn a_long_scan_of_many_objects_before_a_store_loses_no_outcome() {
    // Without preemptions the test goes on until it has stored, however much it reads before.
    let (seen, _) = outcomes(exhaustive(10).preemptions(0), || {
        let table = [(); 600].map(|()| AtomicU32::new(0));
        let ready = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&ready);
        let reader = thread::spawn(move || theirs.load(SeqCst));
        assert!(table.iter().all(|entry| entry.load(SeqCst) == 0));
        ready.store(1, SeqCst);
        reader.join().unwrap()
    });
    same_outcomes("no preemption", &seen, &BTreeSet::from([1]));
}

#[test]
fn a_preemption_bound_shows_exactly_what_it_allows() {
    // The test goes first. To see `n`, it has to be preempted before its look and the writer
    // after its store; what is seen at the beginning and at the end comes cheaper.
    let needed = |[first, second]: [u32; 2]| match (first, second) {
        (0, 0) => 0,
        (0, 4) | (4, 4) => 1,
        (0, _) => 2,
        _ if first == second => 2,
        (_, 4) => 3,
        _ => 4,
    };
    for bound in 0..=4 {
        let all = (0..=4).flat_map(|first| (first..=4).map(move |second| [first, second]));
        let allowed: BTreeSet<_> = all.filter(|&pair| needed(pair) <= bound).collect();
        let (seen, report) = outcomes(exhaustive(100_000).preemptions(bound), || {
            let counter = Arc::new(AtomicU32::new(0));
            let other = Arc::clone(&counter);
            let writer = thread::spawn(move || (1..=4).for_each(|n| other.store(n, SeqCst)));
            let seen = [1, 2].map(|_| counter.load(SeqCst));
            writer.join().unwrap();
            seen
        });
        same_outcomes(&format!("at most {bound} preemptions"), &seen, &allowed);
        assert_eq!(report.stopped, Stopped::Exhausted);
    }
}

#[test]
fn who_yields_lets_others_run_also_if_something_changes_in_each_round() {
    let pct = portfolio(200).strategy(StrategyName::Pct(3));
    silent(pct, || {
        let done = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&done);
        let worker = thread::spawn(move || theirs.store(true, SeqCst));
        let rounds = AtomicU32::new(0);
        while !done.load(SeqCst) {
            rounds.fetch_add(1, SeqCst);
            thread::yield_now();
        }
        worker.join().unwrap();
    });
}

#[test]
fn nobody_is_passed_over_for_ever() {
    for strategy in [StrategyName::Pct(3), StrategyName::Surw, StrategyName::Portfolio] {
        silent(portfolio(200).strategy(strategy), || {
            let done = Arc::new(AtomicBool::new(false));
            let theirs = Arc::clone(&done);
            let worker = thread::spawn(move || theirs.store(true, SeqCst));
            let rounds = Arc::new(AtomicU32::new(0));
            while !done.load(SeqCst) {
                rounds.fetch_add(1, SeqCst);
            }
            worker.join().unwrap();
        });
    }
}

#[test]
fn who_spins_on_a_compare_exchange_is_set_aside_soon() {
    let report = silent(portfolio(500).strategy(StrategyName::Pct(3)), || {
        let lock = Arc::new(AtomicBool::new(false));
        let locked = |lock: &AtomicBool| {
            while lock.compare_exchange(false, true, SeqCst, SeqCst).is_err() {}
            lock.store(false, SeqCst);
        };
        let theirs = Arc::clone(&lock);
        let other = thread::spawn(move || locked(&theirs));
        locked(&lock);
        other.join().unwrap();
    });
    assert!(report.steps / report.executions < 600, "{report:?}");
}
