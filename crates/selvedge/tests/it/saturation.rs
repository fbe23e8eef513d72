//! When an exploration has seen enough.

use selvedge::sync::atomic::{AtomicU32, Ordering::SeqCst};
use selvedge::sync::{Arc, Mutex};
use selvedge::{Builder, Fault, LeftOut, Stopped, StrategyName, Verdict, thread};

fn two_locks_each() {
    let lock = Arc::new(Mutex::new(0));
    let theirs = Arc::clone(&lock);
    let other = thread::spawn(move || {
        *theirs.lock().unwrap() += 1;
        *theirs.lock().unwrap() += 1;
    });
    *lock.lock().unwrap() += 1;
    *lock.lock().unwrap() += 1;
    other.join().unwrap();
}

#[test]
fn an_exploration_stops_when_nothing_new_comes_and_says_what_it_has_seen() {
    let settings = Builder::new().executions(100_000).set("saturation", "100");
    let report = settings.explore(two_locks_each).unwrap();
    assert_eq!(report.stopped, Stopped::Saturated);
    assert!((100..2_000).contains(&report.executions), "{}", report.executions);
    // Two of four places in a row are one thread's.
    let orders = report.orders.expect("it is judged by them");
    assert_eq!(orders.covered, 6);
    let last = orders.saturated.expect("no new one came");
    assert!(report.executions - last >= 100 && report.executions >= 9 * last, "{last}");
    // The ten pairs of the worked example in the source of the estimate.
    let guidance = report.guidance.expect("the portfolio knows what is possible");
    assert_eq!((guidance.covered, guidance.uncovered), (10, Vec::new()));
    let names: Vec<&str> = report.remaining.iter().map(|one| one.metric.as_str()).collect();
    assert_eq!(names, ["sp", "reads-from"]);
    for remaining in &report.remaining {
        assert!(remaining.saturated.is_some_and(|last| last <= report.executions));
        assert!(remaining.unseen < 1.0 && remaining.next < 0.1, "{remaining:?}");
    }
}

#[test]
fn what_shows_new_orders_is_not_saturated_although_all_pairs_are_covered() {
    let test = || {
        let lock = Arc::new(Mutex::new(0));
        let threads = [(); 3].map(|()| {
            let lock = Arc::clone(&lock);
            thread::spawn(move || (0..4).for_each(|_| *lock.lock().unwrap() += 1))
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    };
    let settings = Builder::new().executions(2_000).set("saturation", "100");
    let report = settings.explore(test).unwrap();
    assert_eq!(report.stopped, Stopped::Executions);
    assert!(report.remaining.iter().all(|metric| metric.saturated.is_some()), "{report:?}");
    assert!(report.orders.is_some_and(|orders| orders.covered > 500));
}

#[test]
fn a_search_of_all_schedules_is_never_saturated() {
    let settings = Builder::new()
        .strategy(StrategyName::Exhaustive)
        .executions(100_000)
        .set("saturation", "10");
    let report = settings.explore(two_locks_each).unwrap();
    assert_eq!(report.verdict(), Verdict::Exhausted);
    assert!(report.executions > 20 && report.orders.is_none());
}

#[test]
fn what_the_bounds_of_a_search_leave_out_is_told() {
    let of = |key: &str, value: &str, test: fn()| {
        let settings = Builder::new().strategy(StrategyName::Exhaustive).executions(100_000);
        settings.set(key, value).explore(test).unwrap()
    };
    let bounded = of("preemptions", "1", two_locks_each);
    assert_eq!(bounded.verdict(), Verdict::Bounded);
    assert!(bounded.conditions.left_out.contains(&LeftOut::Preemptions(1)));
    // As many as there can be leave nothing out.
    let all = of("preemptions", "100", two_locks_each);
    assert_eq!(all.verdict(), Verdict::Exhausted);
    let parked = of("spurious", "off", || {
        let waits = thread::spawn(thread::park);
        waits.thread().unpark();
        waits.join().unwrap();
    });
    let left_out = LeftOut::Faults { fault: Fault::Spurious, most: 0 };
    assert_eq!(parked.conditions.left_out.into_iter().collect::<Vec<_>>(), [left_out]);
}

#[test]
fn what_keeps_growing_is_not_saturated_and_the_setting_can_be_left_out() {
    let report = Builder::new().executions(600).explore(two_locks_each).unwrap();
    assert_eq!((report.executions, &report.stopped), (600, &Stopped::Executions));
    assert!(report.coverage.is_empty() && report.remaining.is_empty());
    // A window that is longer than the budget is never full.
    let settings = Builder::new().executions(300).set("saturation", "301");
    let report = settings.explore(two_locks_each).unwrap();
    assert_eq!(report.stopped, Stopped::Executions);
}

#[test]
fn a_test_in_which_no_order_matters_has_only_one() {
    let test = || {
        let threads = [(); 2].map(|()| thread::spawn(thread::yield_now));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    };
    let settings = Builder::new().executions(400).set("saturation", "50");
    let report = settings.explore(test).unwrap();
    assert_eq!((report.verdict(), report.orders.unwrap().covered), (Verdict::Saturated, 1));
}

#[test]
fn a_test_without_locks_is_saturated_by_what_its_values_come_from() {
    let test = || {
        let number = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&number);
        let other = thread::spawn(move || theirs.store(1, SeqCst));
        number.load(SeqCst);
        other.join().unwrap();
    };
    let settings = Builder::new().executions(10_000).set("saturation", "100");
    let report = settings.explore(test).unwrap();
    assert_eq!(report.stopped, Stopped::Saturated);
    let values = report.remaining.iter().find(|one| one.metric == "reads-from").unwrap();
    assert!(values.covered >= 2, "{values:?}");
}
