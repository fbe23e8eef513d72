//! Circles of waits, found when they close.

use super::{Page, Told, test_thread, this_page, thread_spawned};
use crate::help::{exhaustive, finding, portfolio, silent};
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::atomic::{AtomicBool, AtomicU32};
use selvedge::sync::mpsc::channel;
use selvedge::sync::{Arc, Condvar, Mutex, Once, RwLock};
use selvedge::{Builder, Finding, FindingKind, OperationKind, Rate, Replayed, thread};
use selvedge_model::ObjectKind;

const PAGE: Page = this_page!("deadlock.rs");

/// The circle of a deadlock, in the order of the threads.
#[track_caller]
fn cycle(finding: &Finding) -> Vec<Told> {
    assert_eq!(finding.replayed, Replayed::Yes);
    let FindingKind::Deadlock { cycle } = &finding.kind else { panic!("{:?}", finding.kind) };
    // Each thread waits for the next one of the circle.
    for (wait, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
        assert!(wait.for_threads.contains(&next.thread.path), "{cycle:?}");
    }
    PAGE.waits(cycle)
}

/// The thread that waits for itself.
#[track_caller]
fn double_lock(builder: Builder, program: fn()) -> Told {
    let finding = finding(builder, program);
    assert_eq!(finding.replayed, Replayed::Yes);
    let FindingKind::DoubleLock { wait } = &finding.kind else { panic!("{:?}", finding.kind) };
    PAGE.wait(wait)
}

fn abba() {
    let first = Arc::new(Mutex::new(())); // the first mutex
    let second = Arc::new(Mutex::new(())); // the second mutex
    let (first2, second2) = (Arc::clone(&first), Arc::clone(&second));
    let builder = thread::Builder::new().name("backwards".into());
    let body = move || {
        let _second = second2.lock().unwrap(); // backwards takes the second
        let _first = first2.lock().unwrap(); // backwards wants the first
    };
    let backwards = builder.spawn(body).unwrap(); // backwards is spawned
    {
        let _first = first.lock().unwrap(); // the test takes the first
        let _second = second.lock().unwrap(); // the test wants the second
    }
    backwards.join().unwrap();
}

#[test]
fn a_lock_order_inversion_names_threads_locks_and_places() {
    use OperationKind::MutexLock;
    let expected = [
        Told {
            thread: test_thread(),
            wants: MutexLock,
            of: Some((ObjectKind::Mutex, "the second mutex")),
            at: "the test wants the second",
            waits_for: vec!["1".to_owned()],
            holds: vec![(
                ObjectKind::Mutex,
                "the first mutex",
                MutexLock,
                "the test takes the first",
            )],
        },
        Told {
            thread: ("1".to_owned(), Some("backwards".to_owned()), "backwards is spawned"),
            wants: MutexLock,
            of: Some((ObjectKind::Mutex, "the first mutex")),
            at: "backwards wants the first",
            waits_for: vec!["0".to_owned()],
            holds: vec![(
                ObjectKind::Mutex,
                "the second mutex",
                MutexLock,
                "backwards takes the second",
            )],
        },
    ];
    assert_eq!(cycle(&finding(portfolio(1_000), abba)), expected);
    assert_eq!(cycle(&finding(exhaustive(1_000), abba)), expected);
}

#[test]
fn a_deadlock_of_two_is_reported_while_a_third_thread_works_on() {
    let found = finding(portfolio(1_000), || {
        let (first, second) = (Mutex::new(()), Mutex::new(()));
        let (stop, beats) = (AtomicBool::new(false), AtomicU32::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(SeqCst) {
                    beats.fetch_add(1, SeqCst);
                }
            });
            let forwards = scope.spawn(|| {
                let _first = first.lock().unwrap(); // forwards takes the first
                let _second = second.lock().unwrap(); // forwards wants the second
            });
            let backwards = scope.spawn(|| {
                let _second = second.lock().unwrap(); // the other takes the second
                let _first = first.lock().unwrap(); // the other wants the first
            });
            forwards.join().unwrap();
            backwards.join().unwrap();
            stop.store(true, SeqCst);
        });
    });
    let FindingKind::Deadlock { cycle } = &found.kind else { panic!("{:?}", found.kind) };
    let mut wants: Vec<_> =
        cycle.iter().map(|wait| (wait.thread.path.to_string(), PAGE.mark(&wait.at))).collect();
    wants.sort();
    let expected = [("2", "forwards wants the second"), ("3", "the other wants the first")];
    assert_eq!(wants, expected.map(|(path, at)| (path.to_owned(), at)));
}

#[test]
fn a_deadlock_is_reported_while_a_third_thread_spins_for_it_to_end() {
    let found = finding(portfolio(1_000), || {
        let (first, second) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(())));
        let done = Arc::new(AtomicU32::new(0));
        for swapped in [false, true] {
            let (first, second) = (Arc::clone(&first), Arc::clone(&second));
            let done = Arc::clone(&done);
            thread::spawn(move || {
                let (a, b) = if swapped { (&second, &first) } else { (&first, &second) };
                let _a = a.lock().unwrap();
                let _b = b.lock().unwrap();
                done.fetch_add(1, SeqCst);
            });
        }
        while done.load(SeqCst) < 2 {
            thread::yield_now();
        }
    });
    let FindingKind::Deadlock { cycle } = &found.kind else { panic!("{:?}", found.kind) };
    let mut paths: Vec<_> = cycle.iter().map(|wait| wait.thread.path.to_string()).collect();
    paths.sort();
    assert_eq!(paths, ["1", "2"]);
}

