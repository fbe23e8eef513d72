//! Threads that spin and give up after some turns. Each test fails if the other thread is interrupted for so long.

use std::hint;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

fn gives_up(turns: u32, turn: fn()) {
    static BUSY: AtomicBool = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            BUSY.store(true, SeqCst);
            BUSY.store(false, SeqCst);
        });
        let mut left = turns;
        while BUSY.load(SeqCst) {
            assert!(left > 0, "gave up");
            left -= 1;
            turn();
        }
    });
}

#[test]
fn after_3_yields() {
    gives_up(3, thread::yield_now);
}

#[test]
fn after_15_yields() {
    gives_up(15, thread::yield_now);
}

#[test]
fn after_50_yields() {
    gives_up(50, thread::yield_now);
}

#[test]
fn after_15_hints() {
    gives_up(15, hint::spin_loop);
}

#[test]
fn after_127_hints() {
    gives_up(127, hint::spin_loop);
}
