//! crossbeam-channel 0.5.1 to 0.5.7: <https://github.com/crossbeam-rs/crossbeam/issues/971>
//!
//! The first two sends of an unbounded channel race. The one that came first has put its block at the tail and not
//! yet at the head when the other one uses it. If the receiver is dropped at that moment, it finds messages to drop
//! and follows the head, which is still null.

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