#[test]
fn three_threads_in_a_circle_are_all_named() {
    let found = finding(exhaustive(100_000), || {
        let forks = Arc::new([(); 3].map(Mutex::new));
        let diners = [0, 1, 2].map(|seat| {
            let forks = Arc::clone(&forks);
            thread::spawn(move || {
                let _left = forks[seat].lock().unwrap();
                let _right = forks[(seat + 1) % 3].lock().unwrap();
            })
        });
        diners.into_iter().for_each(|diner| diner.join().unwrap());
    });
    let FindingKind::Deadlock { cycle } = &found.kind else { panic!("{:?}", found.kind) };
    let mut edges: Vec<_> =
        cycle.iter().map(|wait| format!("{}>{}", wait.thread.path, wait.for_threads[0])).collect();
    edges.sort();
    assert_eq!(edges, ["1>2", "2>3", "3>1"]);
}

#[test]
fn a_mutex_locked_twice_by_one_thread_is_a_double_lock() {
    let told = double_lock(portfolio(10), || {
        let lock = Mutex::new(()); // the only mutex
        let _outer = lock.lock().unwrap(); // the first lock
        let _inner = lock.lock().unwrap(); // the second lock
    });
    let expected = Told {
        thread: test_thread(),
        wants: OperationKind::MutexLock,
        of: Some((ObjectKind::Mutex, "the only mutex")),
        at: "the second lock",
        waits_for: vec!["0".to_owned()],
        holds: vec![(
            ObjectKind::Mutex,
            "the only mutex",
            OperationKind::MutexLock,
            "the first lock",
        )],
    };
    assert_eq!(told, expected);
}

/// What a thread wants of a reader-writer lock, and what it has of it already.
#[track_caller]
fn own_lock(told: &Told) -> (OperationKind, OperationKind) {
    assert_eq!(told.of, Some((ObjectKind::RwLock, told.holds[0].1)));
    (told.holds[0].2, told.wants)
}

#[test]
fn a_writer_that_writes_again_waits_for_itself() {
    let told = double_lock(portfolio(10), || {
        let lock = RwLock::new(()); // written twice
        let _outer = lock.write().unwrap(); // the first write
        let _inner = lock.write().unwrap(); // the second write
    });
    assert_eq!(own_lock(&told), (OperationKind::RwWrite, OperationKind::RwWrite));
    assert_eq!((told.holds[0].3, told.at), ("the first write", "the second write"));
}

#[test]
fn a_reader_that_wants_to_write_waits_for_itself() {
    let told = double_lock(portfolio(10), || {
        let lock = RwLock::new(()); // read, then written
        let _outer = lock.read().unwrap(); // the read that is kept
        let _inner = lock.write().unwrap(); // the write on top
    });
    assert_eq!(own_lock(&told), (OperationKind::RwRead, OperationKind::RwWrite));
    assert_eq!((told.holds[0].3, told.at), ("the read that is kept", "the write on top"));
}

#[test]
fn a_writer_that_wants_to_read_waits_for_itself() {
    let told = double_lock(portfolio(10), || {
        let lock = RwLock::new(()); // written, then read
        let _outer = lock.write().unwrap(); // the write that is kept
        let _inner = lock.read().unwrap(); // the read on top
    });
    assert_eq!(own_lock(&told), (OperationKind::RwWrite, OperationKind::RwRead));
}

#[test]
fn a_reader_that_joins_a_writer_is_a_deadlock() {
    let found = finding(exhaustive(1_000), || {
        let lock = Arc::new(RwLock::new(())); // read by the test
        let theirs = Arc::clone(&lock);
        let body = move || drop(theirs.write().unwrap()); // the writer wants it
        let writer = thread::spawn(body); // the writer is spawned
        let _kept = lock.read().unwrap(); // the test reads
        writer.join().unwrap(); // the test joins the writer
    });
    let told = cycle(&found);
    let lock = (ObjectKind::RwLock, "read by the test");
    assert_eq!((told[0].wants, told[0].at), (OperationKind::Join, "the test joins the writer"));
    assert_eq!(told[0].holds, [(lock.0, lock.1, OperationKind::RwRead, "the test reads")]);
    assert_eq!((told[1].wants, told[1].of), (OperationKind::RwWrite, Some(lock)));
}

#[test]
fn a_read_lock_that_was_given_back_is_not_among_those_held() {
    let told = double_lock(portfolio(10), || {
        let lock = RwLock::new(()); // read twice
        let _kept = lock.read().unwrap(); // the read that stays
        drop(lock.read().unwrap()); // the read that goes
        let _write = lock.write().unwrap(); // the write that waits
    });
    let kept = (ObjectKind::RwLock, "read twice", OperationKind::RwRead, "the read that stays");
    assert_eq!(told.holds, [kept]);
}

