//! crossbeam-channel 0.5.12 to 0.5.14: <https://rustsec.org/advisories/RUSTSEC-2025-0024.html>
//!
//! The receiver is dropped while the first two sends race, as in `crossbeam-channel-971`. It waits until the first block is at
//! the head, frees it and leaves it there, so that it is freed again with the channel.

use crossbeam_channel::unbounded;
use std::thread;

#[test]
fn messages_that_nobody_wants_are_dropped() {
    let (sender, receiver) = unbounded();
    let other = sender.clone();
    let first = thread::spawn(move || other.send("first").is_ok());
    assert!(sender.send("second").is_ok());
    drop(receiver);
    first.join().unwrap();
}
