//! The schedules of the article that the language comes from, as they are written there; in its
//! notation of formulas, `¬` is `!`, `∧` is `&&`, `∨` is `||`, and `start(t)` is `start@t`.

use crate::{first_violation, parse};

/// Figure 1 (c): the second `take` blocks before the second `add` starts.
#[test]
fn the_queue_takes_without_blocking_and_then_blocks() {
    let spec = parse("finishedAdd1->startingTake1,\n    [startingTake2]->startingAdd2");
    let check = |trace| first_violation(&spec, trace);
    assert_eq!(
        check("finishedAdd1@add startingTake1 startingTake2 block@main startingAdd2@add"),
        None
    );
    assert_eq!(check("startingTake1 finishedAdd1@add"), Some("startingTake1"));
    assert_eq!(
        check("finishedAdd1@add startingTake1 startingTake2 startingAdd2@add"),
        Some("startingAdd2@add"),
        "the thread of the second take is not blocked"
    );
    assert_eq!(
        check("finishedAdd1@add startingTake1 block@main startingAdd2@add startingTake2"),
        Some("startingAdd2@add"),
        "it blocks, but not after the second take began"
    );
    assert_eq!(
        check(
            "finishedAdd1@add startingTake1 startingTake2 block@main unblock@main startingAdd2@add"
        ),
        Some("startingAdd2@add"),
        "it is blocked no longer"
    );
}

/// §4.3: the second schedule of the same test.
#[test]
fn the_queue_takes_twice_without_blocking() {
    let spec = parse("finishedAdd1->startingTake1, finishedAdd2->startingTake2");
    let check = |trace| first_violation(&spec, trace);
    assert_eq!(check("finishedAdd1@add startingTake1 finishedAdd2@add startingTake2"), None);
    assert_eq!(
        check("finishedAdd1@add startingTake1 startingTake2 finishedAdd2@add"),
        Some("startingTake2")
    );
}

/// §3.2, first formula: `a1` before `a2`, and at `a1` the other thread was blocked or not started.
#[test]
fn the_other_thread_is_blocked_or_has_not_started() {
    let spec = parse("(a1@t1 && ([t2] || (!(start@t2 -> a1@t1)))) -> a2@t2");
    let check = |trace| first_violation(&spec, trace);
    assert_eq!(check("start@t1 a1@t1 start@t2 a2@t2"), None, "not started yet");
    assert_eq!(check("start@t2 block@t2 a1@t1 unblock@t2 a2@t2"), None, "blocked");
    assert_eq!(check("start@t1 start@t2 a1@t1 a2@t2"), Some("a2@t2"), "it was running");
    assert_eq!(
        check("start@t2 block@t2 unblock@t2 a1@t1 a2@t2"),
        Some("a2@t2"),
        "blocked no longer when `a1` happened"
    );
    assert_eq!(
        check("start@t2 a1@t1 block@t2 unblock@t2 a2@t2"),
        Some("a2@t2"),
        "not yet blocked when `a1` happened"
    );
    assert_eq!(check("start@t2 block@t2 unblock@t2 a2@t2"), Some("a2@t2"), "no `a1`");
    assert_eq!(check("a2@t1"), None, "another thread's event is another event");
}

/// §3.2, second formula: when `a2` happens, the other thread is blocked or has ended.
#[test]
fn the_other_thread_is_blocked_or_has_ended() {
    let spec = parse("(a2@t2 && ([t1] || (end@t1 -> a2@t2))) -> a2@t2");
    let check = |trace| first_violation(&spec, trace);
    assert_eq!(check("start@t1 block@t1 a2@t2"), None);
    assert_eq!(check("start@t1 end@t1 a2@t2"), None);
    assert_eq!(check("start@t1 a2@t2"), Some("a2@t2"));
    assert_eq!(check("start@t1 block@t1 unblock@t1 a2@t2 end@t1"), Some("a2@t2"));
}

/// §3.2: how a block event is said in the logic.
#[test]
fn a_block_event_is_an_event_and_a_state_at_another() {
    let short = parse("[a1@t1] -> a2@t2");
    let long = parse("a1@t1 -> a2@t2, (a2@t2 && [t1]) -> a2@t2");
    for trace in [
        "start@t1 a1@t1 block@t1 a2@t2",
        "start@t1 a1@t1 a2@t2",
        "start@t1 a1@t1 block@t1 unblock@t1 a2@t2",
        "start@t1 a2@t2 a1@t1",
    ] {
        assert_eq!(first_violation(&short, trace), first_violation(&long, trace), "{trace}");
    }
}

/// §3.3: `(f || g) -> e` is `f -> e` or `g -> e`.
#[test]
fn an_ordering_after_alternatives_holds_if_one_of_the_orderings_does() {
    let both = parse("a || b -> c");
    let (first, second) = (parse("a -> c"), parse("b -> c"));
    for trace in ["a c b", "b c a", "c a b", "a b c"] {
        let is_violated = |spec| first_violation(spec, trace).is_some();
        assert_eq!(is_violated(&both), is_violated(&first) && is_violated(&second), "{trace}");
    }
}
