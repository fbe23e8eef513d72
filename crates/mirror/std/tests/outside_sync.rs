//! Outside of a controlled execution the mirrors of `std::sync` behave like the real ones.
//!
//! Each test runs the same code against std and against the mirror and compares what it saw.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// A test whose body is run twice: `sync` is once `std::sync` and once the mirror of it. What the
/// body returns must be the same.
macro_rules! same {
    ($(fn $name:ident($sync:ident) $body:block)+) => {
        $(
            #[test]
            fn $name() {
                let real = { use std::sync as $sync; $body };
                let mirror = { use selvedge_std::sync as $sync; $body };
                assert_eq!(mirror, real);
            }
        )+
    };
}

/// What `f` returns, or the text that it panics with.
fn outcome<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast::<&str>().map_or("?".to_owned(), |text| text.to_string()),
    })
}

/// Panics with a short text.
fn fail<R>() -> R {
    panic!("on purpose")
}

mod rwlock {
    use super::*;

    same! {
        fn readers_share_and_writers_do_not(sync) {
            let lock = sync::RwLock::new(1);
            let mut seen = Vec::new();
            let first = lock.read().unwrap();
            seen.push((lock.try_read().is_ok(), lock.try_write().is_ok()));
            drop(first);
            let first = lock.write().unwrap();
            seen.push((lock.try_read().is_ok(), lock.try_write().is_ok()));
            drop(first);
            seen.push((lock.try_read().is_ok(), lock.try_write().is_ok()));
            seen
        }

        fn writers_come_one_after_the_other(sync) {
            let lock = sync::RwLock::new(0);
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| (0..100).for_each(|_| *lock.write().unwrap() += 1));
                    scope.spawn(|| (0..100).for_each(|_| assert!(*lock.read().unwrap() <= 400)));
                }
            });
            lock.into_inner().unwrap()
        }

        fn a_writer_that_panics_poisons(sync) {
            let mut lock = sync::RwLock::new(1);
            let mut seen = vec![format!("{lock:?}")];
            let _ = outcome(|| { let _reader = lock.read(); fail::<()>() });
            seen.push(format!("{lock:?} {}", lock.is_poisoned()));
            let _ = outcome(|| { *lock.write().unwrap() = 2; fail::<()>() });
            seen.push(format!("{lock:?} {}", lock.is_poisoned()));
            let _ = outcome(|| { let _writer = lock.write(); fail::<()>() });
            seen.push(format!("{lock:?} {}", lock.is_poisoned()));
            seen.push(format!("{:?} {:?}", lock.read(), lock.try_read()));
            seen.push(format!("{:?}", lock.write()));
            seen.push(format!("{:?}", lock.try_write()));
            seen.push(format!("{:?}", lock.get_mut()));
            seen.push(lock.read().map(|guard| *guard).unwrap_or_else(|e| **e.get_ref()).to_string());
            lock.clear_poison();
            seen.push(format!("{lock:?} {:?}", lock.try_write()));
            let _ = outcome(|| { let _writer = lock.write(); fail::<()>() });
            seen.push(format!("{:?}", lock.into_inner()));
            seen
        }

        fn a_writer_that_came_while_panicking_does_not_poison(sync) {
            struct WriteOnDrop<'a>(&'a sync::RwLock<u8>);
            impl Drop for WriteOnDrop<'_> {
                fn drop(&mut self) {
                    *self.0.write().unwrap() += 1;
                }
            }
            let lock = sync::RwLock::new(1);
            let _ = outcome(|| { let _late = WriteOnDrop(&lock); fail::<()>() });
            format!("{lock:?}")
        }

        fn a_downgraded_guard_reads(sync) {
            let lock = sync::RwLock::new(1);
            let mut guard = lock.write().unwrap();
            *guard = 2;
            let guard = sync::RwLockWriteGuard::downgrade(guard);
            let mut seen = vec![(*guard, lock.try_read().is_ok(), lock.try_write().is_ok())];
            drop(guard);
            seen.push((0, lock.try_read().is_ok(), lock.try_write().is_ok()));
            seen
        }

        fn locks_and_guards_are_shown(sync) {
            let lock = sync::RwLock::from("text");
            let mut seen = vec![format!("{:?}", sync::RwLock::<u8>::default())];
            let guard = lock.read().unwrap();
            seen.push(format!("{lock:?} {guard:?} {guard}"));
            drop(guard);
            let mut guard = lock.write().unwrap();
            *guard = "other";
            seen.push(format!("{lock:?} {guard:?} {guard} {:#?}", lock.try_read()));
            seen
        }
    }
}

