//! Tests that spin, poll and look at the clock, as plain tests do.

use crate::support::{Project, Ran};
use std::sync::LazyLock;

const SOURCE: &str = r#"
#![cfg(test)]
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

fn spins_then_gives_up(turns: u32, wait: fn()) {
    let busy = Arc::new(AtomicBool::new(false));
    let theirs = busy.clone();
    let other = thread::spawn(move || {
        theirs.store(true, SeqCst);
        theirs.store(false, SeqCst);
    });
    for turn in 0..=turns {
        if !busy.load(SeqCst) {
            break;
        }
        assert!(turn < turns, "gave up");
        wait();
    }
    other.join().unwrap();
}

#[test] fn gives_up_after_50_yields() { spins_then_gives_up(50, thread::yield_now) }
#[test] fn gives_up_after_127_hints() { spins_then_gives_up(127, std::hint::spin_loop) }

#[test]
fn polls_for_ever() {
    let flag = AtomicBool::new(false);
    while !flag.load(SeqCst) {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn looks_at_the_clock() {
    let start = Instant::now();
    for _ in 0..40_000 {
        std::hint::black_box(start.elapsed());
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn waits_for_a_deadline() {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
        std::hint::spin_loop();
    }
}

#[test]
fn waits_for_another() {
    let flag = Arc::new(AtomicBool::new(false));
    let theirs = flag.clone();
    let other = thread::spawn(move || theirs.store(true, SeqCst));
    while !flag.load(SeqCst) {
        thread::yield_now();
    }
    other.join().unwrap();
}
"#;

static PROJECT: LazyLock<Project> =
    LazyLock::new(|| Project::new("spinning", &[("src/lib.rs", SOURCE)]));
static RAN: LazyLock<Ran> = LazyLock::new(|| PROJECT.run(["test"]));

#[test]
fn whoever_gives_up_after_many_turns_is_found() {
    RAN.left_with(1).says(&["FOUND", "gives_up_after_50_yields", "gave up"]);
    RAN.says(&["FOUND", "gives_up_after_127_hints", "gave up"]);
}

#[test]
fn a_poll_that_never_ends_is_a_livelock() {
    RAN.says(&["FOUND", "polls_for_ever", "livelock"]);
    RAN.says(&["thread::sleep(Duration::from_millis(1));"]);
}

#[test]
fn looks_at_the_clock_and_waits_for_it_pass() {
    RAN.says(&["3 findings", "2 sequential and passed"]);
}

#[test]
fn a_search_that_cuts_spins_does_not_claim_to_have_seen_all() {
    let ran = PROJECT.run(["test", "waits_for_another", "--strategy", "exhaustive"]);
    ran.left_with(0).says(&[
        "waits_for_another",
        "exhausted within bounds",
        "longer turns of loops that wait",
    ]);
}
