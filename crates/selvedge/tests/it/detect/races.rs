//! Detectors of races on data behind locks, which never races, and that they and others see it at all.

use super::{Program, after_many, both};
use selvedge::sync::{Arc, Condvar, Mutex, RwLock, mpsc};
use selvedge::thread;

#[track_caller]
fn is_silent(program: Program) {
    for detector in ["eraser", "goldilocks", "race-track"] {
        let report = after_many(detector, program);
        assert!(report.finding.is_none(), "{:?}", report.finding);
        assert!(report.warnings.is_empty(), "{detector}: {:#?}", report.warnings);
    }
}

#[test]
fn what_lies_behind_a_lock_does_not_race() {
    is_silent(|| {
        both(Mutex::new(0), |n| *n.lock().unwrap() += 1, |n| *n.lock().unwrap() += 1);
    });
    is_silent(|| {
        let read = |n: &RwLock<u32>| _ = *n.read().unwrap();
        both(RwLock::new(0), move |n| read(n), |n| *n.write().unwrap() += 1);
    });
}

#[test]
fn a_wait_gives_its_lock_back() {
    is_silent(|| {
        let shared = Arc::new((Mutex::new(0), Condvar::new()));
        let theirs = Arc::clone(&shared);
        let other = thread::spawn(move || {
            *theirs.0.lock().unwrap() = 1;
            theirs.1.notify_one();
        });
        let mut ready = shared.0.lock().unwrap();
        while *ready == 0 {
            ready = shared.1.wait(ready).unwrap();
        }
        *ready = 2;
        drop(ready);
        other.join().unwrap();
    });
}

#[test]
fn locks_that_are_sent_around_stay_locks() {
    is_silent(|| {
        let (sender, receiver) = mpsc::channel();
        let value = Arc::new(Mutex::new(0));
        let theirs = Arc::clone(&value);
        let other = thread::spawn(move || {
            *theirs.lock().unwrap() += 1;
            sender.send(theirs).unwrap();
        });
        *receiver.recv().unwrap().lock().unwrap() += 1;
        other.join().unwrap();
        assert_eq!(*value.lock().unwrap(), 2);
    });
}

/// Two counters that one thread changes together under an outer lock, and another one apart.
#[test]
fn detectors_that_look_at_data_are_told_of_it() {
    let report = after_many("views", || {
        both(
            (Mutex::new(()), Mutex::new(0), Mutex::new(0)),
            |(outer, one, two)| {
                let _outer = outer.lock().unwrap();
                *one.lock().unwrap() += 1;
                *two.lock().unwrap() += 1;
            },
            |(outer, one, two)| {
                {
                    let _outer = outer.lock().unwrap();
                    *one.lock().unwrap() += 1;
                }
                let _outer = outer.lock().unwrap();
                *two.lock().unwrap() += 1;
            },
        );
    });
    assert_eq!(report.warnings.len(), 1, "{:#?}", report.warnings);
}
