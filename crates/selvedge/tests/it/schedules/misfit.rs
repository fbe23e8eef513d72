//! Texts that are no schedules, and schedules of other tests.

use super::lost_update;
use crate::help::{line, panic_message};
use selvedge::sync::atomic::AtomicU32;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::{Arc, Condvar, Mutex};
use selvedge::{Builder, Stopped, thread};

/// What is said about a text that is no schedule, in both places where one can be given.
#[track_caller]
fn refused(text: &str) -> String {
    let error = Builder::new().set("replay", text).explore(lost_update).unwrap_err().to_string();
    assert_eq!(panic_message(|| selvedge::replay(text, lost_update)), error);
    error
}

#[test]
fn an_empty_text_is_refused() {
    let message = "selvedge: bad settings\n  argument replay: bad schedule at column 1: \
                   it is empty; a schedule begins with 'selvedge/1'";
    assert_eq!(refused(""), message);
}

#[test]
fn the_schedule_of_another_program_is_refused() {
    let message = "selvedge: bad settings\n  argument replay: bad schedule at column 1: \
                   '910102ccdb' is not how a schedule begins; expected 'selvedge/1'";
    assert_eq!(refused("910102ccdb"), message);
}

#[test]
fn the_schedule_of_a_later_version_is_refused() {
    let message = "selvedge: bad settings\n  argument replay: bad schedule at column 1: \
                   format 'selvedge/2' is not known to this version, which reads 'selvedge/1'";
    assert_eq!(refused("selvedge/2 0:load@a.rs:1:1>1"), message);
}

#[test]
fn a_malformed_decision_is_refused_with_its_place() {
    let message = "selvedge: bad settings\n  argument replay: bad schedule at column 32: \
                   unknown operation 'laod'; did you mean 'load'?";
    assert_eq!(refused("selvedge/1 0:load@a.rs:1:1>1 0:laod@a.rs:1:1>1"), message);
    let message = "selvedge: bad settings\n  argument replay: bad schedule at column 12: \
                   '0:load' is no decision; expected THREAD:OPERATION@FILE:LINE:COLUMN \
                   followed by >THREAD or =CHOICE";
    assert_eq!(refused("selvedge/1 0:load"), message);
}

/// Why a schedule does not fit a test that passes, in both places where that is said.
#[track_caller]
fn misfit(schedule: &str, program: fn()) -> String {
    let report = Builder::new().set("replay", schedule).explore(program).unwrap();
    assert_eq!(report.executions, 1);
    let Stopped::Misfit(text) = report.stopped else { panic!("{:?}", report.stopped) };
    let panic = panic_message(|| selvedge::replay(schedule, program));
    assert_eq!(panic, format!("selvedge: the test passed, but {text}"));
    text
}

#[test]
fn a_decision_whose_place_is_gone_is_named() {
    let text = misfit("selvedge/1 0:load@src/gone.rs:7:9>1", lost_update);
    let expected = "decision 1 of the schedule no longer fits: \
                    thread 0 never came to load at src/gone.rs:7:9";
    assert_eq!(text, expected);
}

#[test]
fn an_occurrence_that_is_not_reached_is_named() {
    let text = misfit("selvedge/1 0:load@src/gone.rs:7:9#3>1", lost_update);
    let expected = "decision 1 of the schedule no longer fits: \
                    thread 0 never came to load at src/gone.rs:7:9 for the 3. time";
    assert_eq!(text, expected);
}

/// A thread that stores and one that looks on; passes always.
fn onlooker() {
    let value = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&value);
    let writer = thread::spawn(move || theirs.store(1, SeqCst)); // the store
    value.load(SeqCst); // the load before the join
    writer.join().unwrap();
    value.load(SeqCst); // the load after the join
}

/// The place of an operation of this file, as schedules write it.
#[track_caller]
fn place(marker: &str, operation: &str) -> String {
    let text = include_str!("misfit.rs");
    let number = line(text, marker);
    let line = text.lines().nth(number as usize - 1).expect("a line of the file");
    let column = line.find(operation).expect("the operation stands there") + 1;
    format!("{}:{number}:{column}", file!())
}

