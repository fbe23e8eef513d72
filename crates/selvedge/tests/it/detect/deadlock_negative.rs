//! Programs that look like deadlocks and have none: nothing is said of them.

use super::{Program, after_many, both};
use selvedge::sync::atomic::{AtomicBool, Ordering};
use selvedge::sync::mpsc::channel;
use selvedge::sync::{Arc, Barrier, Condvar, Mutex, Once, RwLock};
use selvedge::thread;

#[track_caller]
fn is_silent(program: Program) {
    let report = after_many("deadlock", program);
    assert!(report.finding.is_none(), "{:?}", report.finding);
    assert!(report.warnings.is_empty(), "{:#?}", report.warnings);
}

type Two = (Mutex<()>, Mutex<()>);

fn forwards((a, b): &Two) {
    let _a = a.lock().unwrap();
    let _b = b.lock().unwrap();
}

fn backwards((a, b): &Two) {
    let _b = b.lock().unwrap();
    let _a = a.lock().unwrap();
}

#[test]
fn the_same_order_everywhere() {
    is_silent(|| both(Two::default(), forwards, forwards));
}

#[test]
fn a_gate() {
    is_silent(|| {
        both(
            (Mutex::new(()), Two::default()),
            |(gate, locks)| {
                let _gate = gate.lock().unwrap();
                forwards(locks);
            },
            |(gate, locks)| {
                let _gate = gate.lock().unwrap();
                backwards(locks);
            },
        );
    });
}

#[test]
fn a_gate_that_is_written() {
    is_silent(|| {
        both(
            (RwLock::new(()), Two::default()),
            |(gate, locks)| {
                let _gate = gate.read().unwrap();
                forwards(locks);
            },
            |(gate, locks)| {
                let _gate = gate.write().unwrap();
                backwards(locks);
            },
        );
    });
}

#[test]
fn one_thread_does_both() {
    is_silent(|| {
        both(
            Two::default(),
            |locks| {
                forwards(locks);
                backwards(locks);
            },
            |(a, _)| drop(a.lock().unwrap()),
        );
    });
}

#[test]
fn one_after_the_other_by_join() {
    is_silent(|| {
        let locks = Arc::new(Two::default());
        for turn in [forwards, backwards] {
            let locks = Arc::clone(&locks);
            thread::spawn(move || turn(&locks)).join().unwrap();
        }
        backwards(&locks);
    });
}

#[test]
fn one_after_the_other_by_scope() {
    is_silent(|| {
        let locks = Two::default();
        thread::scope(|scope| {
            scope.spawn(|| forwards(&locks));
            scope.spawn(|| forwards(&locks));
        });
        backwards(&locks);
    });
}

#[test]
fn one_after_the_other_by_spawn() {
    is_silent(|| {
        let locks = Arc::new(Two::default());
        forwards(&locks);
        let theirs = Arc::clone(&locks);
        let thread = thread::spawn(move || backwards(&theirs));
        thread.join().unwrap();
    });
}

#[test]
fn one_after_the_other_by_message() {
    is_silent(|| {
        let (sender, receiver) = channel();
        let (sender, receiver) = (Mutex::new(Some(sender)), Mutex::new(Some(receiver)));
        both(
            (Two::default(), sender, receiver),
            |(locks, sender, _)| {
                forwards(locks);
                let sender = sender.lock().unwrap().take().unwrap();
                sender.send(()).unwrap();
            },
            |(locks, _, receiver)| {
                let receiver = receiver.lock().unwrap().take().unwrap();
                receiver.recv().unwrap();
                backwards(locks);
            },
        );
    });
}

#[test]
fn one_after_the_other_by_a_closed_channel() {
    is_silent(|| {
        let (sender, receiver) = channel::<()>();
        let locks = Arc::new(Two::default());
        let theirs = Arc::clone(&locks);
        let thread = thread::spawn(move || {
            forwards(&theirs);
            drop(sender);
        });
        receiver.recv().unwrap_err();
        backwards(&locks);
        thread.join().unwrap();
    });
}

#[test]
fn one_after_the_other_by_a_flag() {
    is_silent(|| {
        both(
            (Two::default(), AtomicBool::new(false)),
            |(locks, done)| {
                forwards(locks);
                done.store(true, Ordering::Release);
            },
            |(locks, done)| {
                while !done.load(Ordering::Acquire) {
                    thread::yield_now();
                }
                backwards(locks);
            },
        );
    });
}

#[test]
fn one_after_the_other_by_park() {
    is_silent(|| {
        let locks = Arc::new(Two::default());
        let done = Arc::new(AtomicBool::new(false));
        let me = thread::current();
        let (theirs, theirs_done) = (Arc::clone(&locks), Arc::clone(&done));
        let thread = thread::spawn(move || {
            forwards(&theirs);
            theirs_done.store(true, Ordering::Release);
            me.unpark();
        });
        while !done.load(Ordering::Acquire) {
            thread::park();
        }
        backwards(&locks);
        thread.join().unwrap();
    });
}

#[test]
fn one_after_the_other_by_a_barrier() {
    is_silent(|| {
        both(
            (Two::default(), Barrier::new(2)),
            |(locks, barrier)| {
                forwards(locks);
                barrier.wait();
            },
            |(locks, barrier)| {
                barrier.wait();
                backwards(locks);
            },
        );
    });
}