mod once {
    use super::*;

    same! {
        fn an_initialiser_runs_once(sync) {
            let once = sync::Once::new();
            let runs = Cell::new(0);
            let mut seen = vec![once.is_completed()];
            for _ in 0..3 {
                once.call_once(|| runs.set(runs.get() + 1));
                once.call_once_force(|_| runs.set(runs.get() + 10));
                once.wait();
                once.wait_force();
                seen.push(once.is_completed());
            }
            (seen, runs.get(), format!("{once:?}"))
        }

        fn one_of_many_initialises_and_the_others_wait(sync) {
            let once = sync::Once::new();
            let runs = sync::atomic::AtomicU32::new(0);
            let value = sync::RwLock::new(0);
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| { once.wait(); assert_eq!(*value.read().unwrap(), 1); });
                    scope.spawn(|| {
                        once.call_once(|| {
                            runs.fetch_add(1, sync::atomic::Ordering::Relaxed);
                            *value.write().unwrap() += 1;
                        });
                        assert!(once.is_completed());
                        assert_eq!(*value.read().unwrap(), 1);
                    });
                }
            });
            runs.into_inner()
        }

        fn an_initialiser_that_panics_poisons(sync) {
            let once = sync::Once::new();
            let mut seen = vec![outcome(|| once.call_once(fail))];
            seen.push(outcome(|| once.call_once(|| ())));
            seen.push(outcome(|| once.wait()));
            seen.push(outcome(|| assert!(!once.is_completed())));
            seen.push(outcome(|| once.call_once_force(|_| fail())));
            let mut states = Vec::new();
            once.call_once_force(|state| states.push(format!("{state:?} {}", state.is_poisoned())));
            once.call_once_force(|state| states.push(format!("{state:?} {}", state.is_poisoned())));
            seen.push(outcome(|| once.call_once(fail)));
            seen.push(outcome(|| once.wait()));
            (seen, states, once.is_completed())
        }

        fn a_fresh_state_is_not_poisoned(sync) {
            #[allow(deprecated, reason = "std has it")]
            let once = sync::ONCE_INIT;
            let mut seen = String::new();
            once.call_once_force(|state| seen = format!("{state:?} {}", state.is_poisoned()));
            seen
        }

        fn a_panic_wakes_those_that_wait_and_not_those_that_insist(sync) {
            let once = sync::Once::new();
            thread::scope(|scope| {
                let waiter = scope.spawn(|| outcome(|| once.wait()));
                let insister = scope.spawn(|| outcome(|| once.wait_force()));
                let first = outcome(|| once.call_once(fail));
                let waited = waiter.join().unwrap();
                once.call_once_force(|_| ());
                (first, waited, insister.join().unwrap())
            })
        }
    }
}

mod once_lock {
    use super::*;

