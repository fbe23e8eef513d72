//! What looks wrong without having failed.

use crate::support::Project;

/// Two threads take two locks in opposite orders, but never at the same time: data behind one of the
/// locks sees to that, which a detector does not know.
const IN_TURN: &str = "\
use std::sync::Mutex;

#[test]
fn in_turn() {
    let (done, other) = (Mutex::new(false), Mutex::new(()));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut done = done.lock().unwrap();
            drop(other.lock().unwrap());
            *done = true;
        });
        while !*done.lock().unwrap() {
            std::thread::yield_now();
        }
        let _other = other.lock().unwrap();
        let _done = done.lock().unwrap();
    });
}
";

#[test]
fn warnings_are_told_to_people_and_machines_and_fail_nothing() {
    let project = Project::new("warnings", &[("src/lib.rs", IN_TURN)]);
    let ran = project.run(["test", "--junit", "junit.xml", "--json", "out.jsonl"]);
    ran.left_with(0)
        .says(&["passed warnings in_turn: "])
        .says(&["warning: predicted deadlock: "])
        .says(&["waits for mutex ", "src/lib.rs:9"])
        .says(&["Finished 1 warning, 1 explored and passed; "]);
    let json = project.read("out.jsonl");
    assert!(json.contains(r#""result":"passed""#), "{json}");
    assert!(json.contains(r#""warnings":[{"kind":"deadlock","detector":"deadlock""#), "{json}");
    let junit = project.read("junit.xml");
    assert!(!junit.contains("<failure") && !junit.contains("<error"), "{junit}");
    let ran = project.run(["test", "--set", "detectors=off"]);
    ran.left_with(0).is_silent_about("warning: ");
    let ran = project.run(["test", "--set", "detectors=deadlok"]);
    ran.left_with(2).says(&["'deadlok' will not do", "did you mean 'deadlock'?"]);
}

/// Two tests that run the same code: one that looks wrong, and one that is.
const TWICE: &str = "\
#![cfg(test)]
use std::sync::Mutex;

fn in_turn() {
    let (done, other) = (Mutex::new(false), Mutex::new(()));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut done = done.lock().unwrap();
            drop(other.lock().unwrap());
            *done = true;
        });
        while !*done.lock().unwrap() {
            std::thread::yield_now();
        }
        let _other = other.lock().unwrap();
        let _done = done.lock().unwrap();
    });
}

fn opposite() {
    let (left, right) = (Mutex::new(()), Mutex::new(()));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let _left = left.lock().unwrap();
            let _right = right.lock().unwrap();
        });
        let _right = right.lock().unwrap();
        let _left = left.lock().unwrap();
    });
}

#[test]
fn warned_one() {
    in_turn();
}

#[test]
fn warned_two() {
    in_turn();
}

#[test]
fn wrong_one() {
    opposite();
}

#[test]
fn wrong_two() {
    opposite();
}
";

#[test]
fn what_several_tests_have_is_told_once_with_all_of_them() {
    let project = Project::new("twice", &[("src/lib.rs", TWICE)]);
    let ran = project.run(["test", "--jobs", "1", "--json", "out.jsonl"]);
    ran.left_with(1)
        .says(&["warning twice warned_one, twice warned_two"])
        .says(&["2 tests have the same deadlock: ", "twice wrong_one [", "twice wrong_two ["])
        .says(&["FOUND twice wrong_", "; the same as [", "] of twice wrong_"])
        .says(&["Finished 2 findings, 1 warning, 2 explored and passed; "])
        .is_silent_about("so far");
    let text = ran.to_string();
    assert_eq!(text.matches("warning: predicted deadlock").count(), 1, "{text}");
    let json = project.read("out.jsonl");
    let warned = r#""warnings":[{"kind":"deadlock""#;
    assert_eq!(json.matches(warned).count(), 4, "each test has all of its own: {json}");
    assert_eq!(json.matches(r#""treatment":{"confirmed""#).count(), 2, "{json}");
}

/// The wait is in a loop that looks again, with a lock that is taken at its top.
const LOOKS_AGAIN: &str = "\
#![cfg(test)]
use std::sync::{Arc, Condvar, Mutex};

#[test]
fn looks_again() {
    let shared = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
    let other = shared.clone();
    let waiter = std::thread::spawn(move || {
        loop {
            let mut queue = other.0.lock().unwrap();
            if let Some(item) = queue.pop() {
                return item;
            }
            let _ = other.1.wait(queue);
        }
    });
    shared.0.lock().unwrap().push(7);
    shared.1.notify_one();
    assert_eq!(waiter.join().unwrap(), 7);
}
";

#[test]
fn a_wait_in_a_loop_that_looks_again_is_no_warning() {
    let project = Project::new("looks-again", &[("src/lib.rs", LOOKS_AGAIN)]);
    project.run(["test"]).left_with(0).is_silent_about("warning");
}
