//! tokio up to 1.44.1: <https://rustsec.org/advisories/RUSTSEC-2025-0023.html>
//!
//! A broadcast channel takes values that may not be shared between threads, and lets its receivers clone one at the same time.

use std::cell::Cell;
use std::thread;
use tokio::sync::broadcast;

/// Counts how often it was cloned, which may be done by one thread at a time: it is not `Sync`.
#[derive(Debug, Default)]
struct Message {
    copies: Cell<u32>,
}

impl Clone for Message {
    fn clone(&self) -> Self {
        let copies = self.copies.get();
        thread::yield_now();
        self.copies.set(copies + 1);
        Self { copies: Cell::new(copies + 1) }
    }
}

#[test]
fn every_copy_has_a_number_of_its_own() {
    let (sender, receiver) = broadcast::channel(1);
    let receivers = [receiver, sender.subscribe(), sender.subscribe()];
    sender.send(Message::default()).unwrap();
    // The last receiver gets the message itself.
    let [first, second, _last] = receivers;
    let copies = [first, second].map(|mut receiver| {
        thread::spawn(move || receiver.try_recv().unwrap().copies.get())
    });
    let [first, second] = copies.map(|copy| copy.join().unwrap());
    assert_ne!(first, second);
}