    same! {
        fn a_cell_keeps_its_first_value(sync) {
            let mut cell = sync::OnceLock::new();
            let mut seen = vec![format!("{cell:?} {:?}", cell.get())];
            seen.push(format!("{:?}", cell.get_mut()));
            seen.push(format!("{:?} {:?}", cell.set(1), cell.set(2)));
            seen.push(format!("{cell:?} {:?}", cell.get()));
            seen.push(format!("{:?}", cell.get_mut()));
            seen.push(format!("{} {}", cell.get_or_init(|| 3), cell.wait()));
            *cell.get_mut().unwrap() += 1;
            seen.push(format!("{:?} {:?}", cell.clone(), cell.take()));
            seen.push(format!("{cell:?} {:?}", cell.clone()));
            seen.push(format!("{:?} {} {:?}", cell.take(), cell.get_or_init(|| 5), cell.set(6)));
            seen.push(format!("{:?}", cell.into_inner()));
            seen.push(format!("{:?}", sync::OnceLock::<u8>::default().into_inner()));
            seen
        }

        fn a_panic_leaves_the_cell_empty(sync) {
            let cell = sync::OnceLock::<u8>::new();
            let first = outcome(|| *cell.get_or_init(fail));
            let empty = cell.get().copied();
            let (second, third) = (*cell.get_or_init(|| 1), *cell.get_or_init(fail));
            (first, empty, second, third, *cell.wait())
        }

        fn a_panic_does_not_bar_set(sync) {
            let cell = sync::OnceLock::<u8>::new();
            let _ = outcome(|| *cell.get_or_init(fail));
            (cell.set(1), cell.set(2), cell.get().copied())
        }

        fn cells_compare_by_their_values(sync) {
            let cells = [sync::OnceLock::new(), sync::OnceLock::from(1), sync::OnceLock::from(2)];
            let row = |a: &sync::OnceLock<i32>| cells.iter().map(|b| a == b).collect::<Vec<_>>();
            cells.iter().map(row).collect::<Vec<_>>()
        }

        fn one_of_many_values_wins(sync) {
            let cell = sync::OnceLock::new();
            thread::scope(|scope| {
                let cell = &cell;
                let waiter = scope.spawn(|| *cell.wait());
                let threads: Vec<_> =
                    (0..4).map(|n| scope.spawn(move || *cell.get_or_init(|| n))).collect();
                let value = waiter.join().unwrap();
                threads.into_iter().all(|thread| thread.join().unwrap() == value)
            })
        }

        fn the_value_is_dropped_once(sync) {
            let drops = sync::Arc::new(());
            let mut counts = Vec::new();
            let mut cell = sync::OnceLock::from(sync::Arc::clone(&drops));
            counts.push(sync::Arc::strong_count(&drops));
            let rejected = cell.set(sync::Arc::clone(&drops));
            counts.push(sync::Arc::strong_count(&drops));
            drop(rejected);
            drop(cell.take());
            counts.push(sync::Arc::strong_count(&drops));
            cell.set(sync::Arc::clone(&drops)).unwrap();
            drop(cell);
            counts.push(sync::Arc::strong_count(&drops));
            counts
        }
    }
}

mod lazy_lock {
    use super::*;

