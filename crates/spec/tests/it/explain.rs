//! What is told of executions that are not as their schedule says.

use crate::{letters, parse};
use selvedge_spec::{Action, Held, Letter, Monitor, Place, Seen, ThreadKey, Violation};
use std::borrow::Cow;

/// Line by line, as if each event stood in a line of its own.
fn place(line: usize) -> Place {
    let line = u32::try_from(line).expect("few lines");
    Place { file: Cow::Borrowed("src/queue.rs"), line, column: 5 }
}

/// Reads a whole trace.
fn read(spec: &str, trace: &str) -> (Monitor, Vec<Violation>) {
    let mut monitor = Monitor::new(&parse(spec));
    let mut violations = Vec::new();
    for (index, letter) in letters(trace).iter().enumerate() {
        violations.extend(monitor.step(letter, Some(place(index + 1))));
    }
    (monitor, violations)
}

#[track_caller]
fn check_violation(spec: &str, trace: &str, expected: &str) {
    let (monitor, violations) = read(spec, trace);
    let told: Vec<_> =
        violations.iter().map(|violation| monitor.explain_violation(violation)).collect();
    assert_eq!(told.join("\n"), expected);
}

#[test]
fn a_violation_tells_both_events_and_what_happened_around() {
    check_violation(
        "finished_add -> starting_take, other -> end@add",
        "other starting_take finished_add@add end@add",
        "\
`starting_take` happened too early: the schedule says `finished_add -> starting_take`
  `starting_take` happened by thread `main` at src/queue.rs:2:5
  it should have waited for `finished_add`, which has not happened
  `finished_add` happened later, by thread `add` at src/queue.rs:3:5
what happened, of what the schedule mentions:
    `other` by thread `main` at src/queue.rs:1:5
  > `starting_take` by thread `main` at src/queue.rs:2:5
    `finished_add` by thread `add` at src/queue.rs:3:5
    `end` by thread `add` at src/queue.rs:4:5
",
    );
}

#[test]
fn an_event_that_never_came_is_told_as_such() {
    check_violation(
        "a -> b",
        "b",
        "\
`b` happened too early: the schedule says `a -> b`
  `b` happened by thread `main` at src/queue.rs:1:5
  it should have waited for `a`, which has not happened
  `a` did not happen later either
what happened, of what the schedule mentions:
  > `b` by thread `main` at src/queue.rs:1:5
",
    );
}

#[test]
fn a_thread_that_was_not_blocked_is_told_with_its_event() {
    check_violation(
        "[take] -> add",
        "take@taker block@taker unblock@taker add",
        "\
`add` happened too early: the schedule says `[take] -> add`
  `add` happened by thread `main` at src/queue.rs:4:5
  it should have waited for the thread of `take` to be blocked, which it is not
  `take` had happened before, by thread `taker` at src/queue.rs:1:5
what happened, of what the schedule mentions:
    `take` by thread `taker` at src/queue.rs:1:5
    `block` by thread `taker` at src/queue.rs:2:5
    `unblock` by thread `taker` at src/queue.rs:3:5
  > `add` by thread `main` at src/queue.rs:4:5
",
    );
}

#[test]
fn an_event_that_should_have_been_over_is_too_late() {
    check_violation(
        "a#* -> b",
        "a b a@t",
        "\
`a` happened too late: the schedule says `a#* -> b`
  `a` happened by thread `t` at src/queue.rs:3:5
  every `a` should have happened before
  `b` had happened before, by thread `main` at src/queue.rs:2:5
what happened, of what the schedule mentions:
    `a` by thread `main` at src/queue.rs:1:5
    `b` by thread `main` at src/queue.rs:2:5
  > `a` by thread `t` at src/queue.rs:3:5
",
    );
}

#[test]
fn only_what_is_around_a_violation_is_shown() {
    let trace = format!("{}c {}", "a ".repeat(10), "a ".repeat(10));
    let (monitor, violations) = read("b -> c, a -> d", &trace);
    let told = monitor.explain_violation(&violations[0]);
    assert_eq!(told.matches("    `a` by").count(), 12, "{told}");
    assert!(told.contains("    … 4 before\n"), "{told}");
    assert!(told.contains("    … 4 after\n"), "{told}");
}

/// What the last letter of the trace waits for, after the others.
#[track_caller]
fn check_need(spec: &str, trace: &str, expected: &[&str]) {
    let mut monitor = Monitor::new(&parse(spec));
    let letters = letters(trace);
    let (last, before) = letters.split_last().expect("a letter waits");
    for letter in before {
        monitor.step(letter, None);
    }
    let needs: Vec<_> = monitor.needs(last).iter().map(ToString::to_string).collect();
    assert_eq!(needs, expected, "{spec} at {trace}");
}

