//! Locks that are held while their thread waits for somebody else.

use super::{Program, after_many, both};
use selvedge::sync::mpsc::{channel, sync_channel};
use selvedge::sync::{Arc, Condvar, Mutex, RwLock};
use selvedge::{Confidence, Trouble, Warning, thread};

fn told(program: Program) -> Vec<Warning> {
    let report = after_many("held-across", program);
    assert!(report.finding.is_none(), "{:?}", report.finding);
    report.warnings
}

#[track_caller]
fn is_told(program: Program, what: &str) {
    let warnings = told(program);
    let [warning] = warnings.as_slice() else { panic!("{warnings:#?}") };
    assert_eq!((warning.kind, warning.confidence), (Trouble::Starvation, Confidence::Happened));
    assert!(warning.summary.contains(what), "{}", warning.summary);
    let does: Vec<_> = warning.witness.iter().map(|role| role.does.as_str()).collect();
    assert_eq!((does[0], does[2]), ("holds", "meanwhile waits for"));
}

#[track_caller]
fn is_silent(program: Program) {
    let warnings = told(program);
    assert!(warnings.is_empty(), "{warnings:#?}");
}

#[test]
fn a_receive() {
    is_told(
        || {
            let (sender, receiver) = channel();
            let state = Arc::new(Mutex::new(0));
            let theirs = Arc::clone(&state);
            let other = thread::spawn(move || *theirs.lock().unwrap() += 1);
            let source = thread::spawn(move || sender.send(1).unwrap());
            {
                let mut state = state.lock().unwrap();
                *state += receiver.recv().unwrap();
            }
            other.join().unwrap();
            source.join().unwrap();
        },
        "a receive",
    );
}

#[test]
fn a_join() {
    is_told(
        || {
            let state = Arc::new(Mutex::new(0));
            let theirs = Arc::clone(&state);
            let other = thread::spawn(move || *theirs.lock().unwrap() += 1);
            let computing = thread::spawn(|| 7);
            {
                let mut state = state.lock().unwrap();
                *state += computing.join().unwrap();
            }
            other.join().unwrap();
        },
        "a join",
    );
}

#[test]
fn park_as_executors_do() {
    is_told(
        || {
            let state = Arc::new(Mutex::new(0));
            let theirs = Arc::clone(&state);
            let me = thread::current();
            let other = thread::spawn(move || *theirs.lock().unwrap() += 1);
            let waker = thread::spawn(move || me.unpark());
            {
                let _state = state.lock().unwrap();
                thread::park();
            }
            other.join().unwrap();
            waker.join().unwrap();
        },
        "an await",
    );
}

#[test]
fn a_rendezvous_under_a_write_lock() {
    is_told(
        || {
            let (sender, receiver) = sync_channel(0);
            let table = Arc::new(RwLock::new(0));
            let theirs = Arc::clone(&table);
            let reader = thread::spawn(move || *theirs.read().unwrap());
            let sink = thread::spawn(move || receiver.recv().unwrap());
            {
                let table = table.write().unwrap();
                sender.send(*table).unwrap();
            }
            reader.join().unwrap();
            sink.join().unwrap();
        },
        "a send",
    );
}

#[test]
fn a_wait_that_gives_back_another_mutex_only() {
    is_told(
        || {
            let shared = Arc::new((Mutex::new(0), Mutex::new(false), Condvar::new()));
            let theirs = Arc::clone(&shared);
            let other = thread::spawn(move || *theirs.0.lock().unwrap() += 1);
            let theirs = Arc::clone(&shared);
            let opener = thread::spawn(move || {
                *theirs.1.lock().unwrap() = true;
                theirs.2.notify_one();
            });
            {
                let _state = shared.0.lock().unwrap();
                let open = shared.1.lock().unwrap();
                drop(shared.2.wait_while(open, |open| !*open).unwrap());
            }
            other.join().unwrap();
            opener.join().unwrap();
        },
        "another mutex",
    );
}

#[test]
fn a_receiver_that_is_shared_behind_a_lock() {
    is_silent(|| {
        let (sender, receiver) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let worker = || {
            let receiver = Arc::clone(&receiver);
            thread::spawn(move || {
                let job = receiver.lock().unwrap().recv();
                job.unwrap_or(0)
            })
        };
        let workers = [worker(), worker()];
        for job in [1, 2] {
            sender.send(job).unwrap();
        }
        let done: i32 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
        assert_eq!(done, 3);
    });
}

#[test]
fn nobody_else_wants_the_lock() {
    is_silent(|| {
        let (sender, receiver) = channel();
        let state = Mutex::new(0);
        let source = thread::spawn(move || sender.send(1).unwrap());
        {
            let mut state = state.lock().unwrap();
            *state += receiver.recv().unwrap();
        }
        source.join().unwrap();
    });
}

#[test]
fn the_lock_is_given_back_before() {
    is_silent(|| {
        let (sender, receiver) = channel();
        let state = Arc::new(Mutex::new(0));
        let theirs = Arc::clone(&state);
        let other = thread::spawn(move || *theirs.lock().unwrap() += 1);
        let source = thread::spawn(move || sender.send(1).unwrap());
        let received = receiver.recv().unwrap();
        *state.lock().unwrap() += received;
        other.join().unwrap();
        source.join().unwrap();
    });
}

#[test]
fn what_was_waited_for_had_happened_before() {
    is_silent(|| {
        let (sender, receiver) = channel();
        sender.send(1).unwrap();
        let receiver = Mutex::new(receiver);
        both(
            (Mutex::new(0), receiver),
            |(state, receiver)| {
                let mut state = state.lock().unwrap();
                *state += receiver.lock().unwrap().recv().unwrap();
            },
            |(state, _)| *state.lock().unwrap() += 1,
        );
    });
}

#[test]
fn an_ordinary_condition() {
    is_silent(|| {
        both(
            (Mutex::new(false), Condvar::new()),
            |(open, changed)| {
                *open.lock().unwrap() = true;
                changed.notify_one();
            },
            |(open, changed)| {
                let open = open.lock().unwrap();
                drop(changed.wait_while(open, |open| !*open).unwrap());
            },
        );
    });
}
