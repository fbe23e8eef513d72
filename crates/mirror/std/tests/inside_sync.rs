//! Under control the mirrors of `std::sync` keep std's promises, whatever the order of operations.

mod sample;

use sample::{endings, fail, panics, passes, results, settings};
use selvedge_engine::{Ending, Settings};
use selvedge_model::Rate;
use selvedge_std::sync::atomic::{AtomicU32, Ordering};
use selvedge_std::sync::{
    Barrier, LazyLock, Once, OnceLock, RwLock, RwLockWriteGuard, TryLockError,
};
use selvedge_std::thread;
use std::collections::BTreeSet;

#[test]
fn a_writer_is_alone_and_readers_are_not() {
    let together = results(|| {
        let lock = RwLock::new((0, 0));
        let inside = std::sync::atomic::AtomicU32::new(0);
        let most = std::sync::atomic::AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut pair = lock.write().unwrap();
                    assert_eq!(inside.load(Ordering::Relaxed), 0);
                    pair.0 += 1;
                    thread::yield_now();
                    pair.1 += 1;
                });
                scope.spawn(|| {
                    let pair = lock.read().unwrap();
                    let now = inside.fetch_add(1, Ordering::Relaxed) + 1;
                    most.fetch_max(now, Ordering::Relaxed);
                    thread::yield_now();
                    assert_eq!(pair.0, pair.1);
                    inside.fetch_sub(1, Ordering::Relaxed);
                });
            }
        });
        assert_eq!(*lock.read().unwrap(), (2, 2));
        most.into_inner()
    });
    assert_eq!(together, BTreeSet::from([1, 2]));
}

#[test]
fn trying_does_not_wait() {
    let seen = results(|| {
        let lock = RwLock::new(0);
        thread::scope(|scope| {
            let reader = scope.spawn(|| match lock.try_read() {
                Ok(value) => Some(*value),
                Err(TryLockError::WouldBlock) => None,
                Err(TryLockError::Poisoned(_)) => unreachable!(),
            });
            let mut value = lock.write().unwrap();
            *value = 1;
            drop(value);
            reader.join().unwrap()
        })
    });
    assert_eq!(seen, BTreeSet::from([None, Some(0), Some(1)]));
}

#[test]
fn a_downgrade_lets_readers_in_and_no_writer() {
    passes(|| {
        let lock = RwLock::new(0);
        thread::scope(|scope| {
            scope.spawn(|| *lock.write().unwrap() += 10);
            scope.spawn(|| {
                let mut guard = lock.write().unwrap();
                *guard += 1;
                let written = *guard;
                let guard = RwLockWriteGuard::downgrade(guard);
                assert!(lock.try_read().is_ok());
                assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
                assert_eq!(*guard, written);
            });
        });
        assert_eq!(*lock.read().unwrap(), 11);
    });
}

#[test]
fn a_reader_that_wants_to_write_waits_for_itself() {
    let endings = endings(settings(), || {
        let lock = RwLock::new(0);
        let _reader = lock.read().unwrap();
        let _writer = lock.write().unwrap();
    });
    assert!(endings.iter().all(|ending| matches!(ending, Ending::Deadlock { .. })));
}

#[test]
fn a_panicking_writer_poisons_under_control() {
    passes(|| {
        let lock = RwLock::new(0);
        let writer = || {
            let _writer = lock.write().unwrap();
            fail::<()>()
        };
        assert!(thread::scope(|scope| scope.spawn(writer).join()).is_err());
        assert!(lock.is_poisoned() && lock.read().is_err() && lock.try_write().is_err());
        lock.clear_poison();
        assert!(lock.write().is_ok());
    });
}

/// A thread that polls a lock is held back until something changes. The change may be one that
/// was made with the lock in hand: the lock is still held then.
#[test]
fn a_change_does_not_let_pollers_into_a_lock_that_is_held() {
    let settings = Settings { idle_limit: 4, ..settings() };
    let endings = endings(settings, || {
        let (lock, writing) = (RwLock::new(false), std::sync::atomic::AtomicBool::new(false));
        let changes = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        // What only one thread uses would be no reason to stop.
                        changes.load(Ordering::Relaxed);
                        let guard = lock.read().unwrap();
                        assert!(!writing.load(Ordering::Relaxed));
                        if *guard {
                            break;
                        }
                    }
                });
            }
            scope.spawn(|| {
                let mut guard = lock.write().unwrap();
                writing.store(true, Ordering::Relaxed);
                (0..5).for_each(|n| changes.store(n, Ordering::Relaxed));
                *guard = true;
                writing.store(false, Ordering::Relaxed);
            });
        });
    });
    assert_eq!(endings.iter().find(|ending| **ending != Ending::Passed), None);
}

#[test]
fn an_initialiser_runs_once_and_the_others_wait() {
    passes(|| {
        let (once, runs) = (Once::new(), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    once.call_once(|| {
                        thread::yield_now();
                        runs.fetch_add(1, Ordering::Relaxed);
                    });
                    assert_eq!(runs.load(Ordering::Relaxed), 1);
                });
            }
            scope.spawn(|| {
                once.wait();
                assert!(once.is_completed());
                assert_eq!(runs.load(Ordering::Relaxed), 1);
            });
        });
    });
}