#[test]
fn what_an_event_waits_for_is_said_in_words() {
    check_need("a -> b", "b", &["`a`, which has not happened (by `a -> b`)"]);
    check_need("a -> b", "a b", &[]);
    check_need("a#3 -> b", "a b", &["`a#3`, which has happened only once (by `a#3 -> b`)"]);
    check_need(
        "a && b && c -> d",
        "b d",
        &["`a`, which has not happened, and `c`, which has not happened (by `a && b && c -> d`)"],
    );
    check_need(
        "a || b -> d",
        "d",
        &["either `a`, which has not happened, or `b`, which has not happened (by `a || b -> d`)"],
    );
    check_need(
        "[a] -> b",
        "b",
        &["`a`, which has not happened, and then for its thread to be blocked (by `[a] -> b`)"],
    );
    check_need(
        "[a] -> b",
        "a@t b",
        &["the thread of `a` to be blocked, which it is not (by `[a] -> b`)"],
    );
    check_need(
        "[@t] -> b",
        "b",
        &["a moment at which `[@t]` holds, which has not come (by `[@t] -> b`)"],
    );
    check_need(
        "a && [@t] -> b",
        "b",
        &["a moment of `a && [@t]`: `a` has not happened (by `a && [@t] -> b`)"],
    );
    check_need(
        "a && [@t] -> b",
        "a b",
        &["`a && [@t]`, which did not hold when `a` happened (by `a && [@t] -> b`)"],
    );
    check_need(
        "[a] && [@t] -> b",
        "b",
        &["`[a] && [@t]`, which does not hold at this moment (by `[a] && [@t] -> b`)"],
    );
    check_need(
        "a#* -> b",
        "a b",
        &["every `a` to be over, while others can still go on (by `a#* -> b`)"],
    );
    check_need(
        "a#* -> b",
        "b a",
        &["nothing any more: every `a` was to come before `b`, which has happened (by `a#* -> b`)"],
    );
}

#[test]
fn a_schedule_that_can_not_be_kept_tells_who_waits_for_what() {
    let (monitor, _) = read("[take] -> add, done -> end@taker", "take@taker");
    let held = [
        Held {
            letter: Letter {
                action: Action::Event("add"),
                thread: ThreadKey(1),
                name: Some("main"),
            },
            place: Some(place(7)),
        },
        Held {
            letter: Letter { action: Action::End, thread: ThreadKey(0), name: Some("taker") },
            place: None,
        },
    ];
    let others =
        ["thread 3, which has no name, waits to lock a mutex at src/queue.rs:9:3".to_owned()];
    assert_eq!(
        monitor.explain_held(&held, &others),
        "\
the schedule can not be kept: nobody can go on
  `add` by thread `main` at src/queue.rs:7:5 waits for the thread of `take` to be blocked, which it is not (by `[take] -> add`)
  `end` by thread `taker` waits for `done`, which has not happened (by `done -> end@taker`)
  thread 3, which has no name, waits to lock a mutex at src/queue.rs:9:3
what happened, of what the schedule mentions:
    `take` by thread `taker` at src/queue.rs:1:5
"
    );
}

#[track_caller]
fn check_unmet(spec: &str, trace: &str, expected: &[&str]) {
    let (monitor, _) = read(spec, trace);
    let letters = letters(trace);
    let mut events = Vec::new();
    let mut threads = Vec::new();
    for letter in &letters {
        threads.extend(letter.name);
        if let Action::Event(name) = letter.action {
            events.push((name, letter.name));
        }
    }
    let seen = Seen { events: &events, threads: &threads };
    let told: Vec<_> =
        monitor.unmet().iter().map(|unmet| monitor.explain_unmet(unmet, &seen)).collect();
    assert_eq!(told, expected);
}

#[test]
fn an_event_that_never_happened_is_told_with_what_may_have_been_meant() {
    check_unmet("a -> b", "a b", &[]);
    check_unmet(
        "finished_add -> take",
        "finishedAdd take",
        &["`finished_add` never happened, but the schedule names it in `finished_add -> take`; \
           did you mean `finishedAdd`, which happened?"],
    );
    check_unmet(
        "a -> take@consumer",
        "a take@consumr",
        &["`take@consumer` never happened, but the schedule names it in `a -> take@consumer`; \
           no thread is named `consumer`; did you mean `consumr`?"],
    );
    check_unmet(
        "a -> take@consumer",
        "a start@consumer take@main",
        &["`take@consumer` never happened, but the schedule names it in `a -> take@consumer`; \
           `take` happened by thread `main`"],
    );
    check_unmet(
        "a -> b#3",
        "a b b",
        &["`b#3` never happened, but the schedule names it in `a -> b#3`: it happened twice"],
    );
    check_unmet(
        "start@t -> y",
        "y a@t",
        &["`start@t` never happened, but the schedule names it in `start@t -> y`; \
           `t` got its name after it had started"],
    );
    check_unmet(
        "blocked@t -> y",
        "start@t y",
        &["`blocked@t` never happened, but the schedule names it in `blocked@t -> y`; \
           did you mean `block@t`?"],
    );
    check_unmet(
        "x -> y",
        "a",
        &[
            "`x` never happened, but the schedule names it in `x -> y`",
            "`y` never happened, but the schedule names it in `x -> y`",
        ],
    );
}

#[test]
fn alternatives_need_not_happen() {
    check_unmet("(a || x) && b -> c, d#* -> c", "a b c", &[]);
    check_unmet(
        "(a && [@t]) -> c",
        "start@t c",
        &["`a` never happened, but the schedule names it in `a && [@t] -> c`"],
    );
}
