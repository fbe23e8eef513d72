//! Texts that can be read but make no sense.

use crate::parse;
use selvedge_spec::{FormulaKind, Spec};

/// The messages about a text.
fn messages(text: &str) -> Vec<String> {
    match Spec::parse(text) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| error.message).collect(),
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(messages(text), expected, "{text}");
}

/// The texts make sense.
#[track_caller]
fn fine(texts: &[&str]) {
    texts.iter().for_each(|text| check(text, &[]));
}

#[test]
fn events_do_not_come_before_themselves() {
    check("a -> b, b -> a", &["no execution can be like this: `a -> b -> a`"]);
    check(
        "a -> b, b -> c, c -> a, x -> y, y -> x",
        &[
            "no execution can be like this: `a -> b -> c -> a`",
            "no execution can be like this: `x -> y -> x`",
        ],
    );
    check("[a] -> b, b -> a", &["no execution can be like this: `a -> b -> a`"]);
    check("a && b -> c, c && d -> a", &["no execution can be like this: `a -> c -> a`"]);
    check("(a && [@t]) -> b, b -> a", &["no execution can be like this: `a -> b -> a`"]);
    fine(&["a -> b, a -> b", "a || x -> b, b -> a", "a -> b#2, b -> a"]);
}

#[test]
fn both_alternatives_may_contradict() {
    check("a || b -> c, c -> a, c -> b", &["no execution can be like this: `a -> c -> a`"]);
}

#[test]
fn occurrences_come_in_their_order() {
    check("a#2 -> a", &["no execution can be like this: `a#2 -> a -> a#2`"]);
    check("a#3 -> b, b -> a#2", &["no execution can be like this: `a#3 -> b -> a#2 -> a#3`"]);
    check("a@t -> b, b -> a", &["no execution can be like this: `a@t -> b -> a -> a@t`"]);
    check("a#2 -> a#*", &["no execution can be like this: `a#2 -> a -> a#2`"]);
    fine(&["a -> b, b -> a#2", "a -> b, b -> a@t#2"]);
}

#[test]
fn every_occurrence_before_an_event_is_before_it() {
    check("a#* -> b, b -> a#2", &["no execution can be like this: `b -> a#2 -> b`"]);
    check("a#* -> a, x -> a#2", &["no execution can be like this: `a -> a#2 -> a`"]);
    fine(&["a#* -> b", "a#* -> b, a#2 -> c", "a#* -> a", "a@t#* -> b, b -> a@u"]);
}

#[test]
fn threads_start_before_they_do_anything_and_end_after() {
    check("a@t -> start@t", &["no execution can be like this: `a@t -> start@t -> a@t`"]);
    check("end@t -> a@t", &["no execution can be like this: `end@t -> a@t -> end@t`"]);
    check(
        "end@t -> b, b -> start@t",
        &["no execution can be like this: `end@t -> b -> start@t -> end@t`"],
    );
    check("[@t] -> start@t", &["no execution can be like this: `start@t -> start@t`"]);
    fine(&["start@t -> a@t", "a@t -> end@t", "a@u -> start@t"]);
    fine(&["end@t -> a@t, start@t#2 -> b"]);
}

#[test]
fn an_event_is_not_ordered_by_itself() {
    check("a -> a", &["`a` has always happened when `a` does: this orders nothing"]);
    check("a@t || b -> a@t", &["`a@t` has always happened when `a@t` does: this orders nothing"]);
    check("a -> a#*", &["`a` has always happened when `a#*` does: this orders nothing"]);
    fine(&["(a && [@t]) -> a", "a@t -> a@u", "a -> a#2"]);
}

#[test]
fn threads_do_nothing_while_they_are_blocked() {
    let message = "thread `t` is never blocked at the moment at which it does something";
    check("[x@t] -> y@t", &[message]);
    check("[x@t] && a -> y@t", &[message]);
    check("(y@t && [@t]) -> z", &[message]);
    check("[x] -> x", &["a thread is never blocked at the moment at which it does something"]);
    check("[end@t] -> x", &["no thread is blocked after `end@t`"]);
    fine(&["[x@t] -> y@u", "[x] -> y", "[x@t] -> block@t", "(block@t && [@t]) -> z"]);
    fine(&["[x@t] -> y@t, start@t#2 -> z"]);
}

