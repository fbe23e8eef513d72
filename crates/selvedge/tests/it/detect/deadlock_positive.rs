//! Deadlocks that are predicted from an execution that had none, and then brought about.

use super::{Program, after_one_pass, after_passes, both};
use selvedge::sync::mpsc::{channel, sync_channel};
use selvedge::sync::{Arc, Condvar, LazyLock, Mutex, OnceLock, RwLock};
use selvedge::thread;
use selvedge::{Confidence, Treatment, Trouble, Warning};

/// Predicted from a passing execution; returns the warnings.
fn predicted(program: Program) -> Vec<Warning> {
    let report = after_one_pass("deadlock", program, "0");
    assert!(report.finding.is_none());
    for warning in &report.warnings {
        assert_eq!((warning.kind, warning.confidence), (Trouble::Deadlock, Confidence::Predicted));
        assert_eq!(warning.treatment, Treatment::Untried);
    }
    report.warnings
}

/// Predicted once, and brought about as the given kind of finding.
#[track_caller]
fn comes_true(program: Program, kind: &str) {
    let warnings = predicted(program);
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    let report = after_one_pass("deadlock", program, "300");
    let finding = report.finding.expect("the prediction is brought about");
    assert_eq!((finding.kind.name(), finding.strategy.as_str()), (kind, "steer"));
    assert_eq!(finding.replayed, selvedge::Replayed::Yes);
    let [warning] = report.warnings.as_slice() else { panic!("{:#?}", report.warnings) };
    assert_eq!(warning.treatment, Treatment::Confirmed { schedule: finding.schedule });
}

#[test]
fn two_mutexes_in_opposite_order() {
    comes_true(
        || {
            let locks = (Mutex::new(()), Mutex::new(()));
            both(
                locks,
                |(a, b)| {
                    let _a = a.lock().unwrap();
                    let _b = b.lock().unwrap();
                },
                |(a, b)| {
                    let _b = b.lock().unwrap();
                    let _a = a.lock().unwrap();
                },
            );
        },
        "deadlock",
    );
}

#[test]
fn three_threads_in_a_circle() {
    comes_true(
        || {
            let forks: Arc<Vec<Mutex<()>>> = Arc::new((0..3).map(|_| Mutex::new(())).collect());
            let eat = |n: usize| {
                let forks = Arc::clone(&forks);
                thread::spawn(move || {
                    let _left = forks[n].lock().unwrap();
                    let _right = forks[(n + 1) % 3].lock().unwrap();
                })
            };
            let philosophers: Vec<_> = (0..3).map(eat).collect();
            philosophers.into_iter().for_each(|thread| thread.join().unwrap());
        },
        "deadlock",
    );
}

#[test]
fn the_test_itself_takes_part() {
    comes_true(
        || {
            let locks = Arc::new((Mutex::new(()), Mutex::new(())));
            let other = Arc::clone(&locks);
            let thread = thread::spawn(move || {
                let _a = other.0.lock().unwrap();
                let _b = other.1.lock().unwrap();
            });
            {
                let _b = locks.1.lock().unwrap();
                let _a = locks.0.lock().unwrap();
            }
            thread.join().unwrap();
        },
        "deadlock",
    );
}

#[test]
fn a_writer_and_a_reader() {
    comes_true(
        || {
            both(
                (RwLock::new(()), Mutex::new(())),
                |(table, row)| {
                    let _table = table.read().unwrap();
                    let _row = row.lock().unwrap();
                },
                |(table, row)| {
                    let _row = row.lock().unwrap();
                    let _table = table.write().unwrap();
                },
            );
        },
        "deadlock",
    );
}

#[test]
fn two_writers_behind_two_readers() {
    comes_true(
        || {
            both(
                (RwLock::new(()), RwLock::new(())),
                |(a, b)| {
                    let _a = a.read().unwrap();
                    let _b = b.write().unwrap();
                },
                |(a, b)| {
                    let _b = b.read().unwrap();
                    let _a = a.write().unwrap();
                },
            );
        },
        "deadlock",
    );
}

