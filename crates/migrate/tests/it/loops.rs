//! Events that occur repeatedly, and loops that are not about ordering.

use crate::support::Subject;
use selvedge_migrate::infer::Left;

const ROUNDS: &str = "use std::thread;
#[test]
fn rounds() {
    let (tx, rx) = channel();
    let t = thread::spawn(move || {
        for i in 0..2 {
            thread::sleep(ms(100));
            tx.send(i).unwrap();
        }
    });
    for i in 0..2 {
        assert_eq!(rx.recv(), Ok(i));
    }
    t.join().unwrap();
}
";

const ROUNDS_LOG: &str = "
    0   0 call 5
    0   0 thread_start 1
    0   0 return 5
    0   0 call 11
    0   0 call 12
    0.1 0 block_call untimed
    0.2 1 thread_begin
    0.2 1 call 6
    0.2 1 call 7
    0.2 1 sleep_call
    100 1 sleep_return
    100 1 return 7
    100 1 call 8
    100 1 return 8
    100.1 0 block_return
    100.1 0 return 12
    100.1 0 call 12
    100.1 0 block_call untimed
    100.2 1 call 7
    100.2 1 sleep_call
    200 1 sleep_return
    200 1 return 7
    200 1 call 8
    200 1 return 8
    200 1 return 6
    200 1 thread_end
    200.1 0 block_return
    200.1 0 return 12
    200.1 0 return 11
    200.1 0 call 14
    200.1 0 return 14
";

#[test]
fn occurrences_of_an_event_are_told_apart() {
    let subject = Subject::new(ROUNDS);
    let migration = subject.migrate(&[ROUNDS_LOG; 3]);
    let expected = ["[starting_recv] -> starting_send", "[starting_recv#2] -> starting_send#2"];
    assert_eq!(migration.schedule(), expected);
}

#[test]
fn occurrences_that_differ_from_run_to_run_are_not_guessed() {
    let subject = Subject::new(ROUNDS);
    // In each run the second message waits for another occurrence.
    let other = |more: usize| {
        let again = "    150 0 block_return\n    150 0 return 12\n    150 0 call 12\n    150 0 block_call \
                     untimed\n";
        let (first, second) =
            ROUNDS_LOG.split_at(ROUNDS_LOG.find("    200 1 sleep_return").unwrap());
        format!("{first}{}{second}", again.repeat(more))
    };
    let logs = [other(1), other(2), other(3), other(4), other(5)];
    let logs: Vec<_> = logs.iter().map(String::as_str).collect();
    let migration = subject.migrate(&logs);
    assert!(!migration.inferred.unsteady.is_empty(), "{:?}", migration.schedule());
}

#[test]
fn threads_with_the_same_code_are_counted_together() {
    let source = "use std::thread;
#[test]
fn all_wait() {
    let (tx, rx) = channel();
    for _ in 0..2 {
        let rx = rx.clone();
        thread::spawn(move || {
            rx.recv().unwrap();
        });
    }
    thread::sleep(ms(100));
    tx.send(1).unwrap();
}
";
    let log = "
        0   0 call 5
        0   0 call 7
        0   0 thread_start 1
        0   0 return 7
        0   0 call 7
        0   0 thread_start 2
        0   0 return 7
        0   0 return 5
        0   0 call 11
        0   0 sleep_call
        1   2 thread_begin
        1   2 call 8
        1   2 block_call untimed
        2   1 thread_begin
        2   1 call 8
        2   1 block_call untimed
        100 0 sleep_return
        100 0 return 11
        100 0 call 12
        100 0 return 12
    ";
    let subject = Subject::new(source);
    let migration = subject.migrate(&[log]);
    let expected = ["[starting_recv] -> starting_send", "[starting_recv#2] -> starting_send"];
    assert_eq!(migration.schedule(), expected);
}

#[test]
fn polling_is_left_alone() {
    let source = "use std::thread;
#[test]
fn polls() {
    let done = flag();
    thread::spawn(move || done.set());
    while !done.get() {
        thread::sleep(ms(1));
    }
    loop {
        if done.get() { break; }
        thread::sleep(ms(1));
    }
    for _ in 0..100 {
        if done.get() { return; }
        thread::sleep(ms(1));
    }
}
";
    let log = "
        0   0 call 5
        0   0 thread_start 1
        0   0 return 5
        0   0 call 6
        0   0 call 7
        0   0 sleep_call
        1   0 sleep_return
        1   0 return 7
        1   0 return 6
        1   0 call 9
        1   0 call 11
        1   0 sleep_call
        2   0 sleep_return
        2   0 return 11
        2   0 return 9
        2   0 call 13
        2   0 call 15
        2   0 sleep_call
        3   0 sleep_return
        3   0 return 15
        3   0 return 13
        3   1 thread_begin
    ";
    let subject = Subject::new(source);
    let inferred = subject.infer(&[subject.log(log)]);
    assert!(inferred.removed.is_empty());
    let left: Vec<_> = inferred.left.iter().map(|(_, why)| why.clone()).collect();
    assert_eq!(left, [Left::Polling, Left::Polling, Left::Polling]);
}

#[test]
fn a_test_without_other_threads_keeps_its_sleeps() {
    let source = "#[test]\nfn alone() {\n    std::thread::sleep(ms(1));\n}\n";
    let subject = Subject::new(source);
    let log = subject.log("0 0 call 3\n0 0 sleep_call\n1 0 sleep_return\n1 0 return 3");
    let inferred = subject.infer(&[log]);
    assert_eq!(inferred.left.iter().map(|(_, why)| why.clone()).collect::<Vec<_>>(), [Left::Alone]);
    assert!(inferred.removed.is_empty());
}

#[test]
fn a_sleep_in_a_macro_or_in_a_library_is_left_and_named() {
    let source = "#[test]
fn inside() {
    select! { default => std::thread::sleep(ms(1)) }
    wait_a_little();
}
";
    let subject = Subject::new(source);
    let log = "
        0 0 thread_start 1
        0 1 thread_begin
        0 0 call 3
        0 0 sleep_call
        1 0 sleep_return
        1 0 return 3
        1 0 call 4
        1 0 sleep_call
        2 0 sleep_return
        2 0 return 4
    ";
    let inferred = subject.infer(&[subject.log(log)]);
    let left: Vec<_> = inferred.left.iter().map(|(_, why)| why.clone()).collect();
    assert_eq!(left, [Left::InMacro("select".to_owned()), Left::Elsewhere]);
}