#[test]
fn a_state_has_a_moment() {
    check("a && b && [@t] -> c", &["`[@t]` at which moment?"]);
    check("a && (b || [@t]) -> c", &["`b || [@t]` at which moment?"]);
    check("(a && b) && !x -> c", &["`!x` at which moment?"]);
    check("[a] && b && [@t] -> c", &["`[@t]` at which moment?"]);
    check("!(a && b) -> c", &["`a` and `b` never happen at one and the same moment"]);
    fine(&[
        "(a && [@t]) && b -> c",
        "a && ([@t] || !x) -> c",
        "[a] && [@t] -> c",
        "a && b || [@t] -> c",
    ]);
    fine(&["!(a && a@t) -> c", "((a && b) -> c) -> d"]);
}

#[test]
fn every_is_not_a_moment() {
    check("[a#*] -> b", &["which occurrence of `a`?"]);
    check("!a#* -> b", &["which occurrence of `a`?"]);
    check("(a#* -> b) -> c", &["which occurrence of `a`?"]);
    check("(a -> b#*) -> c", &["which occurrence of `b`?"]);
    check("a#* && [@t] -> c", &["which occurrence of `a`?"]);
    fine(&["a#* && b -> c", "a#* || b -> c", "[a] -> b#*"]);
}

#[test]
fn what_happens_to_every_thread_is_tagged() {
    check("start -> end", &["`start` of which thread?", "`end` of which thread?"]);
}

#[test]
fn brackets_are_about_threads_where_the_name_is_one() {
    let is_thread = |text: &str| {
        let spec = parse(text);
        matches!(spec.orderings[0].condition.kind, FormulaKind::Blocked(_))
    };
    assert!(is_thread("[t] -> a@t#2, b -> c"));
    assert!(is_thread("[t] -> a, b@t -> c"));
    assert!(is_thread("[t] -> a, [@t] -> c"));
    assert!(is_thread("[worker-1] -> a"));
    assert!(!is_thread("[t] -> a"));
    assert!(!is_thread("[t] -> a, t -> b"));
    assert!(!is_thread("[t#1] -> a, b@t -> c"));
    check("[t] -> a, b@t -> c, t -> d", &["`t` is an event and a thread"]);
    fine(&["[@t] -> a, b@t -> c, t -> d", "[t#1] -> a, b@t -> c, t -> d"]);
}

#[test]
fn what_happens_by_itself_is_checked_and_not_enforced() {
    let refused = |text: &str| {
        let errors = parse(text).enforceable().expect_err("it can not be enforced");
        errors.into_iter().map(|error| error.message).collect::<Vec<_>>()
    };
    assert_eq!(refused("a -> block@t"), ["nobody can hold `block@t` back: it happens by itself"]);
    assert_eq!(
        refused("a -> unblock@t#*"),
        ["nobody can hold `unblock@t#*` back: it happens by itself"]
    );
    assert_eq!(refused("block@t#* -> a"), ["nobody can prevent `block@t#*`: it happens by itself"]);
    for text in ["block@t -> a", "[a] -> b", "a -> start@t", "a -> end@t", "a#* -> b"] {
        assert!(parse(text).enforceable().is_ok(), "{text}");
    }
}

#[test]
fn states_may_contradict() {
    let told = |text: &str| match parse(text).feasible() {
        Ok(()) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| error.message).collect(),
    };
    let one = |text: &str| vec![format!("no execution can be like `{text}`")];
    let all = ["no execution can be like all of these orderings"];
    // Who has ended is not blocked.
    assert_eq!(told("end@t -> x, x && [@t] -> y, a -> b"), all);
    assert_eq!(told("a -> b, (b && !(a -> b)) -> b"), all);
    assert_eq!(told("[a@t] -> x, [@t] && !a@t -> x, end@t -> x"), all);
    let never = "a && !(a -> a) -> b";
    assert_eq!(told(never), one(never));
    for text in [
        "[a] -> b",
        "[a] -> b, [b] -> c",
        "[a] && [b] -> c",
        "[a@t] -> b, c@t -> b",
        "[a#2] -> b, unblock@t#2 -> c",
        "(a1@t1 && ([t2] || !(start@t2 -> a1@t1))) -> a2@t2, (a2@t2 && ([t1] || (end@t1 -> a2@t2))) -> a2@t2",
        "a && ![@t] -> b, [@t] -> c, c -> a",
        "a#* -> b, [a] -> c",
        "[x@t] -> y@t, start@t#2 -> z",
    ] {
        assert_eq!(told(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn what_contradicts_is_shown_without_what_does_not() {
    let text = "end@t -> x,\na -> b,\nx && [@t] -> y";
    let errors = parse(text).feasible().expect_err("it contradicts itself");
    assert_eq!(
        errors.render(text, "schedule"),
        "\
error: no execution can be like all of these orderings
 --> schedule:1:1
  |
1 | end@t -> x,
  | ^^^^^^^^^^
...
3 | x && [@t] -> y
  | -------------- and like this
"
    );
}
