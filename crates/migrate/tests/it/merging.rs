//! Tests that differ in their sleeps only.

use crate::support::Subject;
use selvedge_migrate::edit::apply;
use selvedge_migrate::infer::{Runs, infer};
use selvedge_migrate::merge::{groups, merge};
use selvedge_migrate::rewrite::{Migration, Sleeps};
use selvedge_migrate::source::FileId;

const SOURCE: &str = "use std::thread;

#[test]
fn waits() {
    let t = thread::spawn(|| {
        thread::sleep(ms(10));
        q.add(1);
    });
    assert_eq!(q.take(), 1);
    t.join().unwrap();
}

// The same, the other way round.
#[test]
fn finds() {
    let t = thread::spawn(|| {
        q.add(1);
    });
    thread::sleep(ms(10)); // Now it is there.
    assert_eq!(q.take(), 1);
    t.join().unwrap();
}

#[test]
fn differs() {
    thread::sleep(ms(10));
}
";

#[test]
fn they_become_one_with_several_schedules() {
    let subject = Subject::new(SOURCE);
    let logs = [
        "
        0 0 call 5
        0 0 thread_start 1
        0 0 return 5
        0 0 call 9
        0 0 block_call untimed
        1 1 thread_begin
        1 1 call 6
        1 1 sleep_call
        11 1 sleep_return
        11 1 return 6
        11 1 call 7
        11 1 return 7
        11 1 thread_end
        12 0 block_return
        12 0 return 9
        ",
        "
        0 0 call 16
        0 0 thread_start 1
        0 0 return 16
        0 0 call 19
        0 0 sleep_call
        1 1 thread_begin
        1 1 call 17
        1 1 return 17
        1 1 thread_end
        10 0 sleep_return
        10 0 return 19
        10 0 call 20
        10 0 return 20
        ",
    ];
    let migrations: Vec<_> = logs
        .iter()
        .zip(subject.sources.tests())
        .map(|(log, test)| {
            let logs = [subject.log(log)];
            let runs = Runs { logs: &logs, test: test.body, confidence: 0.5 };
            Migration::new(&subject.sources, test.clone(), infer(&subject.sources, runs))
        })
        .collect();
    let all: Vec<_> = migrations.iter().collect();
    assert_eq!(groups(&subject.sources, &all), [vec![0, 1]]);
    let merged = merge(&subject.sources, &all).expect("they are the same");
    let edits = merged.edits(&subject.sources, Sleeps::Removed);
    let expected = "use std::thread;

#[selvedge::test(schedule(
    waits = \"[starting_take] -> starting_add\",
    finds = \"end@add_thread -> starting_take\",
))]
fn waits() {
    let t = thread::spawn(|| {
        selvedge::name_thread!(\"add_thread\");
        selvedge::event!(starting_add);
        q.add(1);
    });
    selvedge::event!(starting_take);
    assert_eq!(q.take(), 1);
    t.join().unwrap();
}

// The same, the other way round.

#[test]
fn differs() {
    thread::sleep(ms(10));
}
";
    assert_eq!(apply(SOURCE, &edits[&FileId(0)]), expected);
}