#[test]
fn the_second_decision_is_named_if_the_first_one_fits() {
    let load = place("the load before the join", "load(");
    let schedule = format!("selvedge/1 0:load@{load}>1 1:lock@{load}>0");
    let expected =
        format!("decision 2 of the schedule no longer fits: thread 1 never came to lock at {load}");
    assert_eq!(misfit(&schedule, onlooker), expected);
}

#[test]
fn a_thread_that_does_not_exist_can_not_go_next() {
    let load = place("the load before the join", "load(");
    let expected = format!(
        "decision 1 of the schedule no longer fits: \
         when thread 0 is about to load at {load}, thread 7 can not run"
    );
    assert_eq!(misfit(&format!("selvedge/1 0:load@{load}>7"), onlooker), expected);
}

#[test]
fn a_thread_that_has_ended_can_not_go_next() {
    let load = place("the load after the join", "load(");
    let expected = format!(
        "decision 1 of the schedule no longer fits: \
         when thread 0 is about to load at {load}, thread 1 can not run"
    );
    assert_eq!(misfit(&format!("selvedge/1 0:load@{load}>1"), onlooker), expected);
}

/// One waiter, who is there before it is notified; passes always.
fn one_waiter() {
    let bell = Arc::new((Mutex::new(false), Condvar::new()));
    let theirs = Arc::clone(&bell);
    let waiter = thread::spawn(move || {
        let guard = theirs.0.lock().unwrap();
        drop(theirs.1.wait_while(guard, |rung| !*rung).unwrap());
    });
    *bell.0.lock().unwrap() = true;
    bell.1.notify_one(); // the notification
    waiter.join().unwrap();
}

#[test]
fn a_waiter_that_is_not_there_can_not_be_woken() {
    let notify = place("the notification", "notify_one(");
    let lock = line(include_str!("misfit.rs"), "the notification") - 1;
    // The waiter goes first, so that it is there when it is notified; but it is the only one.
    let first = format!("0:lock@{}:{lock}:13>1", file!());
    let text = misfit(&format!("selvedge/1 {first} 0:notify_one@{notify}=wake1"), one_waiter);
    assert!(text.starts_with("decision 2 of the schedule no longer fits: "), "{text}");
    // The thread does come to notify; it is the second waiter that is missing.
    assert!(!text.contains("never came to"), "{text}");
}

/// Two waiters, who are there before one of them is notified; passes always.
fn two_waiters() {
    let bell = Arc::new((Mutex::new(0), Condvar::new()));
    let waiters = [1, 2].map(|_| {
        let bell = Arc::clone(&bell);
        thread::spawn(move || {
            let mut waiting = bell.0.lock().unwrap();
            *waiting += 1;
            drop(bell.1.wait(waiting).unwrap());
        })
    });
    while *bell.0.lock().unwrap() < 2 {
        thread::yield_now();
    }
    bell.1.notify_one(); // the notification of one of two
    bell.1.notify_one();
    waiters.into_iter().for_each(|waiter| waiter.join().unwrap());
}

#[test]
fn a_third_waiter_of_two_can_not_be_woken() {
    let notify = place("the notification of one of two", "notify_one(");
    selvedge::replay(&format!("selvedge/1 0:notify_one@{notify}=wake1"), two_waiters);
    let text = misfit(&format!("selvedge/1 0:notify_one@{notify}=wake2"), two_waiters);
    assert!(text.starts_with("decision 1 of the schedule no longer fits: "), "{text}");
}

#[test]
fn a_fault_that_can_not_happen_is_named() {
    let load = place("the load before the join", "load(");
    let text = misfit(&format!("selvedge/1 0:load@{load}=timeout"), onlooker);
    assert!(text.starts_with("decision 1 of the schedule no longer fits: "), "{text}");
}
