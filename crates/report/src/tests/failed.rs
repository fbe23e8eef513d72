//! Findings about a thread that failed by itself.

use super::build::{Story, at, object};
use super::{Lines, PLAIN, check};
use crate::{NoSources, headline};
use selvedge_model::OperationKind as Kind;
use selvedge_model::{Effect, Finding, FindingKind, ObjectKind, Replayed};

/// Two threads load before either of them stores.
pub(crate) fn lost_update() -> Finding {
    let own = object(ObjectKind::Atomic, 2);
    let mut story = Story::spawning(&[28, 28]);
    story.start("1");
    for n in 0..5 {
        let effect = Effect::Changed { from: n, to: n + 1 };
        story.on("1", Kind::AtomicRmw, own.clone(), 60, effect);
    }
    story.load("1", 1, 14, 0);
    story.start("2");
    story.load("2", 1, 14, 0);
    story.store("2", 1, 15, 1);
    story.end("2");
    story.store("1", 1, 15, 1);
    story.end("1");
    story.join("0", "1", 29);
    story.join("0", "2", 29);
    story.load("0", 1, 32, 1);
    let message = "assertion `left == right` failed: an increment was lost\n  left: 1\n right: 2";
    let panic = story.panic("0", message, 32);
    story.finding(FindingKind::Panic(panic), "selvedge/1 1:store@src/shop.rs:15:9>2")
}

pub(crate) const COUNTER: Lines = Lines(&[
    (14, "        let seen = counter.load(SeqCst);"),
    (15, "        counter.store(seen + 1, SeqCst);"),
    (28, "        handles.push(thread::spawn(move || increment(&counter)));"),
    (29, "    handles.into_iter().for_each(|handle| handle.join().unwrap());"),
    (32, "    assert_eq!(counter.load(SeqCst), 2, \"an increment was lost\");"),
]);

