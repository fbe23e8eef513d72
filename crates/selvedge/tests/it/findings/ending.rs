//! Threads that do not come to an end.

use super::{Page, test_thread, this_page, thread_spawned};
use crate::help::{finding, portfolio, silent};
use selvedge::sync::atomic::AtomicBool;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::mpsc::channel;
use selvedge::sync::{Arc, Mutex};
use selvedge::{FindingKind, OperationKind, thread};
use selvedge_model::ObjectKind;

const PAGE: Page = this_page!("ending.rs");

#[test]
fn a_flag_that_nobody_raises_is_a_livelock_at_the_place_of_the_load() {
    let found = finding(portfolio(10).max_steps(5_000), || {
        let flag = AtomicBool::new(false);
        while !flag.load(SeqCst) {} // the spin
    });
    let FindingKind::Livelock { steps, sites } = &found.kind else { panic!("{:?}", found.kind) };
    assert_eq!(*steps, 5_000);
    let [site] = &sites[..1] else { panic!("{sites:?}") };
    assert_eq!(PAGE.thread(&site.thread), test_thread());
    assert_eq!((site.kind, PAGE.mark(&site.at)), (OperationKind::AtomicLoad, "the spin"));
    // All steps but the beginning of the thread.
    assert_eq!(site.times, 4_999);
}

#[test]
fn threads_that_spin_for_each_other_are_a_livelock_at_both_places() {
    let found = finding(portfolio(10).max_steps(5_000), || {
        let here = Arc::new(AtomicBool::new(false));
        let there = Arc::new(AtomicBool::new(false));
        let (here2, there2) = (Arc::clone(&here), Arc::clone(&there));
        let body = move || {
            while !here2.load(SeqCst) {} // the spin of the other
            there2.store(true, SeqCst);
        };
        let other = thread::spawn(body); // the other is spawned
        while !there.load(SeqCst) {} // the spin of the test
        here.store(true, SeqCst);
        other.join().unwrap();
    });
    let FindingKind::Livelock { steps, sites } = &found.kind else { panic!("{:?}", found.kind) };
    assert_eq!(*steps, 5_000);
    let spins = sites.iter().filter(|site| site.times > 1);
    let mut places: Vec<_> =
        spins.map(|site| (PAGE.thread(&site.thread), site.kind, PAGE.mark(&site.at))).collect();
    places.sort();
    let load = OperationKind::AtomicLoad;
    let other = thread_spawned("1", "the other is spawned");
    let expected =
        [(test_thread(), load, "the spin of the test"), (other, load, "the spin of the other")];
    assert_eq!(places, expected);
}

#[test]
fn a_thread_that_waits_for_ever_after_the_test_has_returned_is_leaked() {
    let found = finding(portfolio(10), || {
        let (sender, receiver) = channel::<()>(); // the channel
        let body = move || assert!(receiver.recv().is_err()); // the receive of the leaked thread
        thread::spawn(body); // the leaked thread is spawned
        std::mem::forget(sender);
    });
    let FindingKind::LeakedThreads { waits } = &found.kind else { panic!("{:?}", found.kind) };
    let [told] = &PAGE.waits(waits)[..] else { panic!("{waits:?}") };
    assert_eq!(told.thread, thread_spawned("1", "the leaked thread is spawned"));
    assert_eq!((told.wants, told.at), (OperationKind::Receive, "the receive of the leaked thread"));
    assert_eq!(told.of, Some((ObjectKind::Channel, "the channel")));
}

#[test]
fn a_thread_that_runs_for_ever_after_the_test_has_returned_is_leaked() {
    let found = finding(portfolio(10).max_steps(5_000), || {
        let stop = Arc::new(AtomicBool::new(false));
        let body = move || while !stop.load(SeqCst) {}; // the load that never helps
        thread::spawn(body); // the endless thread is spawned
    });
    let FindingKind::LeakedThreads { waits } = &found.kind else { panic!("{:?}", found.kind) };
    let [told] = &PAGE.waits(waits)[..] else { panic!("{waits:?}") };
    assert_eq!(told.thread, thread_spawned("1", "the endless thread is spawned"));
    assert_eq!((told.wants, told.at), (OperationKind::AtomicLoad, "the load that never helps"));
}

#[test]
fn a_thread_that_ends_by_itself_after_the_test_has_returned_is_not_leaked() {
    silent(portfolio(100), || {
        let counter = Arc::new(Mutex::new(0));
        let theirs = Arc::clone(&counter);
        thread::spawn(move || (0..3).for_each(|_| *theirs.lock().unwrap() += 1));
        *counter.lock().unwrap() += 1;
    });
}

#[test]
fn a_long_test_that_ends_is_no_livelock() {
    let program = || {
        let counter = Mutex::new(0);
        (0..3_000).for_each(|_| *counter.lock().unwrap() += 1);
    };
    silent(portfolio(2), program);
    let found = finding(portfolio(2).max_steps(3_000), program);
    assert_eq!(found.kind.name(), "livelock");
}
