//! Tests without a limit of steps that never end, and some that do after long.

use super::{Page, this_page};
use crate::help::{finding, portfolio, silent};
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::atomic::{AtomicBool, AtomicU32};
use selvedge::sync::mpsc::{RecvTimeoutError, channel};
use selvedge::sync::{Arc, Mutex};
use selvedge::time::Instant;
use selvedge::{Builder, Finding, FindingKind, Replayed, thread};
use std::time::Duration;

const PAGE: Page = this_page!("endless.rs");

/// The settings of tests that were not written for Selvedge.
fn unlimited() -> Builder {
    portfolio(3).set("livelock_steps", "none")
}

/// The places of a livelock.
#[track_caller]
fn places(found: &Finding) -> Vec<&'static str> {
    let FindingKind::Livelock { sites, .. } = &found.kind else { panic!("{:?}", found.kind) };
    assert_eq!(found.replayed, Replayed::Yes);
    sites.iter().map(|site| PAGE.mark(&site.at)).collect()
}

#[test]
fn a_wait_with_sleeps_for_what_nobody_does_is_a_livelock() {
    let found = finding(unlimited(), || {
        let flag = AtomicBool::new(false);
        loop {
            let is_set = flag.load(SeqCst); // the look
            if is_set {
                break;
            }
            thread::sleep(Duration::from_millis(1)); // the sleep
        }
    });
    assert_eq!(places(&found), ["the look", "the sleep"]);
}

#[test]
fn so_is_one_while_others_are_blocked() {
    let found = finding(unlimited(), || {
        let (sender, receiver) = channel::<()>();
        let (_other, never) = channel::<()>();
        let waits = thread::spawn(move || {
            let _ = never.recv();
            sender.send(())
        });
        loop {
            let received = receiver.recv_timeout(Duration::from_millis(1)); // the poll
            if received != Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
        let _ = waits.join();
    });
    assert_eq!(places(&found), ["the poll"]);
}

#[test]
fn so_is_one_with_yields_and_a_lock() {
    let found = finding(unlimited(), || {
        let state = Arc::new(Mutex::new((false, 0)));
        let theirs = Arc::clone(&state);
        thread::spawn(move || theirs.lock().unwrap().1 += 1).join().unwrap();
        loop {
            let is_set = state.lock().unwrap().0; // the lock
            if is_set {
                break;
            }
            thread::yield_now(); // the yield
        }
    });
    let places = places(&found);
    assert!(places.contains(&"the yield") && places.contains(&"the lock"), "{places:?}");
}

#[test]
fn whoever_would_give_up_when_time_is_over_does_so() {
    for pause in [thread::yield_now as fn(), || thread::sleep(Duration::from_micros(10))] {
        let found = finding(unlimited(), move || {
            let flag = AtomicBool::new(false);
            let began = Instant::now();
            while !flag.load(SeqCst) {
                assert!(began.elapsed() < Duration::from_secs(3_600), "timed out");
                pause();
            }
        });
        assert_eq!(found.kind.name(), "panic");
    }
}

#[test]
fn long_tests_that_end_are_no_livelocks() {
    // Many turns without a change, none of which waits for anything.
    silent(unlimited(), || {
        let number = AtomicU32::new(7);
        assert!((0..3_000_000).all(|_| number.load(SeqCst) == 7));
    });
    silent(unlimited().max_steps(10_000), || {
        let number = Arc::new(AtomicU32::new(7));
        let reader = thread::spawn(move || (0..1_000_000).all(|_| number.load(SeqCst) == 7));
        assert!(reader.join().unwrap());
    });
    // Many turns that wait, and count where nobody sees it.
    silent(unlimited(), || {
        let count = Mutex::new(0);
        for _ in 0..500_000 {
            *count.lock().unwrap() += 1;
            thread::yield_now();
        }
        assert_eq!(*count.lock().unwrap(), 500_000);
    });
    silent(unlimited(), || (0..100_000).for_each(|_| thread::sleep(Duration::from_millis(1))));
}