#[test]
fn a_failed_initialiser_ends_a_wait_unless_that_insists() {
    let seen = results(|| {
        let once = Once::new();
        thread::scope(|scope| {
            let waiter = scope.spawn(|| panics(|| once.wait()));
            let insister = scope.spawn(|| panics(|| once.wait_force()));
            let first = scope.spawn(|| panics(|| once.call_once(fail)));
            assert!(first.join().unwrap());
            let mut poisoned = false;
            once.call_once_force(|state| poisoned = state.is_poisoned());
            assert!(poisoned);
            assert!(!insister.join().unwrap());
            waiter.join().unwrap()
        })
    });
    // It may also come so late that all is well again.
    assert_eq!(seen, BTreeSet::from([false, true]));
}

#[test]
fn an_initialiser_that_waits_for_itself_is_a_deadlock() {
    let calls: [fn(&Once); 2] = [|once| once.call_once(|| ()), |once| once.wait()];
    for call in calls {
        let endings = endings(settings(), || {
            let once = Once::new();
            once.call_once(|| call(&once));
        });
        assert!(endings.iter().all(|ending| matches!(ending, Ending::Deadlock { .. })));
    }
}

#[test]
fn a_cell_gets_one_of_the_values() {
    let seen = results(|| {
        let cell = OnceLock::new();
        thread::scope(|scope| {
            let set = scope.spawn(|| cell.set(1));
            let made = scope.spawn(|| *cell.get_or_init(|| 2));
            let waited = scope.spawn(|| *cell.wait());
            let got = cell.get().copied();
            let made = made.join().unwrap();
            assert_eq!((set.join().unwrap().is_ok(), waited.join().unwrap()), (made == 1, made));
            (got, made)
        })
    });
    assert_eq!(seen, BTreeSet::from([(None, 1), (None, 2), (Some(1), 1), (Some(2), 2)]));
}

#[test]
fn a_failed_initialiser_leaves_a_cell_empty_and_poisons_a_lazy_value() {
    passes(|| {
        let (cell, lazy) = (OnceLock::<u8>::new(), LazyLock::new(fail::<u8>));
        assert!(panics(|| _ = cell.get_or_init(fail)));
        assert_eq!((cell.get(), cell.set(1), cell.get()), (None, Ok(()), Some(&1)));
        assert!(panics(|| _ = LazyLock::force(&lazy)));
        assert!(panics(|| _ = LazyLock::force(&lazy)));
        assert_eq!(LazyLock::get(&lazy), None);
    });
}

/// What was initialised on one side is initialised on the other.
#[test]
fn initialisation_crosses_the_border() {
    static INSIDE: LazyLock<u32> = LazyLock::new(|| 1_u32);
    static OUTSIDE: Once = Once::new();
    OUTSIDE.call_once(|| ());
    passes(|| {
        thread::scope(|scope| _ = scope.spawn(|| assert_eq!(*INSIDE, 1)));
        OUTSIDE.call_once(fail);
    });
    assert_eq!(LazyLock::get(&INSIDE), Some(&1));
    assert_eq!(std::thread::spawn(|| *INSIDE).join().unwrap(), 1);
}

/// An execution that fails is given up as it stands, in the middle of an initialisation too.
#[test]
fn an_execution_that_was_given_up_leaves_no_initialiser_behind() {
    static ONCE: Once = Once::new();
    static CELL: OnceLock<u8> = OnceLock::new();
    static LAZY: LazyLock<u8> = LazyLock::new(|| {
        thread::park();
        1
    });
    let settings = || Settings { spurious: Rate::Off, ..settings() };
    let stuck = endings(settings(), || {
        thread::spawn(|| ONCE.call_once(thread::park));
        thread::spawn(|| {
            CELL.get_or_init(|| {
                thread::park();
                1
            })
        });
        thread::park();
    });
    assert!(stuck.iter().all(|ending| *ending == Ending::Stuck));
    passes(|| assert!(!ONCE.is_completed() && CELL.get().is_none()));
    ONCE.call_once(|| ());
    assert_eq!(CELL.get_or_init(|| 2), &2);

    let mut lazy = endings(settings(), || assert_eq!(*LAZY, 1)).into_iter();
    assert_eq!(lazy.next(), Some(Ending::Stuck));
    let Some(Ending::Panicked { message }) = lazy.next() else { panic!("it is gone") };
    assert!(message.contains("given up"), "{message}");
}

#[test]
fn a_barrier_opens_for_all_and_has_one_leader() {
    passes(|| {
        let (barrier, arrived) = (Barrier::new(3), AtomicU32::new(0));
        let leaders: usize = thread::scope(|scope| {
            let round = || {
                (1..=2)
                    .filter(|round| {
                        arrived.fetch_add(1, Ordering::Relaxed);
                        let result = barrier.wait();
                        assert!(arrived.load(Ordering::Relaxed) >= 3 * round);
                        result.is_leader()
                    })
                    .count()
            };
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(round)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(leaders, 2);
    });
    let alone = endings(settings(), || _ = Barrier::new(2).wait());
    assert!(alone.iter().all(|ending| *ending == Ending::Stuck));
}
