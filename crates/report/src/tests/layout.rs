//! How explanations fit into what room there is.

use super::build::{Story, mutex, object, path};
use super::failed::{COUNTER, lost_update};
use super::waiting::{SHOP, deadlock};
use super::{PLAIN, check, check_text};
use crate::{Colour, Context, NoSources, Style, explain};
use selvedge_model::OperationKind as Kind;
use selvedge_model::{Effect, Finding, FindingKind, ObjectKind};

fn table(finding: &Finding) -> String {
    let text = explain(finding, Context::default(), PLAIN, &NoSources);
    let from = text.find("what happened").expect("a table");
    let to = text.find("to see it again").expect("a command");
    text[from..to].to_owned()
}

#[test]
fn eighty_columns_are_enough_for_three_threads() {
    check(
        &lost_update(),
        Style { width: 80, ..PLAIN },
        &COUNTER,
        r#"
panic: assertion `left == right` failed: an increment was lost
  left: 1
 right: 2

  thread 0 (the test)
    panicked  src/shop.rs:32:9  assert_eq!(counter.load(SeqCst), 2, "an increme…

what happened (9 of 18 steps):

              0 (the test)   1            2
                             shop.rs:28   shop.rs:28
  shop.rs:28  spawn 1                               handles.push(thread::spawn(…
  shop.rs:28  spawn 2        │                      handles.push(thread::spawn(…
  shop.rs:14  ├────────────▸ load 0       │         let seen = counter.load(Seq…
  shop.rs:14  │              ├──────────▸ load 0    let seen = counter.load(Seq…
  shop.rs:15  │              │            store 1   counter.store(seen + 1, Seq…
  shop.rs:15  │              store 1 ◂────╯         counter.store(seen + 1, Seq…
  shop.rs:29  join 1 ◂───────╯                      handles.into_iter().for_eac…
  shop.rs:29  join 2                                handles.into_iter().for_eac…
  shop.rs:32  load 1                                assert_eq!(counter.load(Seq…
  shop.rs:32  panic                                 assert_eq!(counter.load(Seq…

to see it again:
  SELVEDGE_REPLAY='selvedge/1 1:store@src/shop.rs:15:9>2' cargo test shop::refund

found in execution 17 by pct(3); 1 decision, 1 switch
"#,
    );
}

#[test]
fn a_narrow_page_gets_a_list() {
    check(
        &deadlock(),
        Style { width: 50, ..PLAIN },
        &SHOP,
        r"
deadlock: 2 threads wait for each other

  thread 1 'seller'
    holds mutex 1                 src/shop.rs:17:9
      let mut stock = self.stock.lock().unwrap();
    waits for mutex 2, held by 2  src/shop.rs:18:9
      let mut till = self.till.lock().unwrap();
  thread 2
    holds mutex 2                 src/shop.rs:26:9
      let mut till = shop.till.lock().unwrap();
    waits for mutex 1, held by 1  src/shop.rs:27:9
      let mut stock = shop.stock.lock().unwrap();

what happened (4 of 6 steps):

    0 (the test)  shop.rs:33  spawn 1
    0 (the test)  shop.rs:34  spawn 2
  ▸ 1 'seller'    shop.rs:17  lock mutex 1
  ▸ 2             shop.rs:26  lock mutex 2
    1 'seller'    shop.rs:18  waits for mutex 2
    2             shop.rs:27  waits for mutex 1

  created at
    mutex 1  src/shop.rs:41:9
      stock: Mutex::new(5),
    mutex 2  src/shop.rs:42:9
      till: Mutex::new(5),

to see it again:
  SELVEDGE_REPLAY='selvedge/1 1:lock@src/shop.rs:18:9>2' cargo test shop::refund

found in execution 17 by pct(3); 1 decision, 1 switch
",
    );
}

#[test]
fn many_threads_get_a_list() {
    let mut story = Story::spawning(&[30; 7]);
    for thread in 1..=7 {
        story.lock(&thread.to_string(), 1, 10 + thread);
        story.unlock(&thread.to_string(), 1, 10 + thread);
    }
    let thread = story.thread("0");
    let finding =
        story.finding(FindingKind::Exit { thread, code: Some(1), after: None }, "selvedge/1");
    check_text(
        &table(&finding),
        r"
what happened (15 of 21 steps):

    0 (the test)              … 5 more steps
    0 (the test)  shop.rs:30  spawn 6
    0 (the test)  shop.rs:30  spawn 7
  ▸ 1             shop.rs:11  lock mutex 1
    1                         unlock mutex 1
  ▸ 2             shop.rs:12  lock mutex 1
    2                         unlock mutex 1
  ▸ 3             shop.rs:13  lock mutex 1
    3                         unlock mutex 1
  ▸ 4             shop.rs:14  lock mutex 1
    4                         unlock mutex 1
  ▸ 5             shop.rs:15  lock mutex 1
    5                         unlock mutex 1
  ▸ 6             shop.rs:16  lock mutex 1
    6                         unlock mutex 1
  ▸ 7             shop.rs:17  lock mutex 1
    0 (the test)              exit(1)

  created at
    mutex 1  src/shop.rs:41:9

",
    );
}

#[test]
fn nothing_but_messages_and_paths_is_wider_than_the_page() {
    for width in [60, 80, 100, 120] {
        for (finding, sources) in [(deadlock(), &SHOP), (lost_update(), &COUNTER)] {
            let text = explain(&finding, Context::default(), Style { width, ..PLAIN }, sources);
            let free = |line: &&str| !line.contains("src/shop.rs:");
            for line in text.lines().skip(1).filter(free) {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn no_width_is_too_small() {
    for width in 0..60 {
        for finding in [deadlock(), lost_update()] {
            let text = explain(&finding, Context::default(), Style { width, ..PLAIN }, &SHOP);
            assert!(text.contains("▸"), "{width}: {text}");
        }
    }
}

#[test]
fn a_thread_that_the_finding_does_not_list_is_shown_by_its_path() {
    let mut finding = deadlock();
    finding.threads.clear();
    let text = explain(&finding, Context::default(), PLAIN, &NoSources);
    assert!(text.contains("├"), "{text}");
}

#[test]
fn colours_change_nothing_but_colours() {
    for finding in [deadlock(), lost_update()] {
        let plain = explain(&finding, Context::default(), PLAIN, &SHOP);
        assert!(!plain.contains('\x1b'), "{plain}");
        let style = Style { colour: Colour::Ansi, ..PLAIN };
        let coloured = explain(&finding, Context::default(), style, &SHOP);
        assert!(coloured.contains("\x1b["), "{coloured}");
        let mut stripped = String::new();
        for (index, part) in coloured.split("\x1b[").enumerate() {
            stripped += if index == 0 { part } else { part.split_once('m').expect("an end").1 };
        }
        assert_eq!(stripped, plain);
    }
}

#[test]
fn switches_cross_the_lines_of_living_threads_only() {
    let mut story = Story::spawning(&[30, 31]);
    story.store("1", 1, 8, 1);
    story.store("2", 1, 9, 2);
    story.store("0", 1, 32, 3);
    story.end("1");
    story.store("2", 1, 10, 4);
    story.end("2");
    story.store("0", 1, 33, 5);
    let thread = story.thread("0");
    let finding =
        story.finding(FindingKind::Exit { thread, code: Some(1), after: None }, "selvedge/1");
    check_text(
        &table(&finding),
        r"
what happened (7 of 9 steps):

              0 (the test)   1            2
                             shop.rs:30   shop.rs:31
  shop.rs:30  spawn 1
  shop.rs:31  spawn 2        │
  shop.rs:8   ├────────────▸ store 1      │
  shop.rs:9   │              ├──────────▸ store 2
  shop.rs:32  store 3 ◂──────┼────────────┤
  shop.rs:10  ├─────────────────────────▸ store 4
  shop.rs:33  store 5 ◂───────────────────╯
              exit(1)

",
    );
}

#[test]
fn a_long_run_takes_one_row() {
    let mut story = Story::spawning(&[30]);
    story.store("1", 1, 8, 0);
    (1..20).for_each(|n| story.store("0", 1, 31, n));
    story.load("1", 1, 9, 19);
    let kind = FindingKind::LeakedThreads { waits: Vec::new() };
    check_text(
        &table(&story.finding(kind, "selvedge/1")),
        r"
what happened (6 of 22 steps):

              0 (the test)      1
                                shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├───────────────▸ store 0
  shop.rs:31  store 1 ◂─────────┤
              … 16 more steps   │
  shop.rs:31  store 18          │
  shop.rs:31  store 19          │
  shop.rs:9   ├───────────────▸ load 19

",
    );
}

#[test]
fn faults_are_marked() {
    let condvar = || object(ObjectKind::Condvar, 1);
    let atomic = |number| object(ObjectKind::Atomic, number);
    let mut story = Story::spawning(&[30]);
    story.waits_on("1", condvar(), 1, 8);
    story.on("1", Kind::CondvarWake, mutex(1), 8, Effect::Spurious);
    story.on("1", Kind::CondvarWake, mutex(1), 9, Effect::TimedOut);
    story.on("1", Kind::AtomicCas, atomic(1), 11, Effect::Kept(5));
    story.on("0", Kind::NotifyOne, condvar(), 31, Effect::Woke(1));
    story.on("0", Kind::MutexTryLock, mutex(1), 32, Effect::Refused);
    story.on("0", Kind::AtomicCas, atomic(1), 33, Effect::Changed { from: 3, to: 4 });
    story.on("1", Kind::AtomicCas, atomic(1), 11, Effect::Kept(5));
    story.on("0", Kind::AtomicRmw, atomic(2), 34, Effect::Changed { from: 1, to: 2 });
    story.on("1", Kind::AtomicRmw, atomic(2), 12, Effect::Changed { from: 2, to: 3 });
    let thread = story.thread("1");
    let finding = story.finding(
        FindingKind::Exit { thread, code: Some(1), after: None },
        "selvedge/1 0:notify_one@src/shop.rs:31:9=wake1 1:cas@src/shop.rs:11:9#2=fail",
    );
    check_text(
        &table(&finding),
        r"
what happened (11 steps):

              0 (the test)                                     1
                                                               shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├──────────────────────────────────────────────▸ wait on condvar 1, unlock mutex 1
  shop.rs:8   │                                                spurious wake-up, lock mutex 1
  shop.rs:9   │                                                time out, lock mutex 1
  shop.rs:11  │                                                atomic 1: cas kept 5
  shop.rs:31  notify_one condvar 1 (woke one, not the first) ◂─┤
  shop.rs:32  try_lock mutex 1 (failed)                        │
  shop.rs:33  atomic 1: cas 3→4                                │
  shop.rs:11  ├──────────────────────────────────────────────▸ atomic 1: cas kept 5 (weak failure)
  shop.rs:34  atomic 2: fetch 1→2 ◂────────────────────────────┤
  shop.rs:12  ├──────────────────────────────────────────────▸ atomic 2: fetch 2→3
              │                                                exit(1)

  created at
    condvar 1  src/shop.rs:41:9
    mutex 1    src/shop.rs:41:9

",
    );
}

#[test]
fn a_thread_that_panicked_has_its_panic_above_what_unwinding_gave_back() {
    let mut story = Story::spawning(&[30]);
    story.lock("1", 1, 8);
    story.unlock("1", 1, 8);
    story.end("1");
    story.join("0", "1", 31);
    story.lock("0", 1, 32);
    let panic = story.panic("1", "out of stock", 9);
    let finding = story.finding(FindingKind::Panic(panic), "selvedge/1");
    check_text(
        &table(&finding),
        r"
what happened (5 of 6 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────▸ lock mutex 1
  shop.rs:9   │              panic
              │              unlock mutex 1
  shop.rs:31  join 1 ◂───────╯
  shop.rs:32  lock mutex 1

  created at
    mutex 1  src/shop.rs:41:9

",
    );
}

#[test]
fn files_of_the_same_name_are_told_apart() {
    let mut story = Story::spawning(&[30]);
    story.store("1", 1, 8, 1);
    story.load("0", 1, 31, 1);
    let thread = story.thread("0");
    let kind = FindingKind::Exit { thread, code: Some(1), after: None };
    let mut finding = story.finding(kind, "selvedge/1");
    finding.steps[1].at.file = "tests/shop.rs".to_owned();
    assert_eq!(finding.steps[1].thread, path("1"));
    let text = table(&finding);
    assert!(text.contains("  tests/shop.rs:8 "), "{text}");
    assert!(text.contains("  src/shop.rs:31 "), "{text}");
}

#[test]
fn a_long_path_sends_the_source_to_the_next_line() {
    let mut finding = deadlock();
    let FindingKind::Deadlock { cycle } = &mut finding.kind else { unreachable!() };
    cycle[0].at.file = format!("{}/shop.rs", "deeply/nested".repeat(4));
    let text = explain(&finding, Context::default(), PLAIN, &SHOP);
    let (_, after) = text.split_once("shop.rs:27:9\n").expect("the path ends its line");
    assert!(after.starts_with("      let mut stock = shop.stock.lock().unwrap();\n"), "{text}");
}

#[test]
fn a_schedule_that_no_command_line_takes_comes_with_a_hint() {
    let mut finding = deadlock();
    let hint = "write it to selvedge.toml";
    assert!(!explain(&finding, Context::default(), PLAIN, &NoSources).contains(hint));
    finding.schedule.decisions = vec![finding.schedule.decisions[0].clone(); 10_000];
    assert!(explain(&finding, Context::default(), PLAIN, &NoSources).contains(hint));
}

#[test]
fn an_execution_without_steps_has_no_table() {
    let story = Story::new();
    let thread = story.thread("0");
    let kind = FindingKind::Nondeterminism { step: 1, first: None, second: None };
    let finding = Finding { steps: Vec::new(), ..story.finding(kind, "selvedge/1") };
    assert_eq!(thread, finding.threads[0]);
    let text = explain(&finding, Context::default(), PLAIN, &NoSources);
    assert!(!text.contains("what happened"), "{text}");
    assert!(text.ends_with("no decision, the undisturbed course\n"), "{text}");
}