#[test]
fn a_lock_that_is_taken_again_after_a_wait() {
    // The waiter holds `outer` while it takes `inner` again; the other one nests them the other way.
    // So it does when it takes `inner` for the first time: two warnings.
    let program: Program = || {
        both(
            (Mutex::new(()), Mutex::new(false), Condvar::new()),
            |(outer, inner, signal)| {
                *inner.lock().unwrap() = true;
                signal.notify_one();
                let _inner = inner.lock().unwrap();
                let _outer = outer.lock().unwrap();
            },
            |(outer, inner, signal)| {
                let _outer = outer.lock().unwrap();
                let ready = inner.lock().unwrap();
                let _ready = signal.wait_while(ready, |ready| !*ready).unwrap();
            },
        );
    };
    let warnings = predicted(program);
    let wakes = |warning: &&Warning| warning.witness.iter().any(|role| role.does.contains("woken"));
    assert_eq!((warnings.len(), warnings.iter().filter(wakes).count()), (2, 1), "{warnings:#?}");
    let report = after_one_pass("deadlock", program, "300");
    assert_eq!(report.finding.map(|finding| finding.kind.name()), Some("deadlock"));
}

#[test]
fn joins_with_a_lock_in_hand() {
    comes_true(
        || {
            let state = Arc::new(Mutex::new(0));
            let theirs = Arc::clone(&state);
            let thread = thread::spawn(move || *theirs.lock().unwrap() += 1);
            let _state = state.lock().unwrap();
            thread.join().unwrap();
        },
        "deadlock",
    );
}

/// What is looked at may be what says that the thread has ended with the lock. That it does not is seen when
/// the prediction comes true.
#[test]
fn joins_with_a_lock_in_hand_behind_which_it_has_looked() {
    let program = || {
        let state = Arc::new(Mutex::new(0));
        let theirs = Arc::clone(&state);
        let thread = thread::spawn(move || *theirs.lock().unwrap() += 1);
        let state = state.lock().unwrap();
        assert!(*state < 2);
        thread.join().unwrap();
    };
    assert!(predicted(program).is_empty(), "not without having tried");
    let report = after_one_pass("deadlock", program, "300");
    let finding = report.finding.expect("the prediction is brought about");
    assert_eq!((finding.kind.name(), finding.strategy.as_str()), ("deadlock", "steer"));
}

#[test]
fn receives_with_a_lock_in_hand_that_the_sender_needs() {
    comes_true(
        || {
            let (sender, receiver) = channel();
            let state = Arc::new(Mutex::new(7));
            let theirs = Arc::clone(&state);
            let thread = thread::spawn(move || {
                let value = *theirs.lock().unwrap();
                sender.send(value).unwrap();
            });
            {
                let _state = state.lock().unwrap();
                receiver.recv().unwrap();
            }
            thread.join().unwrap();
        },
        "stuck",
    );
}

#[test]
fn a_rendezvous_with_a_lock_in_hand_that_the_receiver_needs() {
    comes_true(
        || {
            let (sender, receiver) = sync_channel(0);
            let state = Arc::new(Mutex::new(7));
            let theirs = Arc::clone(&state);
            let thread = thread::spawn(move || {
                *theirs.lock().unwrap() += 1;
                receiver.recv().unwrap();
            });
            {
                let _state = state.lock().unwrap();
                sender.send(()).unwrap();
            }
            thread.join().unwrap();
        },
        "stuck",
    );
}

#[test]
fn parks_with_a_lock_in_hand_that_the_other_one_needs() {
    comes_true(
        || {
            let state = Arc::new(Mutex::new(0));
            let theirs = Arc::clone(&state);
            let me = thread::current();
            let thread = thread::spawn(move || {
                *theirs.lock().unwrap() += 1;
                me.unpark();
            });
            {
                let _state = state.lock().unwrap();
                thread::park();
            }
            thread.join().unwrap();
        },
        "stuck",
    );
}