    same! {
        fn the_value_is_made_on_first_use(sync) {
            let runs = Cell::new(0);
            let mut lazy = sync::LazyLock::new(|| { runs.set(runs.get() + 1); vec![1] });
            let mut seen = vec![format!("{lazy:?} {:?}", sync::LazyLock::get(&lazy))];
            seen.push(format!("{:?} {}", sync::LazyLock::get_mut(&mut lazy), runs.get()));
            seen.push(format!("{} {} {lazy:?}", lazy.len(), runs.get()));
            lazy.push(2);
            sync::LazyLock::force_mut(&mut lazy).push(3);
            sync::LazyLock::get_mut(&mut lazy).unwrap().push(4);
            seen.push(format!("{:?} {}", sync::LazyLock::force(&lazy), runs.get()));
            seen.push(format!("{:?}", sync::LazyLock::get(&lazy)));
            seen
        }

        fn a_panic_poisons(sync) {
            let mut lazy = sync::LazyLock::new(fail::<u8>);
            let first = outcome(|| *lazy);
            let second = outcome(|| *sync::LazyLock::force(&lazy));
            let shown = format!("{lazy:?} {:?}", sync::LazyLock::get(&lazy));
            let got = sync::LazyLock::get_mut(&mut lazy).copied();
            let third = outcome(|| *sync::LazyLock::force_mut(&mut lazy));
            (first, second, shown, got, third)
        }

        fn a_panic_poisons_also_if_nobody_else_could_see_it(sync) {
            let mut lazy = sync::LazyLock::new(fail::<u8>);
            let first = outcome(|| *sync::LazyLock::force_mut(&mut lazy));
            let second = outcome(|| *sync::LazyLock::force_mut(&mut lazy));
            (first, second, outcome(|| *lazy))
        }

        fn a_value_made_alone_is_made(sync) {
            let mut lazy = sync::LazyLock::<u8>::default();
            *lazy += 1;
            (*lazy, sync::LazyLock::get(&lazy).copied())
        }

        fn statics_are_made_once(sync) {
            static RUNS: sync::atomic::AtomicU32 = sync::atomic::AtomicU32::new(0);
            static LAZY: sync::LazyLock<u32> =
                sync::LazyLock::new(|| RUNS.fetch_add(1, sync::atomic::Ordering::Relaxed) + 7);
            let threads: Vec<_> = (0..4).map(|_| thread::spawn(|| *LAZY)).collect();
            let values: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            (values, RUNS.load(sync::atomic::Ordering::Relaxed))
        }

        fn what_is_left_is_dropped(sync) {
            let (initialiser, value) = (sync::Arc::new(()), sync::Arc::new(()));
            let make = || {
                let parts = (sync::Arc::clone(&initialiser), sync::Arc::clone(&value));
                sync::LazyLock::new(move || { let _used_up = parts.0; parts.1 })
            };
            let counts =
                || (sync::Arc::strong_count(&initialiser), sync::Arc::strong_count(&value));
            let mut seen = vec![counts()];
            let lazy = make();
            seen.push(counts());
            sync::LazyLock::force(&lazy);
            seen.push(counts());
            drop(lazy);
            seen.push(counts());
            drop(make());
            seen.push(counts());
            seen
        }
    }
}

mod barrier {
    use super::*;

    same! {
        fn every_round_has_one_leader(sync) {
            let barrier = sync::Barrier::new(3);
            let arrived = sync::atomic::AtomicU32::new(0);
            let leaders: Vec<Vec<bool>> = thread::scope(|scope| {
                let rounds = || {
                    (1..=10).map(|round| {
                        arrived.fetch_add(1, sync::atomic::Ordering::SeqCst);
                        let result = barrier.wait();
                        assert!(arrived.load(sync::atomic::Ordering::SeqCst) >= 3 * round);
                        result.is_leader()
                    }).collect()
                };
                let threads: Vec<_> = (0..3).map(|_| scope.spawn(rounds)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            (0..10)
                .map(|round| leaders.iter().filter(|thread| thread[round]).count())
                .collect::<Vec<_>>()
        }

        fn a_barrier_for_one_is_open(sync) {
            let small = [sync::Barrier::new(0), sync::Barrier::new(1)];
            small.iter().map(|b| format!("{b:?} {:?}", b.wait())).collect::<Vec<_>>()
        }
    }
}

/// An object that ordinary threads are done with can be used by any others.
#[test]
fn poison_and_completion_do_not_depend_on_the_thread() {
    static LOCK: selvedge_std::sync::RwLock<u8> = selvedge_std::sync::RwLock::new(1);
    static ONCE: selvedge_std::sync::Once = selvedge_std::sync::Once::new();
    let poison = thread::spawn(|| {
        let _writer = LOCK.write().unwrap();
        ONCE.call_once(fail);
    });
    assert!(poison.join().is_err());
    assert!(LOCK.is_poisoned());
    thread::spawn(|| ONCE.call_once_force(|state| assert!(state.is_poisoned()))).join().unwrap();
    assert!(ONCE.is_completed());
}