#[test]
fn reading_twice_is_no_double_lock() {
    silent(portfolio(10), || {
        let lock = RwLock::new(());
        let _outer = lock.read().unwrap();
        let _inner = lock.read().unwrap();
    });
}

#[test]
fn an_initialisation_that_needs_itself_is_found() {
    let told = double_lock(portfolio(10), || {
        let once = Once::new(); // the once
        let inner = || once.call_once(|| {}); // the call inside
        once.call_once(inner); // the call outside
    });
    assert_eq!((told.wants, told.at), (OperationKind::OnceCall, "the call inside"));
    let held = (ObjectKind::Once, "the once", OperationKind::OnceCall, "the call outside");
    assert_eq!(told.holds, [held]);
}

#[test]
fn threads_that_join_each_other_are_a_deadlock() {
    let found = finding(portfolio(100), || {
        let (to_first, for_first) = channel::<thread::JoinHandle<()>>();
        let (to_second, for_second) = channel::<thread::JoinHandle<()>>();
        let first = move || for_first.recv().unwrap().join().unwrap(); // the first joins
        let second = move || for_second.recv().unwrap().join().unwrap(); // the second joins
        let first = thread::spawn(first); // the first is spawned
        let second = thread::spawn(second); // the second is spawned
        to_first.send(second).unwrap();
        to_second.send(first).unwrap();
    });
    let told = |path, spawned, at, other: &str, theirs| Told {
        thread: thread_spawned(path, spawned),
        wants: OperationKind::Join,
        of: Some((ObjectKind::Thread, theirs)),
        at,
        waits_for: vec![other.to_owned()],
        holds: vec![],
    };
    let (first, second) = ("the first is spawned", "the second is spawned");
    let expected = [
        told("1", first, "the first joins", "2", second),
        told("2", second, "the second joins", "1", first),
    ];
    assert_eq!(cycle(&found), expected);
}

#[test]
fn a_thread_joined_under_the_lock_that_it_needs_is_a_deadlock() {
    let found = finding(portfolio(100), || {
        let lock = Arc::new(Mutex::new(())); // needed by both
        let other = Arc::clone(&lock);
        let guard = lock.lock().unwrap(); // the joiner takes it
        let body = move || drop(other.lock().unwrap()); // the worker wants it
        let worker = thread::spawn(body); // the worker is spawned
        worker.join().unwrap(); // the joiner joins
        drop(guard);
    });
    let told = cycle(&found);
    assert_eq!((told[0].wants, told[0].at), (OperationKind::Join, "the joiner joins"));
    let held =
        (ObjectKind::Mutex, "needed by both", OperationKind::MutexLock, "the joiner takes it");
    assert_eq!(told[0].holds, [held]);
    assert_eq!((told[1].wants, told[1].at), (OperationKind::MutexLock, "the worker wants it"));
}

#[test]
fn a_mutex_taken_back_by_a_waiter_counts_as_held_from_there() {
    let told = double_lock(portfolio(10), || {
        let pair = (Mutex::new(()), Condvar::new()); // the waiter's mutex
        let guard = pair.0.lock().unwrap(); // the waiter locks
        let timeout = std::time::Duration::from_millis(1);
        let _guard = pair.1.wait_timeout(guard, timeout).unwrap(); // the waiter waits
        let _again = pair.0.lock().unwrap(); // the waiter locks again
    });
    let mutex = (ObjectKind::Mutex, "the waiter's mutex");
    assert_eq!(told.of, Some(mutex));
    assert_eq!(told.holds, [(mutex.0, mutex.1, OperationKind::CondvarWake, "the waiter waits")]);
}

#[test]
fn a_timed_waiter_that_needs_the_mutex_of_its_joiner_is_a_deadlock() {
    let found = finding(exhaustive(1_000).timeouts(Rate::Off), || {
        let pair = Arc::new((Mutex::new(false), Condvar::new())); // the joiner's mutex
        let theirs = Arc::clone(&pair);
        let body = move || {
            let mut waiting = theirs.0.lock().unwrap();
            *waiting = true;
            theirs.1.notify_one();
            let timeout = std::time::Duration::from_millis(1);
            drop(theirs.1.wait_timeout(waiting, timeout).unwrap()); // the timed wait
        };
        let waiter = thread::spawn(body); // the timed waiter is spawned
        let guard = pair.0.lock().unwrap(); // the joiner locks
        let guard = pair.1.wait_while(guard, |waiting| !*waiting).unwrap(); // the joiner waits
        waiter.join().unwrap(); // the joiner waits for the waiter
        drop(guard);
    });
    let told = cycle(&found);
    assert_eq!(told[0].at, "the joiner waits for the waiter");
    let mutex = (ObjectKind::Mutex, "the joiner's mutex");
    assert_eq!((told[1].wants, told[1].of), (OperationKind::CondvarWake, Some(mutex)));
}
