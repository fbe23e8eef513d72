//! How much memory a test may take, and how much we take beside it.

use crate::support::Project;

/// Tests that take a lot, or look as if they did. The last ones make us take a lot, and see for
/// themselves what the process has taken when it was most.
const HUNGRY: &str = r#"
#![cfg(test)]
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

fn eat(block: usize, total: usize) {
    let mut eaten: Vec<Vec<u8>> = vec![];
    while eaten.len() * block < total {
        eaten.push(vec![1; block]);
    }
    std::hint::black_box(&eaten);
}

const ALL: usize = 512 << 20;

#[test]
fn too_much_small_main() {
    thread::spawn(|| ()).join().unwrap();
    eat(1 << 16, ALL);
}

#[test]
fn too_much_small_threads() {
    thread::scope(|s| {
        s.spawn(|| eat(1 << 16, ALL));
        s.spawn(|| ());
    });
}

#[test]
fn too_much_big_main() {
    thread::spawn(|| ()).join().unwrap();
    eat(32 << 20, ALL);
}

#[test]
fn too_much_big_threads() {
    thread::scope(|s| {
        s.spawn(|| eat(32 << 20, ALL));
        s.spawn(|| ());
    });
}

#[test]
fn too_much_beside_a_thread() {
    let _thread = thread::spawn(|| 1);
    eat(32 << 20, ALL);
}

#[test]
fn untouched() {
    let zeros = vec![0_u8; 1 << 30];
    let room: Vec<u64> = Vec::with_capacity(1 << 27);
    let length = thread::spawn(move || zeros.len() + room.len() + usize::from(zeros[7])).join();
    assert_eq!(length.unwrap(), 1 << 30);
    eat(1 << 20, 8 << 20);
}

fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() >> 10
}

#[test]
fn long_with_many_blocks_and_threads() {
    let sum = Arc::new(Mutex::new(0_u64));
    for _ in 0..40 {
        let workers: Vec<_> = (0..8)
            .map(|_| {
                let sum = Arc::clone(&sum);
                thread::spawn(move || {
                    for item in 0..600_u64 {
                        let boxed = Arc::new((Mutex::new(item), AtomicUsize::new(0)));
                        boxed.1.fetch_add(1, Ordering::SeqCst);
                        let mut bytes = vec![0_u8; 64];
                        bytes.iter_mut().for_each(|byte| *byte = 1);
                        *sum.lock().unwrap() += *boxed.0.lock().unwrap() + u64::from(bytes[9]);
                    }
                })
            })
            .collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
    }
    assert!(peak() < 512, "{} MB", peak());
}

#[test]
fn long_with_a_table() {
    let table = Arc::new(Mutex::new(vec![0_u8; 3 << 20]));
    let other = Arc::clone(&table);
    let worker = thread::spawn(move || {
        let mut table = other.lock().unwrap();
        for at in 0..table.len() {
            table[at] = 1;
        }
    });
    worker.join().unwrap();
    let mut sum = 0_u64;
    let table = table.lock().unwrap();
    for at in (0..table.len()).rev() {
        sum += u64::from(table[at]);
    }
    assert_eq!(sum, 3 << 20);
    assert!(peak() < 512, "{} MB", peak());
}
"#;

/// The same limit for the test's own data, whether plain accesses are watched or not.
#[test]
fn the_limit_is_for_what_a_test_uses_and_ours_is_another() {
    let project = Project::new("hungry", &[("src/lib.rs", HUNGRY)]);
    for layer in ["--memory=off", "--memory=on"] {
        let options = ["--set", "memory=128M", "--executions", "3"];
        let ran = project.run(["test", layer].into_iter().chain(options));
        for test in ["small_main", "small_threads", "big_main", "big_threads", "beside_a_thread"] {
            ran.left_with(1).says(&["FOUND hungry too_much_", test, "128 MiB"]);
        }
        for test in ["untouched", "long_with_many_blocks_and_threads", "long_with_a_table"] {
            ran.is_silent_about(&format!("FOUND hungry {test}"));
            ran.is_silent_about(&format!("FAILED hungry {test}"));
        }
    }
}

/// Where we would take more than we may, we keep less and say so.
#[test]
fn what_is_not_kept_is_said() {
    let two_threads = r#"
use std::thread;

#[test]
fn two_tables() {
    let fill = || {
        let mut table = vec![0_u8; 1 << 19];
        for at in 0..table.len() {
            table[at] = 1;
        }
    };
    let other = thread::spawn(fill);
    fill();
    other.join().unwrap();
}
"#;
    let project = Project::new("hungry-and-poor", &[("src/lib.rs", two_threads)]);
    let options = ["--memory=on", "--set", "own_memory=32M", "--executions", "2"];
    let ran = project.run(["test"].into_iter().chain(options));
    ran.left_with(0).says(&["two_tables: ", "race detection was thinned after step "]);
}

/// If even that is not enough, the test is explored no further, and that is neither a pass nor a
/// finding.
#[test]
fn a_test_for_which_we_take_too_much_is_stopped() {
    let project = Project::new("hungry-and-stopped", &[("src/lib.rs", HUNGRY)]);
    let ran = project.run(["test", "long_with_many", "--set", "own_memory=1M"]);
    ran.left_with(0)
        .says(&["stopped hungry-and-stopped long_with_many", "Selvedge's own memory limit"])
        .says(&["Finished 1 stopped at Selvedge's own memory limit"])
        .is_silent_about("passed");
}
