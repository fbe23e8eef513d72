//! Schedules that can not happen, and what is said of them.

mod common;

use common::{enforce, event, spawn};
use selvedge_real::Failure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

#[track_caller]
fn text(result: Result<(), Failure>) -> String {
    result.unwrap_err().to_string()
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

#[test]
fn who_waits_for_whom_is_said() {
    let result = enforce("b -> a", || {
        let (sender, receiver) = mpsc::channel();
        let other = spawn("other", move || {
            event("first");
            receiver.recv().unwrap();
            event("b");
        });
        event("a");
        sender.send(()).unwrap();
        other.join().unwrap();
    });
    assert!(matches!(result, Err(Failure::Infeasible(_))), "{result:?}");
    has(
        &text(result),
        &[
            "nobody can go on",
            "`a` by thread `main` at crates/real/tests/infeasible.rs:",
            "waits for `b`, which has not happened",
            "thread `other` is blocked, after `first` at crates/real/tests/infeasible.rs:",
            "nothing that the schedule mentions has happened",
        ],
    );
}

#[test]
fn two_threads_that_hold_each_other_are_a_standstill() {
    let result = enforce("a2 -> b1, b2 -> a1", || {
        let other = spawn("other", || {
            event("b1");
            event("b2");
        });
        event("a1");
        event("a2");
        other.join().unwrap();
    });
    has(&text(result), &["`a1` by thread", "`b1` by thread", "`a2`, which", "`b2`, which"]);
}

#[test]
fn a_thread_that_ends_without_blocking_never_blocks() {
    let result = enforce("[sent] -> received", || {
        let (sender, receiver) = mpsc::channel();
        let other = spawn("sender", move || {
            event("sent");
            sender.send(()).unwrap();
        });
        event("received");
        receiver.recv().unwrap();
        other.join().unwrap();
    });
    has(&text(result), &["thread `sender` never blocked after `sent`: it has ended"]);
}

#[test]
fn a_thread_that_another_has_woken_is_not_blocked() {
    // `recv` returns before `after`, so its thread is not blocked then, however late it is.
    for _ in 0..5 {
        let result = enforce("[receiving] -> before, [receiving] -> after", || {
            let (sender, receiver) = mpsc::channel();
            let other = spawn("receiver", move || {
                event("receiving");
                receiver.recv().unwrap();
            });
            event("before");
            sender.send(()).unwrap();
            event("after");
            other.join().unwrap();
        });
        has(&text(result), &["`after` by thread", "the thread of `receiving`"]);
    }
}

#[test]
fn a_thread_that_spins_is_told_of() {
    let stop = Arc::new(AtomicBool::new(false));
    let theirs = Arc::clone(&stop);
    let result = enforce("never -> a", move || {
        let other = spawn("spinner", move || {
            while !theirs.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
            event("never");
        });
        event("a");
        other.join().unwrap();
    });
    stop.store(true, Ordering::Relaxed);
    has(&text(result), &["thread `spinner` is still running", "`a` by thread"]);
}

#[test]
fn a_thread_that_polls_for_ever_is_told_of() {
    let result = enforce("never -> a", move || {
        let stop = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&stop);
        let other = spawn("poller", move || {
            while !theirs.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
            event("never");
        });
        event("a");
        stop.store(true, Ordering::Relaxed);
        other.join().unwrap();
    });
    has(&text(result), &["thread `poller`", "`a` by thread"]);
}

#[test]
fn a_deadlock_of_the_test_itself_is_told_of() {
    let result = enforce("a -> b, b -> c", || {
        let (one, two) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(())));
        let (their_one, their_two) = (Arc::clone(&one), Arc::clone(&two));
        let other = spawn("other", move || {
            let _two = their_two.lock().unwrap();
            event("a");
            event("c");
            let _one = their_one.lock().unwrap();
        });
        let _one = one.lock().unwrap();
        event("b");
        let _two = two.lock().unwrap();
        other.join().unwrap();
    });
    has(
        &text(result),
        &[
            "no thread is held",
            "thread `main` is blocked, after `b`",
            "thread `other` is blocked, after `c`",
        ],
    );
}

#[test]
fn an_event_that_never_occurs_is_told_of_with_what_may_be_meant() {
    let result = enforce("finished_add -> starting_take", || {
        event("finished_ad");
        event("finished");
    });
    let result = text(result);
    has(
        &result,
        &[
            "`starting_take` never happened",
            "`finished_add` never happened",
            "did you mean `finished_ad`, which happened?",
        ],
    );
}

#[test]
fn an_event_that_occurs_too_seldom_is_told_of() {
    let result = enforce("a -> b#3", || {
        event("a");
        event("b");
        event("b");
    });
    has(&text(result), &["`b#3` never happened", "in `a -> b#3`: it happened"]);
}

#[test]
fn a_thread_that_stays_behind_does_not_keep_the_test_from_ending() {
    let result = enforce("a -> b", || {
        let (sender, receiver) = mpsc::channel::<()>();
        spawn("left", move || receiver.recv().unwrap_err());
        spawn("sleeper", || {
            loop {
                thread::sleep(Duration::from_secs(1));
            }
        });
        event("a");
        event("b");
        std::mem::forget(sender);
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn what_a_thread_that_stays_behind_does_is_waited_for() {
    let result = enforce("a -> b", || {
        spawn("late", || {
            thread::sleep(Duration::from_secs(3600));
            event("b");
        });
        event("a");
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn a_thread_that_polls_by_giving_way_is_told_of() {
    let stop = Arc::new(AtomicBool::new(false));
    let theirs = Arc::clone(&stop);
    let result = enforce("never -> a", move || {
        let other = spawn("poller", move || {
            while !theirs.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            event("never");
        });
        event("a");
        other.join().unwrap();
    });
    stop.store(true, Ordering::Relaxed);
    has(&text(result), &["thread `poller` is still running", "`a` by thread"]);
}

#[test]
fn a_thread_that_waits_with_timeouts_for_ever_is_told_of() {
    let result = enforce("[waiting] -> never_mind, never -> a", move || {
        let (sender, receiver) = mpsc::channel::<()>();
        let other = spawn("waiter", move || {
            event("waiting");
            while receiver.recv_timeout(Duration::from_millis(10)).is_err() {}
            event("never");
        });
        event("never_mind");
        event("a");
        sender.send(()).unwrap();
        other.join().unwrap();
    });
    has(&text(result), &["thread `waiter`", "`a` by thread"]);
}
