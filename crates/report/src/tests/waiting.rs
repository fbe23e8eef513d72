//! Findings about threads that can not go on.

use super::build::{Story, at, held, mutex, object};
use super::{CONTEXT, Lines, PLAIN, check};
use crate::{NoSources, explain};
use selvedge_model::OperationKind as Kind;
use selvedge_model::{Effect, Finding, FindingKind, LastNotify, ObjectKind, SpinSite};

/// A sale takes the stock and then the till, a refund the other way round.
pub(crate) fn deadlock() -> Finding {
    let mut story = Story::new();
    story.spawn("0", "1", Some("seller"), 33);
    story.spawn("0", "2", None, 34);
    story.start("1");
    story.lock("1", 1, 17);
    story.start("2");
    story.lock("2", 2, 26);
    let mut seller = story.wait("1", Kind::MutexLock, Some(mutex(2)), 18, &["2"]);
    seller.holds.push(held(mutex(1), Kind::MutexLock, 17));
    let mut refund = story.wait("2", Kind::MutexLock, Some(mutex(1)), 27, &["1"]);
    refund.holds.push(held(mutex(2), Kind::MutexLock, 26));
    let kind = FindingKind::Deadlock { cycle: vec![refund, seller] };
    story.finding(kind, "selvedge/1 1:lock@src/shop.rs:18:9>2")
}

pub(crate) const SHOP: Lines = Lines(&[
    (17, "        let mut stock = self.stock.lock().unwrap();"),
    (18, "        let mut till = self.till.lock().unwrap();"),
    (26, "        let mut till = shop.till.lock().unwrap();"),
    (27, "        let mut stock = shop.stock.lock().unwrap();"),
    (
        33,
        "    let seller = thread::Builder::new().name(\"seller\".into()).spawn(move || sell(&a));",
    ),
    (34, "    let refunder = thread::spawn(move || refund(&b));"),
    (41, "        stock: Mutex::new(5),"),
    (42, "        till: Mutex::new(5),"),
]);