#[test]
fn panic_shows_the_values_that_led_to_it() {
    check(
        &lost_update(),
        PLAIN,
        &COUNTER,
        r#"
panic: assertion `left == right` failed: an increment was lost
  left: 1
 right: 2

  thread 0 (the test)
    panicked  src/shop.rs:32:9  assert_eq!(counter.load(SeqCst), 2, "an increment was lost");

what happened (9 of 18 steps):

              0 (the test)   1            2
                             shop.rs:28   shop.rs:28
  shop.rs:28  spawn 1                               handles.push(thread::spawn(move || increment(&c…
  shop.rs:28  spawn 2        │                      handles.push(thread::spawn(move || increment(&c…
  shop.rs:14  ├────────────▸ load 0       │         let seen = counter.load(SeqCst);
  shop.rs:14  │              ├──────────▸ load 0    let seen = counter.load(SeqCst);
  shop.rs:15  │              │            store 1   counter.store(seen + 1, SeqCst);
  shop.rs:15  │              store 1 ◂────╯         counter.store(seen + 1, SeqCst);
  shop.rs:29  join 1 ◂───────╯                      handles.into_iter().for_each(|handle| handle.jo…
  shop.rs:29  join 2                                handles.into_iter().for_each(|handle| handle.jo…
  shop.rs:32  load 1                                assert_eq!(counter.load(SeqCst), 2, "an increme…
  shop.rs:32  panic                                 assert_eq!(counter.load(SeqCst), 2, "an increme…

to see it again:
  SELVEDGE_REPLAY='selvedge/1 1:store@src/shop.rs:15:9>2' cargo test shop::refund

found in execution 17 by pct(3); 1 decision, 1 switch
"#,
    );
}

#[test]
fn panic_of_a_thread_is_shown_with_the_others() {
    let mut story = Story::spawning(&[30]);
    story.lock("1", 1, 8);
    story.unlock("1", 1, 8);
    story.end("1");
    story.join("0", "1", 31);
    story.lock("0", 1, 32);
    let first = story.panic("1", "out of stock", 9);
    let then = story.panic("0", "called `Result::unwrap()` on an `Err` value: PoisonError", 32);
    let mut finding = story.finding(FindingKind::Panic(then.clone()), "selvedge/1");
    finding.panics = vec![first, then];
    finding.replayed = Replayed::No;
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
panic: called `Result::unwrap()` on an `Err` value: PoisonError

  thread 0 (the test)
    panicked      src/shop.rs:32:9
  thread 1
    panicked too  src/shop.rs:9:9
    with: out of stock

what happened (5 of 6 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────▸ lock mutex 1
              │              unlock mutex 1
  shop.rs:31  join 1 ◂───────╯
  shop.rs:32  lock mutex 1
  shop.rs:32  panic

  created at
    mutex 1  src/shop.rs:41:9

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
it did not come again when its schedule was run a second time: something that is not under control
decides as well
",
    );
}

/// A thread that stores and then fails.
fn failing(kind: impl FnOnce(&Story) -> FindingKind) -> Finding {
    let mut story = Story::spawning(&[30]);
    story.load("1", 1, 8, 0);
    story.store("0", 1, 31, 0x7fff_dead_beef);
    story.load("1", 1, 9, 0x7fff_dead_beef);
    let kind = kind(&story);
    story.finding(kind, "selvedge/1")
}

#[test]
fn crash_names_the_signal_and_the_last_operation() {
    let finding = failing(|story| FindingKind::Crash {
        thread: story.thread("1"),
        signal: "SIGSEGV".to_owned(),
        cause: "invalid access to address 0x7fffdeadbeef".to_owned(),
        after: Some(at(9)),
        frames: Vec::new(),
    });
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
crash: SIGSEGV in thread 1: invalid access to address 0x7fffdeadbeef

  thread 1
    last operation before  src/shop.rs:9:9

what happened (4 steps):

              0 (the test)           1
                                     shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────────────▸ load 0
  shop.rs:31  store 0x7fffdeadbeef ◂─┤
  shop.rs:9   ├────────────────────▸ load 0x7fffdeadbeef
              │                      SIGSEGV

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn stack_overflow_names_the_size_and_the_setting() {
    let finding = failing(|story| FindingKind::StackOverflow {
        thread: story.thread("1"),
        stack_size: 2 << 20,
        after: Some(at(9)),
    });
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
stack overflow: thread 1 has used up its stack of 2 MiB

  thread 1
    last operation before  src/shop.rs:9:9

  = note: if the recursion is meant to be that deep, raise stack_size

what happened (4 steps):

              0 (the test)           1
                                     shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────────────▸ load 0
  shop.rs:31  store 0x7fffdeadbeef ◂─┤
  shop.rs:9   ├────────────────────▸ load 0x7fffdeadbeef
              │                      stack overflow

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn exit_names_the_code() {
    let finding = failing(|story| FindingKind::Exit {
        thread: story.thread("1"),
        code: Some(3),
        after: Some(at(9)),
    });
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
exit: thread 1 called std::process::exit(3)

  thread 1
    last operation before  src/shop.rs:9:9

what happened (4 steps):

              0 (the test)           1
                                     shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────────────▸ load 0
  shop.rs:31  store 0x7fffdeadbeef ◂─┤
  shop.rs:9   ├────────────────────▸ load 0x7fffdeadbeef
              │                      exit(3)

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn stalled_says_for_how_long_and_what_may_be_the_cause() {
    let finding = failing(|story| FindingKind::Stalled {
        thread: story.thread("1"),
        milliseconds: 10_500,
        after: None,
    });
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
stalled: thread 1 has not come back for 10500 ms

  thread 1
    had carried out no operation before

  = note: it waits for something that is not under control, such as a socket or a child process, and
          nobody works on that; or it computes and comes to no end
  = note: if it only needs more time, raise stall

what happened (4 steps):

              0 (the test)           1
                                     shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────────────▸ load 0
  shop.rs:31  store 0x7fffdeadbeef ◂─┤
  shop.rs:9   ├────────────────────▸ load 0x7fffdeadbeef
              │                      does not come back

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
    // Nobody has seen it again, and that says nothing; and without its steps there is no way there.
    check(
        &Finding { replayed: Replayed::No, steps: Vec::new(), threads: Vec::new(), ..finding },
        PLAIN,
        &NoSources,
        r"
stalled: thread 1 has not come back for 10500 ms

  thread 1
    had carried out no operation before

  = note: it waits for something that is not under control, such as a socket or a child process, and
          nobody works on that; or it computes and comes to no end
  = note: if it only needs more time, raise stall

what happened (0 steps):

    1
    does not come back
",
    );
}

#[test]
fn nondeterminism_shows_both_courses() {
    let finding = failing(|_| FindingKind::Nondeterminism { step: 4, first: None, second: None });
    let second = Some(finding.steps[3].clone());
    let kind = FindingKind::Nondeterminism { step: 4, first: None, second };
    check(
        &Finding { kind, ..finding },
        PLAIN,
        &NoSources,
        r"
nondeterminism: the same schedule went another way at step 4

  the first time
    the execution was over
  the second time
    thread 1: atomic 1: load 0x7fffdeadbeef  src/shop.rs:9:9

  = note: something beside the schedule decides: real time, addresses, hash seeds, files, or state
          that an earlier execution left in a static

what happened (4 steps):

              0 (the test)           1
                                     shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────────────▸ load 0
  shop.rs:31  store 0x7fffdeadbeef ◂─┤
  shop.rs:9   ├────────────────────▸ load 0x7fffdeadbeef

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn the_headline_alone_is_one_line() {
    assert_eq!(
        headline(&lost_update()),
        "panic: assertion `left == right` failed: an increment was lost"
    );
}
