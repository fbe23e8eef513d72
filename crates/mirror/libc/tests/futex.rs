//! Locks that wait on a futex of their own, inside an execution and outside.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

#[path = "../../std/tests/explore/mod.rs"]
mod explore;
#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use explore::{check, explore};
use sample::{endings, results, settings};
use selvedge_engine::Ending;
use selvedge_std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use selvedge_std::thread;
use std::ptr;
use std::sync::Arc;

/// What a system call failed for.
fn error() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap()
}

fn name(result: i64) -> String {
    match result {
        -1 => match error() {
            libc::EAGAIN => "EAGAIN".to_owned(),
            libc::ETIMEDOUT => "ETIMEDOUT".to_owned(),
            libc::EINVAL => "EINVAL".to_owned(),
            libc::ENOSYS => "ENOSYS".to_owned(),
            other => format!("error {other}"),
        },
        count => count.to_string(),
    }
}

fn wait(word: &AtomicU32, expected: u32) -> i64 {
    // SAFETY: The word lives as long as the call.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            expected,
            ptr::null::<libc::timespec>(),
        )
    }
}

fn wait_until(word: &AtomicU32, expected: u32, flags: i32, bits: u32, until: i64) -> i64 {
    let time = libc::timespec { tv_sec: until, tv_nsec: 0 };
    let operation = libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG | flags;
    let nobody = ptr::null::<u32>();
    let word = word.as_ptr();
    // SAFETY: The word and the time live as long as the call.
    unsafe {
        libc::syscall(libc::SYS_futex, word, operation, expected, &raw const time, nobody, bits)
    }
}

fn wait_bits(word: &AtomicU32, expected: u32, bits: u32) -> i64 {
    let operation = libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG;
    let never = ptr::null::<libc::timespec>();
    let nobody = ptr::null::<u32>();
    // SAFETY: The word lives as long as the call.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), operation, expected, never, nobody, bits)
    }
}

fn wake(word: &AtomicU32, most: u32) -> i64 {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: The word lives as long as the call.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, most) }
}

fn wake_bits(word: &AtomicU32, most: u32, bits: u32) -> i64 {
    let operation = libc::FUTEX_WAKE_BITSET | libc::FUTEX_PRIVATE_FLAG;
    let (never, nobody) = (ptr::null::<libc::timespec>(), ptr::null::<u32>());
    // SAFETY: The word lives as long as the call.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, most, never, nobody, bits) }
}

/// A mutex as Drepper's "Futexes are tricky" has it: 0 is free, 1 is taken, 2 is wanted.
#[derive(Default)]
struct Lock(AtomicU32);

impl Lock {
    fn lock(&self) {
        if self.0.compare_exchange(0, 1, SeqCst, SeqCst).is_err() {
            while self.0.swap(2, SeqCst) != 0 {
                wait(&self.0, 2);
            }
        }
    }

    fn unlock(&self) {
        if self.0.swap(0, SeqCst) == 2 {
            wake(&self.0, 1);
        }
    }
}

#[test]
fn a_lock_on_a_futex_lets_one_thread_in_at_a_time() {
    selvedge_libc::install();
    check(["2"], || {
        let (lock, count) = (Arc::new(Lock::default()), Arc::new(AtomicU32::new(0)));
        let both = Arc::new((lock, count));
        let theirs = Arc::clone(&both);
        let add = |both: &(Arc<Lock>, Arc<AtomicU32>)| {
            both.0.lock();
            let before = both.1.load(SeqCst);
            both.1.store(before + 1, SeqCst);
            both.0.unlock();
        };
        let other = thread::spawn(move || add(&theirs));
        add(&both);
        other.join().unwrap();
        both.1.load(SeqCst).to_string()
    });
}

#[test]
fn locks_in_opposite_order_block_each_other() {
    selvedge_libc::install();
    let endings = endings(settings(), || {
        let locks = Arc::new((Lock::default(), Lock::default()));
        let theirs = Arc::clone(&locks);
        let other = thread::spawn(move || {
            theirs.1.lock();
            theirs.0.lock();
            theirs.0.unlock();
            theirs.1.unlock();
        });
        locks.0.lock();
        locks.1.lock();
        locks.1.unlock();
        locks.0.unlock();
        other.join().unwrap();
    });
    assert!(endings.contains(&Ending::Stuck));
    assert!(endings.contains(&Ending::Passed));
    assert!(endings.iter().all(|ending| matches!(ending, Ending::Stuck | Ending::Passed)));
}

#[test]
fn a_word_with_another_value_is_not_waited_on() {
    selvedge_libc::install();
    check(["EAGAIN"], || name(wait(&AtomicU32::new(1), 0)));
}

#[test]
fn a_wake_up_that_comes_too_early_is_lost() {
    selvedge_libc::install();
    check(["Stuck", "woke 1"], || {
        let word = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&word);
        let other = thread::spawn(move || wait(&theirs, 0));
        let woken = wake(&word, 1);
        other.join().unwrap();
        format!("woke {woken}")
    });
}

