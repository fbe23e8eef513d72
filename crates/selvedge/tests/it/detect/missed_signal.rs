//! Notifications that come too early, and waits that do not look again.

use super::{Program, after_many, after_passes_if, both};
use selvedge::sync::atomic::{AtomicBool, Ordering};
use selvedge::sync::mpsc::channel;
use selvedge::sync::{Arc, Condvar, Mutex};
use selvedge::{Builder, Confidence, StrategyName, Treatment, Trouble, thread};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// Missed in an order that is brought about although the execution passed.
#[track_caller]
fn comes_true(program: Program) {
    comes_true_if(|| true, program);
}

/// As [`comes_true`], after an execution of which this is true.
#[track_caller]
fn comes_true_if(is_suitable: fn() -> bool, program: Program) {
    let after = |confirm| after_passes_if(is_suitable, 1, "missed-signal", program, confirm);
    let report = after("0");
    assert!(report.finding.is_none());
    assert!(report.warnings.is_empty(), "not told before it is confirmed");
    let report = after("300");
    let finding = report.finding.expect("the prediction is brought about");
    assert_eq!((finding.kind.name(), finding.strategy.as_str()), ("stuck", "steer"));
    let [warning] = report.warnings.as_slice() else { panic!("{:#?}", report.warnings) };
    assert_eq!((warning.kind, warning.confidence), (Trouble::MissedSignal, Confidence::Predicted));
    assert_eq!(warning.treatment, Treatment::Confirmed { schedule: finding.schedule });
}

#[track_caller]
fn is_silent(program: Program) {
    let report = after_many("missed-signal", program);
    assert!(report.finding.is_none(), "{:?}", report.finding);
    assert!(report.warnings.is_empty(), "{:#?}", report.warnings);
}

type Gate = (Mutex<bool>, Condvar);

fn wait((open, changed): &Gate) {
    let open = open.lock().unwrap();
    drop(changed.wait_while(open, |open| !*open).unwrap());
}

/// Lets the other thread begin its wait in most executions.
fn dawdle() {
    for _ in 0..8 {
        thread::yield_now();
    }
}

#[test]
fn a_flag_that_is_set_without_the_mutex() {
    comes_true(|| {
        both(
            (AtomicBool::new(false), Gate::default()),
            |(open, (_, changed))| {
                dawdle();
                open.store(true, Ordering::SeqCst);
                changed.notify_one();
            },
            |(open, (mutex, changed))| {
                let mut guard = mutex.lock().unwrap();
                while !open.load(Ordering::SeqCst) {
                    guard = changed.wait(guard).unwrap();
                }
            },
        );
    });
}

#[test]
fn a_wait_without_a_condition() {
    comes_true(|| {
        both(
            Gate::default(),
            |(_, changed)| {
                dawdle();
                changed.notify_one();
            },
            |(mutex, changed)| drop(changed.wait(mutex.lock().unwrap()).unwrap()),
        );
    });
}

#[test]
fn a_notification_for_everybody() {
    // Not under control: the test itself looks at it.
    static WAITED: AtomicU32 = AtomicU32::new(0);
    let both_waited = || WAITED.swap(0, Relaxed) == 2;
    comes_true_if(both_waited, || {
        WAITED.store(0, Relaxed);
        let gate = Arc::new((AtomicBool::new(false), Gate::default()));
        let waiter = || {
            let gate = Arc::clone(&gate);
            thread::spawn(move || {
                let (open, (mutex, changed)) = &*gate;
                let mut guard = mutex.lock().unwrap();
                while !open.load(Ordering::SeqCst) {
                    guard = changed.wait(guard).unwrap();
                    WAITED.fetch_add(1, Relaxed);
                }
            })
        };
        let waiters = [waiter(), waiter()];
        dawdle();
        gate.0.store(true, Ordering::SeqCst);
        gate.1.1.notify_all();
        waiters.into_iter().for_each(|waiter| waiter.join().unwrap());
    });
}

#[test]
fn a_request_that_is_answered_too_fast() {
    // The other one is told by message that somebody waits, before that is so.
    comes_true(|| {
        let (request, requests) = channel();
        let gate = Arc::new(Gate::default());
        let theirs = Arc::clone(&gate);
        let server = thread::spawn(move || {
            requests.recv().unwrap();
            dawdle();
            theirs.1.notify_one();
        });
        let guard = gate.0.lock().unwrap();
        request.send(()).unwrap();
        drop(gate.1.wait(guard).unwrap());
        server.join().unwrap();
    });
}

