//! Several threads: scopes, ends of threads, joins, pools, and threads that have nothing to do with each
//! other.

use crate::support::Subject;
use selvedge_migrate::infer::Left;
use selvedge_migrate::rewrite::Sleeps;

const TRY_RECV: &str = "use std::thread;

#[test]
fn try_recv() {
    let (s, r) = bounded(100);

    scope(|scope| {
        scope.spawn(move |_| {
            assert_eq!(r.try_recv(), Err(TryRecvError::Empty));
            thread::sleep(ms(1500));
            assert_eq!(r.try_recv(), Ok(7));
            thread::sleep(ms(500));
            assert_eq!(r.try_recv(), Err(TryRecvError::Disconnected));
        });
        scope.spawn(move |_| {
            thread::sleep(ms(1000));
            s.send(7).unwrap();
        });
    })
    .unwrap();
}
";

const TRY_RECV_LOG: &str = "
    0   0 call 5
    0   0 return 5
    0   0 call 7
    0   0 call 8
    0   0 thread_start 1
    0   0 return 8
    0   0 call 15
    0   0 thread_start 2
    0   0 return 15
    0.1 0 block_call untimed
    0.2 1 thread_begin
    0.2 1 call 9
    0.2 1 return 9
    0.2 1 call 10
    0.2 1 sleep_call
    0.3 2 thread_begin
    0.3 2 call 16
    0.3 2 sleep_call
    1000.3 2 sleep_return
    1000.3 2 return 16
    1000.3 2 call 17
    1000.4 2 return 17
    1000.4 2 thread_end
    1500.3 1 sleep_return
    1500.3 1 return 10
    1500.3 1 call 11
    1500.3 1 return 11
    1500.3 1 call 12
    1500.4 1 sleep_call
    2000.4 1 sleep_return
    2000.4 1 return 12
    2000.4 1 call 13
    2000.4 1 return 13
    2000.5 1 thread_end
    2000.6 0 block_return
    2000.6 0 return 7
";

#[test]
fn the_end_of_a_thread_is_waited_for_and_the_thread_gets_a_name() {
    let subject = Subject::new(TRY_RECV);
    let migration = subject.migrate(&[TRY_RECV_LOG]);
    let expected = ["finished_try_recv1 -> starting_send", "end@send_thread -> starting_try_recv2"];
    assert_eq!(migration.schedule(), expected);
    let expected = r#"use std::thread;

#[selvedge::test(schedule = "
    finished_try_recv1 -> starting_send,
    end@send_thread -> starting_try_recv2,
")]
fn try_recv() {
    let (s, r) = bounded(100);

    scope(|scope| {
        scope.spawn(move |_| {
            assert_eq!(r.try_recv(), Err(TryRecvError::Empty));
            selvedge::event!(finished_try_recv1);
            selvedge::event!(starting_try_recv2);
            assert_eq!(r.try_recv(), Ok(7));
            assert_eq!(r.try_recv(), Err(TryRecvError::Disconnected));
        });
        scope.spawn(move |_| {
            selvedge::name_thread!("send_thread");
            selvedge::event!(starting_send);
            s.send(7).unwrap();
        });
    })
    .unwrap();
}
"#;
    assert_eq!(subject.text(&migration, Sleeps::Removed), expected);
}

#[test]
fn whoever_waits_for_its_threads_is_not_asked_to() {
    let source = "use std::thread;
#[test]
fn waits() {
    let (tx, rx) = channel();
    let t = thread::spawn(move || {
        thread::sleep(ms(100));
        tx.send(1).unwrap();
    });
    t.join().unwrap();
    assert_eq!(rx.try_recv(), Ok(1));
}
";
    let log = "
        0   0 call 4
        0   0 return 4
        0   0 call 5
        0   0 thread_start 1
        0   0 return 5
        0   0 call 9
        0.1 0 block_call untimed
        0.2 1 thread_begin
        0.2 1 call 6
        0.2 1 sleep_call
        100 1 sleep_return
        100 1 return 6
        100 1 call 7
        100 1 return 7
        100 1 thread_end
        100.1 0 block_return
        100.1 0 return 9
    ";
    let subject = Subject::new(source);
    let migration = subject.migrate(&[log]);
    assert_eq!(migration.schedule(), [""; 0]);
    // Nothing would take the place of the sleep: it stays.
    let text = subject.text(&migration, Sleeps::Removed);
    assert!(text.contains("#[test]\n") && text.contains("sleep("), "{text}");
    assert!(migration.inferred.removed.is_empty());
    assert_eq!(migration.inferred.left[0].1, Left::Unordered);
}

#[test]
fn what_was_done_before_a_join_is_ordered() {
    let source = "use std::thread;
#[test]
fn empty_first() {
    let (tx, rx) = channel();
    let t = thread::spawn(move || {
        thread::sleep(ms(100));
        tx.send(1).unwrap();
    });
    assert!(rx.try_recv().is_err());
    t.join().unwrap();
}
";
    let log = "
        0   0 call 4
        0   0 return 4
        0   0 call 5
        0   0 thread_start 1
        0   0 return 5
        0   0 call 9
        0.1 0 return 9
        0.1 0 call 10
        0.1 0 block_call untimed
        0.2 1 thread_begin
        0.2 1 call 6
        0.2 1 sleep_call
        100 1 sleep_return
        100 1 return 6
        100 1 call 7
        100 1 return 7
        100 1 thread_end
        100.1 0 block_return
        100.1 0 return 10
    ";
    let subject = Subject::new(source);
    let migration = subject.migrate(&[log]);
    assert_eq!(migration.schedule(), ["finished_try_recv -> starting_send"]);
}

