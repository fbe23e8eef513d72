//! Stress tests: explored by many executions that are cut off.

use crate::support::Project;

/// Two stress loops of a million operations. One has a bug that each turn may show.
const SOURCE: &str = r#"
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

const TURNS: u32 = 250_000;

fn stress(turn: fn(&Mutex<u32>, &AtomicU32)) -> (u32, u32) {
    let counts = Arc::new((Mutex::new(0), AtomicU32::new(0)));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let counts = counts.clone();
            thread::spawn(move || (0..TURNS).for_each(|_| turn(&counts.0, &counts.1)))
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let locked = *counts.0.lock().unwrap();
    (locked, counts.1.load(Ordering::SeqCst))
}

#[test]
fn every_turn_counts() {
    let counted = stress(|lock, atomic| {
        *lock.lock().unwrap() += 1;
        atomic.fetch_add(1, Ordering::SeqCst);
    });
    assert_eq!(counted, (2 * TURNS, 2 * TURNS));
}

#[test]
fn nobody_else_is_inside() {
    stress(|_, inside| {
        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "somebody is inside");
        inside.fetch_sub(1, Ordering::SeqCst);
    });
}
"#;

#[test]
fn a_stress_test_is_explored_by_executions_that_are_cut_off() {
    let project = Project::new("long-tests", &[("src/lib.rs", SOURCE)]);
    let ran = project.run(["test", "--executions", "200", "--time", "60s"]);
    ran.left_with(1).says(&["FOUND", "nobody_else_is_inside"]);
    ran.says(&["every_turn_counts: 200 executions", "199 executions cut off early"]);
}