#[test]
fn a_deadline_that_hides_a_missed_signal_is_told() {
    let report = Builder::new()
        .strategy(StrategyName::Random)
        .executions(8)
        .set("detectors", "missed-signal")
        .explore(|| {
            both(
                (AtomicBool::new(false), Gate::default()),
                |(open, (_, changed))| {
                    open.store(true, Ordering::SeqCst);
                    changed.notify_one();
                },
                |(open, (mutex, changed))| {
                    let mut guard = mutex.lock().unwrap();
                    while !open.load(Ordering::SeqCst) {
                        guard = changed.wait_timeout(guard, Duration::from_secs(1)).unwrap().0;
                    }
                },
            );
        })
        .unwrap();
    assert!(report.finding.is_none());
    let [warning] = report.warnings.as_slice() else { panic!("{:#?}", report.warnings) };
    assert_eq!((warning.kind, warning.confidence), (Trouble::MissedSignal, Confidence::Happened));
    assert_eq!(warning.treatment, Treatment::Untried);
}

#[test]
fn a_wait_that_does_not_look_again_is_told() {
    let report = Builder::new()
        .strategy(StrategyName::Random)
        .executions(8)
        .set("spurious", "eager")
        .set("detectors", "missed-signal")
        .set("confirm", "0")
        .explore(|| {
            both(
                Gate::default(),
                |gate| {
                    *gate.0.lock().unwrap() = true;
                    gate.1.notify_one();
                },
                |(open, changed)| {
                    let open = open.lock().unwrap();
                    if !*open {
                        drop(changed.wait(open).unwrap());
                    }
                },
            );
        })
        .unwrap();
    assert!(report.finding.is_none());
    let [warning] = report.warnings.as_slice() else { panic!("{:#?}", report.warnings) };
    assert_eq!((warning.kind, warning.confidence), (Trouble::OrderViolation, Confidence::Happened));
}

#[test]
fn a_condition_under_the_mutex() {
    is_silent(|| {
        both(
            Gate::default(),
            |(open, changed)| {
                let mut open = open.lock().unwrap();
                *open = true;
                changed.notify_one();
            },
            wait,
        );
    });
}

#[test]
fn a_condition_under_the_mutex_and_a_notification_after_it() {
    is_silent(|| {
        both(
            Gate::default(),
            |(open, changed)| {
                *open.lock().unwrap() = true;
                changed.notify_all();
            },
            wait,
        );
    });
}

#[test]
fn a_queue_with_several_consumers() {
    is_silent(|| {
        let queue = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
        let consumer = || {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                let mut items = queue.0.lock().unwrap();
                while items.is_empty() {
                    items = queue.1.wait(items).unwrap();
                }
                items.pop().unwrap()
            })
        };
        let consumers = [consumer(), consumer()];
        for item in 1..3 {
            queue.0.lock().unwrap().push(item);
            queue.1.notify_one();
        }
        let sum: i32 = consumers.into_iter().map(|consumer| consumer.join().unwrap()).sum();
        assert_eq!(sum, 3);
    });
}

#[test]
fn a_flag_without_the_mutex_whose_change_takes_the_mutex() {
    // The mutex is taken after the flag is set, so the notification can not come in between.
    is_silent(|| {
        both(
            (AtomicBool::new(false), Gate::default()),
            |(open, (mutex, changed))| {
                open.store(true, Ordering::SeqCst);
                drop(mutex.lock().unwrap());
                changed.notify_one();
            },
            |(open, (mutex, changed))| {
                let mut guard = mutex.lock().unwrap();
                while !open.load(Ordering::SeqCst) {
                    guard = changed.wait(guard).unwrap();
                }
            },
        );
    });
}

#[test]
fn a_sleep_that_can_be_interrupted() {
    is_silent(|| {
        both(
            Gate::default(),
            |(stop, changed)| {
                *stop.lock().unwrap() = true;
                changed.notify_one();
            },
            |(stop, changed)| {
                let stop = stop.lock().unwrap();
                drop(changed.wait_timeout(stop, Duration::from_millis(5)).unwrap());
            },
        );
    });
}

#[test]
fn nobody_has_to_wait() {
    is_silent(|| {
        let gate = Gate::default();
        gate.1.notify_all();
        *gate.0.lock().unwrap() = true;
        both(gate, wait, wait);
    });
}

#[test]
fn a_wait_that_ends_for_no_reason_and_looks_again() {
    let report = Builder::new()
        .strategy(StrategyName::Random)
        .executions(64)
        .set("spurious", "eager")
        .set("detectors", "missed-signal")
        .explore(|| {
            both(
                Gate::default(),
                |(open, changed)| {
                    *open.lock().unwrap() = true;
                    changed.notify_one();
                },
                wait,
            );
        })
        .unwrap();
    assert!(report.finding.is_none() && report.warnings.is_empty(), "{:#?}", report.warnings);
}