#[test]
fn waits_for_a_notification_with_another_lock_in_hand() {
    comes_true(
        || {
            both(
                (Mutex::new(()), Mutex::new(false), Condvar::new()),
                |(outer, inner, signal)| {
                    drop(outer.lock().unwrap());
                    // Not ready before the other one waits, in the execution that passes.
                    for _ in 0..8 {
                        thread::yield_now();
                    }
                    *inner.lock().unwrap() = true;
                    signal.notify_one();
                },
                |(outer, inner, signal)| {
                    let _outer = outer.lock().unwrap();
                    let ready = inner.lock().unwrap();
                    let _ready = signal.wait_while(ready, |ready| !*ready).unwrap();
                },
            );
        },
        "stuck",
    );
}

#[test]
fn an_initialisation_that_needs_a_lock() {
    // That the second thread would have waited shows only when it comes first in some execution.
    let program: Program = || {
        both(
            (Mutex::new(1), OnceLock::new()),
            |(state, once): &(Mutex<u32>, OnceLock<u32>)| {
                once.get_or_init(|| *state.lock().unwrap());
            },
            |(state, once)| {
                let state = state.lock().unwrap();
                once.get_or_init(|| *state);
            },
        );
    };
    let report = after_passes(6, "deadlock", program, "0");
    assert_eq!(report.warnings.len(), 1, "{:#?}", report.warnings);
    let report = after_passes(6, "deadlock", program, "300");
    let finding = report.finding.expect("the prediction is brought about");
    assert_eq!((finding.kind.name(), finding.strategy.as_str()), ("deadlock", "steer"));
}

#[test]
fn through_functions_that_each_look_right() {
    struct Account(Mutex<i64>);
    fn transfer(from: &Account, to: &Account, amount: i64) {
        let mut from = from.0.lock().unwrap();
        let mut to = to.0.lock().unwrap();
        *from -= amount;
        *to += amount;
    }
    comes_true(
        || {
            both(
                (Account(Mutex::new(10)), Account(Mutex::new(10))),
                |(a, b)| transfer(a, b, 1),
                |(a, b)| transfer(b, a, 2),
            );
        },
        "deadlock",
    );
}

#[test]
fn a_later_turn_of_a_loop() {
    comes_true(
        || {
            both(
                (Mutex::new(()), Mutex::new(())),
                |(a, b)| {
                    for turn in 0..3 {
                        let _a = a.lock().unwrap();
                        if turn == 2 {
                            let _b = b.lock().unwrap();
                        }
                    }
                },
                |(a, b)| {
                    for turn in 0..3 {
                        let _b = b.lock().unwrap();
                        if turn == 1 {
                            let _a = a.lock().unwrap();
                        }
                    }
                },
            );
        },
        "deadlock",
    );
}

#[test]
fn two_readers_and_a_writer_in_between_are_predicted_only() {
    let program: Program = || {
        let lock = Arc::new(RwLock::new(1));
        let theirs = Arc::clone(&lock);
        let writer = thread::spawn(move || *theirs.write().unwrap() = 2);
        {
            let first = lock.read().unwrap();
            let second = lock.read().unwrap();
            assert_eq!(*first, *second);
        }
        writer.join().unwrap();
    };
    let warnings = predicted(program);
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    let report = after_one_pass("deadlock", program, "300");
    assert!(report.finding.is_none());
    assert_eq!(report.warnings[0].treatment, Treatment::Untried);
}

#[test]
fn readers_in_a_circle_with_writers_in_between_are_predicted_only() {
    let program: Program = || {
        let locks = Arc::new((RwLock::new(()), RwLock::new(())));
        let spawn = |body: fn(&(RwLock<()>, RwLock<()>))| {
            let locks = Arc::clone(&locks);
            thread::spawn(move || body(&locks))
        };
        let threads = [
            spawn(|(a, b)| {
                let _a = a.read().unwrap();
                let _b = b.read().unwrap();
            }),
            spawn(|(a, b)| {
                let _b = b.read().unwrap();
                let _a = a.read().unwrap();
            }),
            spawn(|(a, _)| drop(a.write().unwrap())),
            spawn(|(_, b)| drop(b.write().unwrap())),
        ];
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    };
    let warnings = predicted(program);
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    let writers = warnings[0].witness.iter().filter(|role| role.does.contains("meanwhile"));
    assert_eq!(writers.count(), 2);
}