#[test]
fn one_after_the_other_by_an_initialisation() {
    is_silent(|| {
        both(
            (Two::default(), Once::new()),
            |(locks, once)| once.call_once(|| forwards(locks)),
            |(locks, once)| {
                once.call_once(|| forwards(locks));
                backwards(locks);
            },
        );
    });
}

#[test]
fn one_after_the_other_by_a_condition() {
    // Whether the second thread waits or comes late, only data behind the lock says who is first.
    is_silent(|| {
        both(
            (Two::default(), Mutex::new(false), Condvar::new()),
            |(locks, done, signal)| {
                forwards(locks);
                *done.lock().unwrap() = true;
                signal.notify_one();
            },
            |(locks, done, signal)| {
                let guard = done.lock().unwrap();
                drop(signal.wait_while(guard, |done| !*done).unwrap());
                backwards(locks);
            },
        );
    });
}

#[test]
fn the_second_lock_is_only_tried() {
    is_silent(|| {
        both(Two::default(), forwards, |(a, b)| {
            let _b = b.lock().unwrap();
            let _a = a.try_lock();
        });
    });
}

#[test]
fn the_first_lock_is_given_back() {
    is_silent(|| {
        both(Two::default(), forwards, |(a, b)| {
            drop(b.lock().unwrap());
            drop(a.lock().unwrap());
        });
    });
}

#[test]
fn readers_among_themselves() {
    is_silent(|| {
        both(
            (RwLock::new(()), RwLock::new(())),
            |(a, b)| {
                let _a = a.read().unwrap();
                let _b = b.read().unwrap();
            },
            |(a, b)| {
                let _b = b.read().unwrap();
                let _a = a.read().unwrap();
            },
        );
    });
}

#[test]
fn reads_twice_where_nobody_writes_meanwhile() {
    is_silent(|| {
        let lock = Arc::new(RwLock::new(1));
        let theirs = Arc::clone(&lock);
        thread::spawn(move || *theirs.write().unwrap() = 2).join().unwrap();
        let theirs = Arc::clone(&lock);
        let reader = thread::spawn(move || *theirs.read().unwrap());
        let (first, second) = (lock.read().unwrap(), lock.read().unwrap());
        assert_eq!((*first, *second), (2, 2));
        reader.join().unwrap();
    });
}

#[test]
fn waits_for_a_thread_that_needs_another_lock() {
    is_silent(|| {
        let locks = Arc::new(Two::default());
        let theirs = Arc::clone(&locks);
        let thread = thread::spawn(move || drop(theirs.0.lock().unwrap()));
        let _b = locks.1.lock().unwrap();
        thread.join().unwrap();
    });
}

#[test]
fn takes_the_lock_after_what_it_waits_for() {
    is_silent(|| {
        let (sender, receiver) = channel();
        let state = Arc::new(Mutex::new(7));
        let theirs = Arc::clone(&state);
        let thread = thread::spawn(move || {
            sender.send(()).unwrap();
            *theirs.lock().unwrap() += 1;
        });
        {
            let _state = state.lock().unwrap();
            receiver.recv().unwrap();
        }
        thread.join().unwrap();
    });
}

#[test]
fn different_objects_of_one_place() {
    is_silent(|| {
        let pair = || Arc::new(Two::default());
        let (left, right) = (pair(), pair());
        let one = thread::spawn(move || forwards(&left));
        let two = thread::spawn(move || backwards(&right));
        one.join().unwrap();
        two.join().unwrap();
    });
}

#[test]
fn a_circle_of_three_with_a_gate() {
    is_silent(|| {
        let locks: Arc<Vec<Mutex<()>>> = Arc::new((0..4).map(|_| Mutex::new(())).collect());
        let spawn = |n: usize| {
            let locks = Arc::clone(&locks);
            thread::spawn(move || {
                let _gate = (n < 2).then(|| locks[3].lock().unwrap());
                let _left = locks[n].lock().unwrap();
                let _right = locks[(n + 1) % 3].lock().unwrap();
            })
        };
        let threads: Vec<_> = (0..3).map(spawn).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// The thread is past its last use of the lock when the flag behind it is seen.
#[test]
fn a_flag_behind_the_lock_says_that_the_thread_is_done_with_it() {
    is_silent(|| {
        let state = Arc::new((Mutex::new(false), Condvar::new()));
        let theirs = Arc::clone(&state);
        let thread = thread::spawn(move || {
            // Looks first, so that the lock is taken twice.
            assert!(!*theirs.0.lock().unwrap());
            *theirs.0.lock().unwrap() = true;
            theirs.1.notify_one();
        });
        let mut is_done = state.0.lock().unwrap();
        while !*is_done {
            is_done = state.1.wait(is_done).unwrap();
        }
        thread.join().unwrap();
    });
}

#[test]
fn a_flag_behind_one_of_two_locks_says_when_the_other_is_free() {
    is_silent(|| {
        both(
            (Mutex::new(false), Mutex::new(())),
            |(flag, other)| {
                let flag = flag.lock().unwrap();
                if *flag {
                    drop(other.lock().unwrap());
                }
            },
            |(flag, other)| {
                let _other = other.lock().unwrap();
                *flag.lock().unwrap() = true;
            },
        );
    });
}