#[test]
fn so_many_are_woken_as_were_asked_for_and_which_ones_is_open() {
    selvedge_libc::install();
    let results = results(|| {
        let word = Arc::new(AtomicU32::new(0));
        let ready = Arc::new(AtomicU32::new(0));
        let waiters: Vec<_> = (0..2)
            .map(|number| {
                let (word, ready) = (Arc::clone(&word), Arc::clone(&ready));
                thread::spawn(move || {
                    wait(&word, 0);
                    ready.fetch_add(number + 1, SeqCst);
                })
            })
            .collect();
        let first = wake(&word, 1);
        while first == 1 && ready.load(SeqCst) == 0 {
            thread::yield_now();
        }
        let woken = ready.load(SeqCst);
        word.store(1, SeqCst);
        let rest = wake(&word, u32::MAX);
        for waiter in waiters {
            waiter.join().unwrap();
        }
        (first, woken, rest)
    });
    // The one or the other was woken first, while the other one waited.
    assert!(results.contains(&(1, 1, 1)), "{results:?}");
    assert!(results.contains(&(1, 2, 1)), "{results:?}");
    // Nobody waited before both were woken together.
    assert!(results.contains(&(0, 0, 2)), "{results:?}");
}

#[test]
fn who_has_none_of_the_bits_is_not_woken() {
    selvedge_libc::install();
    let outcomes = explore(|| {
        let word = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&word);
        let other = thread::spawn(move || name(wait_bits(&theirs, 0, 0b01)));
        let (wrong, right) = (wake_bits(&word, 9, 0b10), wake_bits(&word, 9, 0b11));
        word.store(1, SeqCst);
        let late = wake(&word, 9);
        format!("{wrong} {right} {late} {}", other.join().unwrap())
    })
    .outcomes;
    let expected = ["0 0 0 EAGAIN", "0 0 1 0", "0 1 0 0"];
    assert_eq!(outcomes, expected.map(str::to_owned).into());
}

#[test]
fn no_bits_at_all_are_an_error() {
    selvedge_libc::install();
    check(["EINVAL EINVAL"], || {
        let word = AtomicU32::new(0);
        let woken = name(wake_bits(&word, 1, 0));
        format!("{} {woken}", name(wait_bits(&word, 0, 0)))
    });
}

#[test]
fn a_wait_with_a_deadline_ends() {
    selvedge_libc::install();
    check(["ETIMEDOUT"], || {
        let word = AtomicU32::new(0);
        let time = libc::timespec { tv_sec: 3600, tv_nsec: 0 };
        // SAFETY: The word and the time live as long as the call.
        name(unsafe {
            libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, 0, &raw const time)
        })
    });
}

#[test]
fn locks_with_priorities_are_not_there() {
    selvedge_libc::install();
    check(["ENOSYS"], || {
        let word = AtomicU32::new(0);
        // SAFETY: The word lives as long as the call.
        name(unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_LOCK_PI, 0) })
    });
}

#[test]
fn waiters_can_be_moved_to_another_futex() {
    selvedge_libc::install();
    let outcomes = explore(|| {
        let words = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
        let theirs = Arc::clone(&words);
        let other = thread::spawn(move || name(wait(&theirs.0, 0)));
        // SAFETY: The words live as long as the call.
        let moved = unsafe {
            libc::syscall(
                libc::SYS_futex,
                words.0.as_ptr(),
                libc::FUTEX_CMP_REQUEUE,
                0,
                9usize,
                words.1.as_ptr(),
                0,
            )
        };
        words.0.store(1, SeqCst);
        let here = wake(&words.0, 9);
        let there = wake(&words.1, 9);
        format!("{moved} {here} {there} {}", other.join().unwrap())
    })
    .outcomes;
    let expected = ["0 0 0 EAGAIN", "0 1 0 0", "1 0 1 0"];
    assert_eq!(outcomes, expected.map(str::to_owned).into());
}

#[test]
fn outside_of_an_execution_the_kernel_decides() {
    selvedge_libc::install();
    let word = AtomicU32::new(1);
    assert_eq!(name(wait(&word, 0)), "EAGAIN");
    assert_eq!(name(wake(&word, 1)), "0");
    // A moment long gone on either clock.
    assert_eq!(name(wait_until(&word, 1, 0, u32::MAX, 0)), "ETIMEDOUT");
    let calendar = libc::FUTEX_CLOCK_REALTIME;
    assert_eq!(name(wait_until(&word, 1, calendar, u32::MAX, 1)), "ETIMEDOUT");
    // Real locks of real threads wait on futexes too.
    let lock = Arc::new(Lock::default());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let lock = Arc::clone(&lock);
            std::thread::spawn(move || {
                for _ in 0..1000 {
                    lock.lock();
                    lock.unlock();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