#[test]
fn a_lazy_static_and_a_lock() {
    static TABLE: LazyLock<Mutex<u32>> = LazyLock::new(|| Mutex::new(3));
    // The initialiser needs nothing here, so there is nothing to warn of.
    let warnings = predicted(|| {
        both(
            Mutex::new(0),
            |state| {
                let (mut state, table) = (state.lock().unwrap(), TABLE.lock().unwrap());
                *state += *table;
            },
            |state| {
                let (mut table, state) = (TABLE.lock().unwrap(), state.lock().unwrap());
                *table = *state;
            },
        );
    });
    // But the two locks are nested both ways.
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
}

/// Whoever comes second has looked at what the first one wrote: now one of them, now the other.
#[test]
fn who_looks_behind_its_lock_first_is_not_always_the_same() {
    let program: Program = || {
        both(
            (Mutex::new(0), Mutex::new(0)),
            |(a, b)| {
                let mut a = a.lock().unwrap();
                *a += 1;
                *b.lock().unwrap() += *a;
            },
            |(a, b)| {
                let mut b = b.lock().unwrap();
                *b += 1;
                *a.lock().unwrap() += *b;
            },
        );
    };
    assert!(predicted(program).is_empty(), "one execution has one order");
    let report = after_passes(6, "deadlock", program, "0");
    assert_eq!(report.warnings.len(), 1, "{:#?}", report.warnings);
}

#[test]
fn a_witness_names_who_holds_and_wants_what_and_where() {
    let warnings = predicted(|| {
        both(
            (Mutex::new(()), Mutex::new(())),
            |(a, b)| {
                let _a = a.lock().unwrap();
                let _b = b.lock().unwrap();
            },
            |(a, b)| {
                let _b = b.lock().unwrap();
                let _a = a.lock().unwrap();
            },
        );
    });
    let witness = &warnings[0].witness;
    let does: Vec<_> = witness.iter().map(|role| role.does.as_str()).collect();
    assert_eq!(does, ["holds", "waits for", "holds", "waits for"]);
    let mutex = |index: usize| witness[index].object.as_ref().unwrap().number;
    assert_eq!((mutex(0), mutex(1)), (mutex(3), mutex(2)), "each wants what the other holds");
    assert_ne!(mutex(0), mutex(1));
    assert_ne!(witness[0].thread.path, witness[2].thread.path);
}

#[test]
fn what_can_not_be_brought_about_stays_a_warning() {
    // Data behind one of the locks of the circle orders it, which nobody can see.
    let report = after_one_pass(
        "deadlock",
        || {
            both(
                (Mutex::new(false), Mutex::new(())),
                |(a, b)| {
                    let mut done = a.lock().unwrap();
                    drop(b.lock().unwrap());
                    *done = true;
                },
                |(a, b)| {
                    while !*a.lock().unwrap() {
                        thread::yield_now();
                    }
                    let _b = b.lock().unwrap();
                    let _a = a.lock().unwrap();
                },
            );
        },
        "40",
    );
    assert!(report.finding.is_none());
    let [warning] = report.warnings.as_slice() else { panic!("{:#?}", report.warnings) };
    assert_eq!(warning.treatment, Treatment::Unconfirmed { executions: 40 });
    assert_eq!(report.executions, 41);
}

#[test]
fn a_search_of_all_schedules_refutes_a_prediction() {
    let report = selvedge::Builder::new()
        .strategy(selvedge::StrategyName::Exhaustive)
        .executions(100_000)
        .set("detectors", "deadlock")
        .explore(|| {
            both(
                (Mutex::new(false), Mutex::new(())),
                |(a, b)| {
                    let mut done = a.lock().unwrap();
                    drop(b.lock().unwrap());
                    *done = true;
                },
                |(a, b)| {
                    if *a.lock().unwrap() {
                        let _b = b.lock().unwrap();
                        let _a = a.lock().unwrap();
                    }
                },
            );
        })
        .unwrap();
    assert_eq!(report.stopped, selvedge::Stopped::Exhausted);
    assert!(report.warnings.is_empty(), "{:#?}", report.warnings);
}
