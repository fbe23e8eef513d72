//! Panics: whose it was, where, and when it is no finding at all.

use super::{Page, test_thread, this_page, thread_spawned};
use crate::help::{finding, portfolio, silent, text};
use selvedge::sync::{Arc, Mutex, PoisonError};
use selvedge::{Finding, FindingKind, Replayed, thread};
use selvedge_model::Panic;

const PAGE: Page = this_page!("panic.rs");

/// A panic in words: the thread, the message, and the marker of the place.
type Told = ((String, Option<String>, &'static str), String, &'static str);

#[track_caller]
fn tell(panic: &Panic) -> Told {
    let at = panic.at.as_ref().map_or("nowhere", |at| PAGE.mark(at));
    (PAGE.thread(&panic.thread), panic.message.clone(), at)
}

#[track_caller]
fn panicked(finding: &Finding) -> Told {
    assert_eq!(finding.replayed, Replayed::Yes);
    match &finding.kind {
        FindingKind::Panic(panic) => tell(panic),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_panic_of_the_test_is_reported_as_it_is() {
    let found = finding(portfolio(10), || {
        let sum = 1 + 1;
        assert_eq!(sum, 3, "arithmetic"); // the assertion
    });
    let message = "assertion `left == right` failed: arithmetic\n  left: 2\n right: 3".to_owned();
    assert_eq!(panicked(&found), (test_thread(), message, "the assertion"));
}

#[test]
fn a_panic_that_join_hands_over_and_the_test_handles_is_no_finding() {
    silent(portfolio(100), || {
        let failing = thread::spawn(|| panic!("handled"));
        assert_eq!(text(&*failing.join().unwrap_err()), "handled");
    });
}

#[test]
fn a_panic_of_a_thread_that_nobody_joins_is_no_finding() {
    silent(portfolio(100), || {
        thread::spawn(|| panic!("ignored"));
    });
}

#[test]
fn a_panic_that_the_test_passes_on_is_reported_where_it_began() {
    let found = finding(portfolio(10), || {
        let builder = thread::Builder::new().name("worker".into());
        let body = || panic!("the worker fails"); // the worker's panic
        let worker = builder.spawn(body).unwrap(); // the worker is spawned
        worker.join().unwrap(); // the unwrap
    });
    let thread = ("1".to_owned(), Some("worker".to_owned()), "the worker is spawned");
    assert_eq!(panicked(&found), (thread, "the worker fails".to_owned(), "the worker's panic"));
    let places: Vec<_> = found.panics.iter().map(|panic| tell(panic).2).collect();
    assert_eq!(places, ["the worker's panic", "the unwrap"]);
}

#[test]
fn a_panic_that_is_passed_on_is_told_from_an_earlier_one_that_was_handled() {
    let found = finding(portfolio(10), || {
        let harmless = || panic!("harmless"); // the handled panic
        thread::spawn(harmless).join().unwrap_err(); // the harmless thread
        let serious = || panic!("serious"); // the serious panic
        let serious = thread::spawn(serious); // the serious thread is spawned
        serious.join().unwrap(); // the serious unwrap
    });
    let thread = thread_spawned("2", "the serious thread is spawned");
    assert_eq!(panicked(&found), (thread, "serious".to_owned(), "the serious panic"));
}

#[test]
fn a_panic_of_the_test_itself_is_not_blamed_on_a_thread_that_failed_before() {
    let found = finding(portfolio(10), || {
        let harmless = || panic!("1"); // the thread's panic
        thread::spawn(harmless).join().unwrap_err(); // the thread with a panic
        panic!("expected \"1\" thread less"); // the test's own panic
    });
    let message = "expected \"1\" thread less".to_owned();
    assert_eq!(panicked(&found), (test_thread(), message, "the test's own panic"));
}

#[test]
fn a_panic_that_is_resumed_is_reported_where_it_began() {
    let found = finding(portfolio(10), || {
        let body = || -> () { panic!("resumed") }; // the resumed panic
        let worker = thread::spawn(body); // the thread to resume
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
    let thread = thread_spawned("1", "the thread to resume");
    assert_eq!(panicked(&found), (thread, "resumed".to_owned(), "the resumed panic"));
}

#[test]
fn a_panic_two_threads_down_is_reported_where_it_began() {
    let found = finding(portfolio(10), || {
        let inner = || panic!("at the bottom"); // the panic at the bottom
        let outer = move || {
            let inner = thread::spawn(inner); // the inner thread is spawned
            inner.join().unwrap(); // the unwrap in the middle
        };
        thread::spawn(outer).join().unwrap(); // the unwrap on top
    });
    let thread = thread_spawned("1.1", "the inner thread is spawned");
    assert_eq!(panicked(&found), (thread, "at the bottom".to_owned(), "the panic at the bottom"));
}

#[test]
fn a_panic_of_a_scoped_thread_is_reported_where_it_began() {
    let found = finding(portfolio(10), || {
        thread::scope(|scope| {
            let body = || panic!("scoped"); // the scoped panic
            scope.spawn(body); // the scoped thread is spawned
        }); // the end of the scope
    });
    let thread = thread_spawned("1", "the scoped thread is spawned");
    assert_eq!(panicked(&found), (thread, "scoped".to_owned(), "the scoped panic"));
}

#[test]
fn a_panic_of_a_scoped_thread_that_is_joined_and_handled_is_no_finding() {
    silent(portfolio(10), || {
        thread::scope(|scope| {
            assert!(scope.spawn(|| panic!("handled")).join().is_err());
        });
    });
}

#[test]
fn a_poisoned_lock_that_is_unwrapped_is_a_panic_with_its_cause_among_the_panics() {
    let found = finding(portfolio(10), || {
        let lock = Arc::new(Mutex::new(()));
        let theirs = Arc::clone(&lock);
        let body = move || {
            let _guard = theirs.lock().unwrap();
            panic!("with the lock in hand"); // the poisoning
        };
        thread::spawn(body).join().unwrap_err(); // the poisoner is spawned
        drop(lock.lock().unwrap()); // the unwrap of the poisoned lock
    });
    let (thread, message, at) = panicked(&found);
    assert_eq!(thread, test_thread());
    assert!(message.contains("PoisonError"), "{message}");
    assert_eq!(at, "the unwrap of the poisoned lock");
    assert_eq!(found.panics.len(), 2);
    let poisoner = thread_spawned("1", "the poisoner is spawned");
    let cause = (poisoner, "with the lock in hand".to_owned(), "the poisoning");
    assert_eq!(tell(&found.panics[0]), cause);
}

#[test]
fn a_poisoned_lock_is_seen_as_such_and_can_be_healed() {
    silent(portfolio(100), || {
        let lock = Arc::new(Mutex::new(1));
        let theirs = Arc::clone(&lock);
        let poisoner = thread::spawn(move || {
            *theirs.lock().unwrap() = 2;
            let _guard = theirs.lock().unwrap();
            panic!("with the lock in hand");
        });
        assert!(poisoner.join().is_err());
        assert!(lock.is_poisoned());
        assert_eq!(*lock.lock().unwrap_or_else(PoisonError::into_inner), 2);
        lock.clear_poison();
        assert_eq!(*lock.lock().unwrap(), 2);
    });
}

#[test]
fn a_panic_while_others_are_blocked_is_the_finding() {
    let found = finding(portfolio(100), || {
        let lock = Arc::new(Mutex::new(()));
        let theirs = Arc::clone(&lock);
        let _guard = lock.lock().unwrap();
        thread::spawn(move || drop(theirs.lock().unwrap()));
        thread::yield_now();
        panic!("first come, first served"); // the panic of the holder
    });
    let (thread, _, at) = panicked(&found);
    assert_eq!((thread, at), (test_thread(), "the panic of the holder"));
}
