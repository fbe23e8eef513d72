//! How soon strategies that learn find what they are made for, whatever the seed.

use selvedge::sync::atomic::{AtomicBool, Ordering::SeqCst};
use selvedge::sync::{Arc, Mutex};
use selvedge::{Builder, Report, thread};

fn explore(strategy: &str, seed: u64, executions: u64, test: fn()) -> Report {
    let settings = Builder::new().set("strategy", strategy).seed(seed).executions(executions);
    settings.explore(test).unwrap()
}

fn locks_in_both_orders() {
    let locks = Arc::new((Mutex::new(()), Mutex::new(())));
    let theirs = Arc::clone(&locks);
    let other = thread::spawn(move || {
        let _first = theirs.1.lock().unwrap();
        let _second = theirs.0.lock().unwrap();
    });
    {
        let _first = locks.0.lock().unwrap();
        let _second = locks.1.lock().unwrap();
    }
    other.join().unwrap();
}

/// Twenty threads set one flag after the other, and one finds the first set and the second not.
fn twenty_set_two_flags() {
    let flags = Arc::new((AtomicBool::new(false), AtomicBool::new(false)));
    let setters = [(); 20].map(|()| {
        let flags = Arc::clone(&flags);
        thread::spawn(move || {
            flags.0.store(true, SeqCst);
            flags.1.store(true, SeqCst);
        })
    });
    let checker = thread::spawn(move || flags.0.load(SeqCst) == flags.1.load(SeqCst));
    setters.into_iter().for_each(|setter| setter.join().unwrap());
    assert!(checker.join().unwrap(), "one flag is set and the other is not");
}

#[test]
fn the_portfolio_finds_the_plainest_bugs_at_once() {
    for seed in 0..20 {
        let settings = Builder::new().seed(seed).executions(6).set("detectors", "off");
        let report = settings.explore(locks_in_both_orders).unwrap();
        let finding = report.finding.unwrap_or_else(|| panic!("not found with seed {seed}"));
        assert_eq!(finding.kind.name(), "deadlock");
    }
}

#[test]
fn one_preemption_among_many_equal_threads_is_found_systematically() {
    for seed in 0..10 {
        let report = explore("period", seed, 60, twenty_set_two_flags);
        assert!(report.finding.is_some(), "not found with seed {seed}");
    }
}

#[test]
fn an_order_that_was_not_seen_is_steered_to() {
    for seed in 0..10 {
        let report = explore("rff", seed, 200, twenty_set_two_flags);
        assert!(report.finding.is_some(), "not found with seed {seed}");
    }
}

#[test]
fn strategies_that_learn_take_the_same_decisions_again() {
    for strategy in ["portfolio", "period", "rff", "fest"] {
        let explored = |seed| {
            let settings = Builder::new().set("strategy", strategy).seed(seed).executions(300);
            let settings = settings.set("metrics", "sites");
            let report = settings.explore(|| {
                let number = Arc::new(Mutex::new(0));
                let threads = [1, 2, 3].map(|add| {
                    let number = Arc::clone(&number);
                    thread::spawn(move || {
                        let before = *number.lock().unwrap();
                        *number.lock().unwrap() = before + add;
                    })
                });
                threads.into_iter().for_each(|thread| thread.join().unwrap());
            });
            let report = report.unwrap();
            (report.executions, report.steps, report.coverage)
        };
        assert_eq!(explored(7), explored(7), "{strategy}");
    }
}
