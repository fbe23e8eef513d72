//! Noise on ordinary threads, and what is recorded of them.

use selvedge_model::Site;
use selvedge_std::noise::{Kind, Noise, Recorded};
use selvedge_std::sync::mpsc::channel;
use selvedge_std::sync::{Arc, Condvar, Mutex, RwLock, RwLockWriteGuard};
use selvedge_std::thread;
use std::time::Duration;

/// No noise at all: the order is the test's.
const QUIET: Noise = Noise { kind: Kind::Yield, probability: 0.0, seed: 1 };

/// The pairs as lines.
fn lines(recorded: &Recorded) -> Vec<(u32, u32)> {
    let line = |site: Site| {
        assert_eq!(site.file(), file!());
        site.line()
    };
    recorded.pairs.iter().map(|&(first, second)| (line(first), line(second))).collect()
}

#[test]
fn pairs_are_those_of_one_lock_taken_twice_in_a_row() {
    let start = line!();
    let ((), recorded) = QUIET.run(|| {
        let (one, other) = (Mutex::new(0), Mutex::new(0));
        for _ in 0..2 {
            *one.lock().unwrap() += 1; // start + 4
            *other.lock().unwrap() += 1; // start + 5
            drop(one.try_lock().unwrap()); // start + 6
        }
    });
    let at = |line: u32| start + line;
    let expected = [(at(4), at(6)), (at(5), at(5)), (at(6), at(4))];
    assert_eq!(lines(&recorded), expected);
}

#[test]
fn threads_that_are_started_take_part_and_others_do_not() {
    let lock = Arc::new(Mutex::new(0));
    let (tell, told) = channel();
    let (answer, answered) = channel();
    let stranger = thread::spawn({
        let lock = Arc::clone(&lock);
        move || {
            told.recv().unwrap();
            *lock.lock().unwrap() += 1;
            answer.send(()).unwrap();
        }
    });
    let start = line!();
    let ((), recorded) = QUIET.run(|| {
        drop(lock.lock().unwrap()); // start + 2
        tell.send(()).unwrap();
        answered.recv().unwrap();
        let theirs = Arc::clone(&lock);
        let child = thread::spawn(move || *theirs.lock().unwrap() += 1); // start + 6
        child.join().unwrap();
        thread::scope(|scope| {
            scope.spawn(|| *lock.lock().unwrap() += 1); // start + 9
        });
    });
    stranger.join().unwrap();
    let at = |line: u32| start + line;
    assert_eq!(lines(&recorded), [(at(2), at(6)), (at(6), at(9))]);
}

#[test]
fn a_wait_takes_its_mutex_again_and_readers_and_writers_take_theirs() {
    let start = line!();
    let ((), recorded) = QUIET.run(|| {
        let (mutex, condvar) = (Mutex::new(0), Condvar::new());
        let guard = mutex.lock().unwrap(); // start + 3
        let no_time = Duration::ZERO;
        drop(condvar.wait_timeout(guard, no_time).unwrap()); // start + 5
        let lock = RwLock::new(0);
        drop(lock.read().unwrap()); // start + 7
        let writer = lock.write().unwrap(); // start + 8
        drop(RwLockWriteGuard::downgrade(writer)); // start + 9
        drop(lock.try_read().unwrap()); // start + 10
        drop(lock.try_write().unwrap()); // start + 11
    });
    let at = |line: u32| start + line;
    let expected = [(3, 5), (7, 8), (8, 9), (9, 10), (10, 11)];
    assert_eq!(lines(&recorded), expected.map(|(first, second)| (at(first), at(second))));
}

#[test]
fn a_lock_at_the_address_of_one_that_is_gone_is_another_lock() {
    let ((), recorded) = QUIET.run(|| {
        for _ in 0..10 {
            let lock = Box::new(Mutex::new(0));
            drop(lock.lock().unwrap());
        }
    });
    assert_eq!(recorded, Recorded::default());
}

#[test]
fn what_is_refused_is_not_taken_and_what_ended_is_not_recorded() {
    let lock = Mutex::new(0);
    let ((), recorded) = QUIET.run(|| {
        let held = lock.lock().unwrap();
        assert!(lock.try_lock().is_err());
        drop(held);
    });
    drop(lock.lock().unwrap());
    assert_eq!(recorded, Recorded::default());
}

#[test]
fn runs_keep_their_records_apart_and_the_next_begins_anew() {
    let lock = Mutex::new(0);
    let take = || drop(lock.lock().unwrap());
    let ((), first) = QUIET.run(|| {
        take();
        let ((), inner) = QUIET.run(take);
        assert_eq!(inner, Recorded::default());
    });
    assert_eq!(first, Recorded::default());
    let ((), both) = QUIET.run(|| (take(), take()).0);
    assert_eq!(both.pairs.len(), 1);
}

#[test]
fn noise_of_every_kind_changes_no_result() {
    let kinds = [Kind::Yield, Kind::Sleep(Duration::from_micros(50))];
    for kind in kinds {
        let noise = Noise { kind, probability: 0.5, seed: 3 };
        let recorded = noise.run_all(8, 2, || {
            let sum = Arc::new(Mutex::new(0));
            let add = |amount| {
                let sum = Arc::clone(&sum);
                thread::spawn(move || *sum.lock().unwrap() += amount)
            };
            for thread in [add(1), add(2)] {
                thread.join().unwrap();
            }
            assert_eq!(*sum.lock().unwrap(), 3);
        });
        // Adding after adding, and reading after adding.
        assert_eq!(recorded.pairs.len(), 2);
    }
}
