//! tokio up to 1.44.1: <https://rustsec.org/advisories/RUSTSEC-2025-0023.html>
//!
//! A broadcast channel takes values that may not be shared between threads, and lets its receivers clone one at the same time.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use tokio::sync::broadcast;

/// How many messages were cloned.
static CLONES: AtomicU32 = AtomicU32::new(0);

/// Counts how often it was cloned, which may be done by one thread at a time: it is not `Sync`.
#[derive(Debug, Default)]
struct Message {
    copies: Cell<u32>,
}

impl Clone for Message {
    fn clone(&self) -> Self {
        let number = self.copies.get() + 1;
        CLONES.fetch_add(1, Ordering::Relaxed);
        self.copies.set(number);
        Self { copies: Cell::new(number) }
    }
}

#[test]
fn every_copy_has_a_number_of_its_own() {
    let (sender, mut receiver) = broadcast::channel(1);
    let mut other = sender.subscribe();
    // Without this one, the last of the others would get the message itself.
    let _third = sender.subscribe();
    sender.send(Message::default()).unwrap();
    let copy = thread::spawn(move || other.try_recv().unwrap().copies.get());
    let mine = receiver.try_recv().unwrap().copies.get();
    assert_ne!(mine, copy.join().unwrap());
}