const TWO_PAIRS: &str = "use std::thread;
#[test]
fn two_pairs() {
    let (s1, r1) = channel();
    let (s2, r2) = channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            r1.recv().unwrap();
        });
        scope.spawn(move || {
            r2.recv().unwrap();
        });
        scope.spawn(move || {
            thread::sleep(ms(100));
            s1.send(1).unwrap();
        });
        scope.spawn(move || {
            thread::sleep(ms(200));
            s2.send(1).unwrap();
        });
    });
}
";

#[test]
fn threads_that_share_nothing_are_independent() {
    let log = "
        0   0 call 6
        0   0 call 7
        0   0 thread_start 1
        0   0 return 7
        0   0 call 10
        0   0 thread_start 2
        0   0 return 10
        0   0 call 13
        0   0 thread_start 3
        0   0 return 13
        0   0 call 17
        0   0 thread_start 4
        0   0 return 17
        0.1 0 block_call untimed
        0.2 1 thread_begin
        0.2 1 call 8
        0.2 1 block_call untimed
        0.2 2 thread_begin
        0.2 2 call 11
        0.2 2 block_call untimed
        0.2 3 thread_begin
        0.2 3 call 14
        0.2 3 sleep_call
        0.2 4 thread_begin
        0.2 4 call 18
        0.2 4 sleep_call
        100 3 sleep_return
        100 3 return 14
        100 3 call 15
        100 3 return 15
        100 3 thread_end
        101 1 block_return
        101 1 return 8
        101 1 thread_end
        200 4 sleep_return
        200 4 return 18
        200 4 call 19
        200 4 return 19
        200 4 thread_end
        201 2 block_return
        201 2 return 11
        201 2 thread_end
        202 0 block_return
        202 0 return 6
    ";
    let subject = Subject::new(TWO_PAIRS);
    let migration = subject.migrate(&[log]);
    let expected = ["[starting_recv1] -> starting_send1", "[starting_recv2] -> starting_send2"];
    assert_eq!(migration.schedule(), expected);
    let shared = TWO_PAIRS.replace("let (s2, r2) = channel();", "let (s2, r2) = like(&s1);");
    let subject = Subject::new(&shared);
    let migration = subject.migrate(&[log]);
    let expected = [
        "[starting_recv1] -> starting_send1",
        "[starting_recv2] -> starting_send1",
        "end@send_thread -> starting_send2",
        "end@recv_thread -> starting_send2",
    ];
    assert_eq!(migration.schedule(), expected);
}

#[test]
fn code_that_a_pool_runs_has_an_event_at_its_end() {
    let source = "use std::thread::sleep;
#[test]
fn runs() {
    let pool = ThreadPool::new(1);
    pool.execute(move || {
        count.add(1);
    });
    sleep(ms(1000));
    assert_eq!(count.get(), 1);
}
";
    let log = "
        0   0 call 4
        0   0 thread_start 1
        0   0 return 4
        0   1 thread_begin
        0   1 block_call untimed
        1   0 call 5
        1   0 return 5
        1   0 call 8
        1   0 sleep_call
        2   1 block_return
        2   1 call 6
        2   1 return 6
        2   1 block_call untimed
        1001 0 sleep_return
        1001 0 return 8
        1001 0 call 9
        1001 0 return 9
    ";
    let subject = Subject::new(source);
    let migration = subject.migrate(&[log]);
    assert_eq!(migration.schedule(), ["finished_add -> starting_get"]);
    let text = subject.text(&migration, Sleeps::Removed);
    let expected = "        count.add(1);\n        selvedge::event!(finished_add);\n    });\n    \
                    selvedge::event!(starting_get);\n    assert_eq!";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_closure_that_runs_in_the_thread_that_then_waits_is_over_when_it_waits() {
    let source = "use std::thread::sleep;
#[test]
fn parallel() {
    let (s, r) = bounded(100);
    Parallel::new()
        .add(move || {
            sleep(ms(1500));
            assert_eq!(r.try_recv(), Ok(7));
        })
        .add(move || {
            sleep(ms(1000));
            s.send(7).unwrap();
        })
        .run();
}
";
    let log = "
        0   0 call 4
        0   0 return 4
        0   0 call 5
        0   0 thread_start 1
        0   0 call 11
        0   0 sleep_call
        0.1 1 thread_begin
        0.1 1 call 7
        0.1 1 sleep_call
        1000 0 sleep_return
        1000 0 return 11
        1000 0 call 12
        1000 0 return 12
        1000 0 block_call untimed
        1500 1 sleep_return
        1500 1 return 7
        1500 1 call 8
        1500 1 return 8
        1500 1 thread_end
        1501 0 block_return
        1501 0 return 5
    ";
    let subject = Subject::new(source);
    let migration = subject.migrate(&[log]);
    assert_eq!(migration.schedule(), ["[finished_send] -> starting_try_recv"]);
    let borrowed = Subject::new(&source.replace("add(move ||", "add(||"));
    let migration = borrowed.migrate(&[log]);
    assert_eq!(migration.schedule(), ["finished_send -> starting_try_recv"]);
}
