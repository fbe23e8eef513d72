//! Under control the locks of the standard streams keep threads apart, as the real ones do.
//!
//! The streams are the same for all tests of a process, so this is one.

mod sample;

use sample::{endings, results, settings};
use selvedge_engine::Ending;
use selvedge_std::io::{stderr, stdout};
use selvedge_std::sync::mpsc;
use selvedge_std::{println, thread};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::Write;

/// Something that only one thread may be in.
#[derive(Default)]
struct Room(Cell<u32>);

// SAFETY: Threads of an execution do not run at the same time.
unsafe impl Sync for Room {}

impl Room {
    fn visit(&self) {
        assert_eq!(self.0.replace(1), 0, "somebody is there");
        thread::yield_now();
        self.0.set(0);
    }
}

#[test]
fn the_locks_of_streams_exclude_and_can_be_taken_again_and_keep_macros_out() {
    let excluded = results(|| {
        let room = Room::default();
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut first = stdout().lock();
                    let second = stdout().lock();
                    drop(second);
                    writeln!(first, "first").unwrap();
                    room.visit();
                });
            }
        });
        room.0.get()
    });
    assert_eq!(excluded, BTreeSet::from([0]));

    let waits = |hold: fn() -> Box<dyn std::any::Any>| {
        endings(settings(), move || {
            let (sender, receiver) = mpsc::channel();
            thread::scope(|scope| {
                scope.spawn(move || {
                    println!("waits for the lock");
                    sender.send(()).unwrap();
                });
                let _held = hold();
                receiver.recv().unwrap();
            });
        })
    };
    let stuck = |endings: Vec<Ending>| endings.iter().any(|ending| *ending != Ending::Passed);
    assert!(stuck(waits(|| Box::new(stdout().lock()))), "the macro waits for the lock");
    assert!(!stuck(waits(|| Box::new(stderr().lock()))), "another stream is another lock");
}
