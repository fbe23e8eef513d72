//! Orders that only sleeps and time-outs keep: those that a loaded machine can show are explored.

use crate::support::Project;

/// Tests that rely on a few milliseconds, on many, and on a clock.
const SOURCE: &str = r#"
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{mpsc, Arc};
use std::thread;
use std::time::{Duration, Instant};

fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

fn write_and_read(write: u64, read: u64) -> u32 {
    let value = Arc::new(AtomicU32::new(0));
    let theirs = value.clone();
    let writer = thread::spawn(move || {
        thread::sleep(ms(write));
        theirs.store(1, Ordering::SeqCst);
    });
    let theirs = value.clone();
    let reader = thread::spawn(move || {
        thread::sleep(ms(read));
        theirs.load(Ordering::SeqCst)
    });
    writer.join().unwrap();
    reader.join().unwrap()
}

#[test]
fn ten_milliseconds_are_enough() {
    assert_eq!(write_and_read(40, 50), 1);
}

#[test]
fn a_second_is_enough() {
    assert_eq!(write_and_read(40, 1040), 1);
}

#[test]
fn the_answer_comes_in_time() {
    let (sender, receiver) = mpsc::channel();
    let server = thread::spawn(move || {
        thread::sleep(ms(20));
        let _ = sender.send(7);
    });
    assert_eq!(receiver.recv_timeout(ms(30)), Ok(7));
    server.join().unwrap();
}

#[test]
fn a_wait_takes_about_as_long_as_it_says() {
    let began = Instant::now();
    let others: Vec<_> = (0..4).map(|n| thread::spawn(move || thread::sleep(ms(10 + n)))).collect();
    let (_sender, receiver) = mpsc::channel::<()>();
    assert!(receiver.recv_timeout(ms(10)).is_err());
    assert!(began.elapsed() >= ms(10) && began.elapsed() < ms(60));
    others.into_iter().for_each(|other| other.join().unwrap());
    assert!(began.elapsed() >= ms(13) && began.elapsed() < ms(60));
}

#[test]
fn the_answer_comes_within_a_second() {
    let (sender, receiver) = mpsc::channel();
    let server = thread::spawn(move || sender.send(7));
    assert_eq!(receiver.recv_timeout(ms(1000)), Ok(7));
    let _ = server.join();
}
"#;

#[test]
fn an_order_that_sleeps_keep_by_some_milliseconds_is_explored_and_replays() {
    let project = Project::new("delays", &[("src/lib.rs", SOURCE)]);
    let ran = project.run(["test"]);
    ran.left_with(1).says(&["2 findings"]);
    ran.says(&["FOUND", "ten_milliseconds_are_enough"]);
    ran.says(&["FOUND", "the_answer_comes_in_time"]);
    ran.says(&["sleep (10 ms late)"]);
    ran.says(&["it needs a delay of 10 ms at src/lib.rs:15:"]);
    ran.says(&["it needs a delay of 10 ms at src/lib.rs:41:"]);
    for id in project.findings() {
        let again = project.run(["replay", &id, "--times", "10"]);
        again.left_with(1).says(&["10 of 10 executions failed in this way"]);
    }
}

#[test]
fn how_late_threads_may_be_is_a_setting() {
    let project = Project::new("delays-off", &[("src/lib.rs", SOURCE)]);
    let ran = project.run(["test", "--set", "delays=off"]);
    ran.left_with(0);
    let ran = project.run(["test", "--set", "delays=9ms"]);
    ran.left_with(0);
}

#[test]
fn who_asks_for_timeouts_eagerly_gets_those_of_any_length() {
    let project = Project::new("delays-eager", &[("src/lib.rs", SOURCE)]);
    let ran = project.run(["test", "--set", "timeouts=eager", "the_answer_comes_within_a_second"]);
    ran.left_with(1).says(&["1 finding"]);
    let bounded = ["test", "--set", "timeouts=eager", "--set", "slack=5ms", "within_a_second"];
    project.run(bounded).left_with(0);
}