#[test]
fn deadlock_names_what_each_thread_holds_and_waits_for() {
    check(
        &deadlock(),
        PLAIN,
        &SHOP,
        r"
deadlock: 2 threads wait for each other

  thread 1 'seller'
    holds mutex 1                 src/shop.rs:17:9  let mut stock = self.stock.lock().unwrap();
    waits for mutex 2, held by 2  src/shop.rs:18:9  let mut till = self.till.lock().unwrap();
  thread 2
    holds mutex 2                 src/shop.rs:26:9  let mut till = shop.till.lock().unwrap();
    waits for mutex 1, held by 1  src/shop.rs:27:9  let mut stock = shop.stock.lock().unwrap();

what happened (4 of 6 steps):

              0 (the test)   1 'seller'     2
                             shop.rs:33     shop.rs:34
  shop.rs:33  spawn 1                                      let seller = thread::Builder::new().name…
  shop.rs:34  spawn 2        │                             let refunder = thread::spawn(move || ref…
  shop.rs:17  ├────────────▸ lock mutex 1   │              let mut stock = self.stock.lock().unwrap…
  shop.rs:26  │              ├────────────▸ lock mutex 2   let mut till = shop.till.lock().unwrap();
  shop.rs:18  │              waits for mutex 2             let mut till = self.till.lock().unwrap();
  shop.rs:27  │              │              waits for mutex 1

  created at
    mutex 1  src/shop.rs:41:9  stock: Mutex::new(5),
    mutex 2  src/shop.rs:42:9  till: Mutex::new(5),

to see it again:
  SELVEDGE_REPLAY='selvedge/1 1:lock@src/shop.rs:18:9>2' cargo test shop::refund

found in execution 17 by pct(3); 1 decision, 1 switch
",
    );
}

#[test]
fn deadlock_without_sources() {
    check(
        &deadlock(),
        PLAIN,
        &NoSources,
        r"
deadlock: 2 threads wait for each other

  thread 1 'seller'
    holds mutex 1                 src/shop.rs:17:9
    waits for mutex 2, held by 2  src/shop.rs:18:9
  thread 2
    holds mutex 2                 src/shop.rs:26:9
    waits for mutex 1, held by 1  src/shop.rs:27:9

what happened (4 of 6 steps):

              0 (the test)   1 'seller'     2
                             shop.rs:33     shop.rs:34
  shop.rs:33  spawn 1
  shop.rs:34  spawn 2        │
  shop.rs:17  ├────────────▸ lock mutex 1   │
  shop.rs:26  │              ├────────────▸ lock mutex 2
  shop.rs:18  │              waits for mutex 2
  shop.rs:27  │              │              waits for mutex 1

  created at
    mutex 1  src/shop.rs:41:9
    mutex 2  src/shop.rs:42:9

to see it again:
  SELVEDGE_REPLAY='selvedge/1 1:lock@src/shop.rs:18:9>2' cargo test shop::refund

found in execution 17 by pct(3); 1 decision, 1 switch
",
    );
}

/// A gate is opened between the look at the flag and the wait.
fn lost_notify() -> Finding {
    let condvar = || object(ObjectKind::Condvar, 1);
    let mut story = Story::spawning(&[30, 31]);
    story.start("1");
    story.lock("1", 1, 14);
    story.load("1", 1, 15, 0);
    story.start("2");
    story.store("2", 1, 8, 1);
    story.on("2", Kind::NotifyAll, condvar(), 9, Effect::Woke(0));
    story.end("2");
    story.waits_on("1", condvar(), 1, 16);
    let waits = vec![
        story.joining("0", "1", 32),
        story.wait("1", Kind::CondvarWake, Some(condvar()), 16, &[]),
    ];
    let notify = Some((story.thread("2"), Kind::NotifyAll, at(9)));
    let notifies = vec![LastNotify { object: condvar(), notify, woke: 0 }];
    story.finding(FindingKind::Stuck { waits, notifies }, "selvedge/1 1:wait@src/shop.rs:16:9>2")
}

#[test]
fn stuck_tells_the_fate_of_the_last_notification() {
    check(
        &lost_notify(),
        PLAIN,
        &NoSources,
        r"
stuck: nobody can run, 2 threads wait for ever

  thread 0 (the test)
    waits for thread 1 to end                 src/shop.rs:32:9
  thread 1
    waits for a notify of condvar 1           src/shop.rs:16:9
  condvar 1
    last notify_all by 2: nobody was waiting  src/shop.rs:9:9

what happened (7 of 10 steps):

              0 (the test)   1                                   2
                             shop.rs:30                          shop.rs:31
  shop.rs:30  spawn 1
  shop.rs:31  spawn 2        │
  shop.rs:14  ├────────────▸ lock mutex 1                        │
  shop.rs:15  │              load 0                              │
  shop.rs:8   │              ├─────────────────────────────────▸ store 1
  shop.rs:9   │              │                                   notify_all condvar 1 (woke nobody)
  shop.rs:16  │              wait on condvar 1, unlock mutex 1 ◂─╯
  shop.rs:32  waits for thread 1 to end
  shop.rs:16  │              waits for a notify of condvar 1

  created at
    condvar 1  src/shop.rs:41:9
    mutex 1    src/shop.rs:41:9

to see it again:
  SELVEDGE_REPLAY='selvedge/1 1:wait@src/shop.rs:16:9>2' cargo test shop::refund

found in execution 17 by pct(3); 1 decision, 1 switch
",
    );
}

#[test]
fn stuck_on_a_condvar_that_was_never_notified() {
    let condvar = || object(ObjectKind::Condvar, 1);
    let mut story = Story::new();
    story.lock("0", 1, 14);
    story.waits_on("0", condvar(), 1, 16);
    let waits = vec![story.wait("0", Kind::CondvarWake, Some(condvar()), 16, &[])];
    let notifies = vec![LastNotify { object: condvar(), notify: None, woke: 0 }];
    let finding = story.finding(FindingKind::Stuck { waits, notifies }, "selvedge/1");
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
stuck: nobody can run, 1 thread waits for ever

  thread 0 (the test)
    waits for a notify of condvar 1  src/shop.rs:16:9
  condvar 1
    was never notified

what happened (2 steps):

              0 (the test)
  shop.rs:14  lock mutex 1
  shop.rs:16  wait on condvar 1, unlock mutex 1
  shop.rs:16  waits for a notify of condvar 1

  created at
    condvar 1  src/shop.rs:41:9
    mutex 1    src/shop.rs:41:9

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn double_lock_says_what_the_thread_holds_already() {
    let lock = || object(ObjectKind::RwLock, 1);
    let mut story = Story::spawning(&[30]);
    story.start("1");
    story.on("1", Kind::RwRead, lock(), 14, Effect::Done);
    let mut wait = story.wait("1", Kind::RwWrite, Some(lock()), 15, &["1"]);
    wait.holds.push(held(lock(), Kind::RwRead, 14));
    let finding = story.finding(FindingKind::DoubleLock { wait: Box::new(wait) }, "selvedge/1");
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
double lock: thread 1 waits to write rwlock 1, which it holds itself

  thread 1
    holds rwlock 1 for reading               src/shop.rs:14:9
    waits to write rwlock 1, held by itself  src/shop.rs:15:9

what happened (2 of 3 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:14  ├────────────▸ read rwlock 1
  shop.rs:15  │              waits to write rwlock 1

  created at
    rwlock 1  src/shop.rs:41:9

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn a_second_read_behind_a_writer_says_why_it_waits() {
    let lock = || object(ObjectKind::RwLock, 1);
    let mut story = Story::spawning(&[30]);
    story.on("0", Kind::RwRead, lock(), 14, Effect::Done);
    story.start("1");
    let mut reader = story.wait("0", Kind::RwRead, Some(lock()), 15, &["1"]);
    reader.holds.push(held(lock(), Kind::RwRead, 14));
    let writer = story.wait("1", Kind::RwWrite, Some(lock()), 20, &["0"]);
    let finding =
        story.finding(FindingKind::Deadlock { cycle: vec![reader, writer] }, "selvedge/1");
    let text = explain(&finding, CONTEXT, PLAIN, &NoSources);
    for fact in [
        "holds rwlock 1 for reading",
        "waits to read rwlock 1 again, behind 1: new readers wait while a writer does",
        "waits to write rwlock 1, held by 0",
    ] {
        assert!(text.contains(fact), "{text}");
    }
}

/// Each thread has one lock and tries the other one for ever.
fn livelock() -> Finding {
    let mut story = Story::spawning(&[30, 31]);
    story.lock("1", 1, 14);
    story.lock("2", 2, 14);
    for _ in 0..500 {
        story.on("1", Kind::MutexTryLock, mutex(2), 16, Effect::Refused);
        story.off("1", Kind::Yield, 19);
        story.on("2", Kind::MutexTryLock, mutex(1), 16, Effect::Refused);
        story.off("2", Kind::Yield, 19);
    }
    let mut sites = Vec::new();
    for thread in ["1", "2"] {
        for (kind, line) in [(Kind::MutexTryLock, 16), (Kind::Yield, 19)] {
            sites.push(SpinSite { thread: story.thread(thread), kind, at: at(line), times: 500 });
        }
    }
    story.finding(
        FindingKind::Livelock { steps: 2004, sites },
        "selvedge/1 1:try_lock@src/shop.rs:16:9>2",
    )
}

#[test]
fn livelock_folds_the_rounds_and_counts_them() {
    let sources = Lines(&[(16, "if let Ok(guard) = store.try_lock() {"), (19, "yield_now();")]);
    check(
        &livelock(),
        PLAIN,
        &sources,
        r"
livelock: no end after 2004 steps, 2 threads go round and round

  thread 1
    500 × try_lock  src/shop.rs:16:9  if let Ok(guard) = store.try_lock() {
    500 × yield     src/shop.rs:19:9  yield_now();
  thread 2
    500 × try_lock  src/shop.rs:16:9  if let Ok(guard) = store.try_lock() {
    500 × yield     src/shop.rs:19:9  yield_now();

  = note: if the test only needs more steps, raise max_steps and livelock_steps

what happened (6 of 2004 steps):

              0 (the test)   1                           2
                             shop.rs:30                  shop.rs:31
  shop.rs:30  spawn 1
  shop.rs:31  spawn 2        │
  shop.rs:14  ├────────────▸ lock mutex 1                │
  shop.rs:14  │              ├─────────────────────────▸ lock mutex 2
  shop.rs:16  │              try_lock mutex 2 (failed) ◂─┤
  shop.rs:16  │              ├─────────────────────────▸ try_lock mutex 1 (failed)
              ↻ these 2 steps 499 times more             │

  created at
    mutex 1  src/shop.rs:41:9
    mutex 2  src/shop.rs:42:9

to see it again:
  SELVEDGE_REPLAY='selvedge/1 1:try_lock@src/shop.rs:16:9>2' cargo test shop::refund

found in execution 17 by pct(3); 1 decision, 1 switch
",
    );
}

#[test]
fn leaked_threads_are_shown_with_what_they_wait_for() {
    let channel = || object(ObjectKind::Channel, 1);
    let mut story = Story::spawning(&[30]);
    story.on("1", Kind::Receive, channel(), 8, Effect::Done);
    story.on("0", Kind::Send, channel(), 31, Effect::Done);
    story.end("0");
    let waits = vec![story.wait("1", Kind::Receive, Some(channel()), 8, &[])];
    let finding = story.finding(FindingKind::LeakedThreads { waits }, "selvedge/1");
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
leaked threads: the test has returned, but 1 thread has not ended

  thread 1
    waits for a message of channel 1  src/shop.rs:8:9

what happened (3 of 4 steps):

              0 (the test)        1
                                  shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├─────────────────▸ recv from channel 1
  shop.rs:31  send to channel 1 ◂─┤
  shop.rs:8                       waits for a message of channel 1

  created at
    channel 1  src/shop.rs:41:9

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}
