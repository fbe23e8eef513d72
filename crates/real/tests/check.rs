//! Schedules that are checked.

mod common;

use common::{check, event, spawn};
use selvedge_real::Failure;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

#[test]
fn what_is_as_the_schedule_says_passes() {
    let result = check("a -> b", || {
        spawn("other", || event("a")).join().unwrap();
        event("b");
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn a_violation_names_the_ordering_both_events_and_their_places() {
    let result = check("a -> b, c -> b", || {
        event("c");
        event("b");
        spawn("other", || event("a")).join().unwrap();
    });
    let Err(Failure::Violated { violations, happened }) = &result else { panic!("{result:?}") };
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].ordering, "a -> b");
    assert_eq!(happened.len(), 3);
    let text = result.unwrap_err().to_string();
    for part in [
        "`a -> b` is violated",
        "`b` in thread `main` at crates/real/tests/check.rs:24:",
        "`a` in thread `other` at crates/real/tests/check.rs:25:",
        "`c` in thread `main` at crates/real/tests/check.rs:23:",
    ] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

#[test]
fn a_thread_that_waits_for_long_is_blocked() {
    let result = check("[waiting] -> going", || {
        let (sender, receiver) = mpsc::channel();
        let waiter = spawn("waiter", move || {
            event("waiting");
            receiver.recv().unwrap();
        });
        // Nobody waits for the other thread but by its being blocked, which this can not see.
        thread::sleep(Duration::from_millis(300));
        event("going");
        sender.send(()).unwrap();
        waiter.join().unwrap();
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn a_thread_that_does_not_wait_is_not_blocked() {
    let result = check("[waiting] -> going", || {
        spawn("waiter", || event("waiting")).join().unwrap();
        event("going");
    });
    assert!(matches!(result, Err(Failure::Violated { .. })), "{result:?}");
}

#[test]
fn an_event_that_never_occurs_is_told_of() {
    let result = check("a -> b", || event("a"));
    assert!(matches!(result, Err(Failure::NeverOccurred { .. })), "{result:?}");
}
