//! Schedules that are checked.

mod common;

use common::{check, event, spawn};
use selvedge_real::Failure;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

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
    assert!(matches!(result, Err(Failure::Violated(_))), "{result:?}");
    let text = result.unwrap_err().to_string();
    for part in [
        "`b` happened too early: the schedule says `a -> b`",
        "`b` happened by thread `main` at crates/real/tests/check.rs:27:",
        "`a` happened later, by thread `other` at crates/real/tests/check.rs:28:",
        "`c` by thread `main` at crates/real/tests/check.rs:26:",
    ] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

/// A thread that waits by the first function, and goes on by the second, is blocked meanwhile.
#[track_caller]
fn sees_block<W, G>(make: impl FnOnce() -> (W, G) + Send + 'static)
where
    W: FnOnce() + Send + 'static,
    G: FnOnce() + Send + 'static,
{
    let result = check("[waiting] -> going", || {
        let (wait, go) = make();
        let (number, known) = mpsc::channel();
        let waiter = spawn("waiter", move || {
            event("waiting");
            let me = fs::read_link("/proc/thread-self").unwrap();
            number.send(me).unwrap();
            wait();
        });
        let stat = Path::new("/proc").join(known.recv().unwrap()).join("stat");
        // Nobody but the kernel knows when the thread waits: from then on it sleeps at every look.
        let mut asleep = 0;
        while asleep < 100 {
            let stat = fs::read_to_string(&stat).unwrap();
            asleep = if stat.contains(") S ") { asleep + 1 } else { 0 };
            thread::yield_now();
        }
        event("going");
        go();
        waiter.join().unwrap();
    });
    assert_eq!(result, Ok(()));
}

#[test]
fn a_thread_that_waits_for_another_one_is_blocked() {
    sees_block(|| {
        let (sender, receiver) = mpsc::channel();
        (move || receiver.recv().unwrap(), move || sender.send(()).unwrap())
    });
}

#[test]
fn a_thread_that_waits_for_the_operating_system_is_blocked() {
    sees_block(|| {
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        let wait = move || reader.read_exact(&mut [0]).unwrap();
        (wait, move || writer.write_all(&[1]).unwrap())
    });
}

#[test]
fn a_thread_that_does_not_wait_is_not_blocked() {
    let result = check("[waiting] -> going", || {
        spawn("waiter", || event("waiting")).join().unwrap();
        event("going");
    });
    assert!(matches!(result, Err(Failure::Violated(_))), "{result:?}");
}

#[test]
fn an_event_that_never_occurs_is_told_of() {
    let result = check("a -> b", || event("a"));
    assert!(matches!(result, Err(Failure::NeverOccurred(_))), "{result:?}");
}

#[test]
fn time_is_real() {
    let result = check("a -> b", || {
        let begin = Instant::now();
        thread::sleep(Duration::from_millis(20));
        event("a");
        let (_sender, receiver) = mpsc::channel::<()>();
        assert!(receiver.recv_timeout(Duration::from_millis(20)).is_err());
        event("b");
        assert!(begin.elapsed() >= Duration::from_millis(40));
    });
    assert_eq!(result, Ok(()));
}
