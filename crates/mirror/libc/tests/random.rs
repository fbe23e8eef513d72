//! Random bytes and the order of hash maps, inside an execution and outside.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use sample::{results, settings};
use selvedge_engine::{Engine, HashKeys, Watch};
use selvedge_std::thread;
use selvedge_strategy::Random;
use std::collections::HashMap;
use std::process::Command;
use std::sync::Arc;

fn draw() -> [u8; 12] {
    let mut bytes = [0; 12];
    // SAFETY: The buffer is as long as is said.
    assert_eq!(unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), 12, 0) }, 12);
    bytes
}

fn draw_by_number() -> [u8; 12] {
    let mut bytes = [0; 12];
    // SAFETY: The buffer is as long as is said.
    assert_eq!(unsafe { libc::syscall(libc::SYS_getrandom, bytes.as_mut_ptr(), 12usize, 0) }, 12);
    bytes
}

fn order() -> Vec<u32> {
    let map: HashMap<u32, ()> = (0..100).map(|number| (number, ())).collect();
    map.into_keys().collect()
}

#[test]
fn every_execution_draws_the_same_bytes_whoever_is_first() {
    selvedge_libc::install();
    let results = results(|| {
        let other = thread::spawn(|| {
            thread::yield_now();
            (draw(), draw_by_number())
        });
        thread::yield_now();
        let mine = (draw(), draw_by_number());
        let theirs = other.join().unwrap();
        assert_ne!(mine, theirs);
        assert_ne!(mine.0, mine.1);
        (mine, theirs)
    });
    assert_eq!(results.len(), 1);
}

#[test]
fn entropy_is_the_same_stream() {
    selvedge_libc::install();
    let results = results(|| {
        let mut bytes = [0u8; 12];
        // SAFETY: The buffer is as long as is said.
        assert_eq!(unsafe { libc::getentropy(bytes.as_mut_ptr().cast(), 12) }, 0);
        bytes
    });
    assert_eq!(results.len(), 1);
}

#[test]
fn a_hash_map_has_the_same_order_in_every_execution() {
    selvedge_libc::install();
    let first = results(|| {
        let other = thread::spawn(order);
        (order(), other.join().unwrap())
    });
    // The two threads draw their keys in one order or the other.
    assert!(first.len() <= 2);
    let alone = results(order);
    assert_eq!(alone.len(), 1);
    // Another operating-system thread, which has keys of its own outside of executions.
    let elsewhere = std::thread::spawn(|| results(order)).join().unwrap();
    assert_eq!(alone, elsewhere);
}

#[test]
fn a_hash_map_has_the_same_order_in_every_process() {
    let line = format!("order: {:?}", results(order));
    #[expect(clippy::print_stdout, reason = "the other process reads it")]
    {
        println!("{line}");
    }
    if std::env::var_os(CHILD).is_some() {
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_hash_map_has_the_same_order_in_every_process", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let theirs = String::from_utf8(output.stdout).unwrap();
    assert!(theirs.contains(&line), "{line} is not in\n{theirs}");
}

/// Set in the second process.
const CHILD: &str = "SELVEDGE_TEST_CHILD";

#[test]
fn the_engine_says_that_keys_are_fixed() {
    let mut engine = Engine::new(settings(), Arc::new(Watch::default()));
    engine.run(&|| (), &mut Random::new(7), None);
    assert_eq!(engine.hash_keys(), HashKeys::Fixed);
}

#[test]
fn outside_of_an_execution_bytes_are_random() {
    selvedge_libc::install();
    assert_ne!(draw(), draw());
    assert_ne!(draw_by_number(), draw_by_number());
    let other = std::thread::spawn(draw).join().unwrap();
    assert_ne!(other, draw());
}
