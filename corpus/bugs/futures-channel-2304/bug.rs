//! futures-channel 0.3.12: <https://github.com/rust-lang/futures-rs/issues/2304>
//!
//! A sender counts its message before it puts it into the queue. If the receiver is dropped in between, it finds a
//! message announced but none there, and leaves; the message stays in the queue for as long as there is a sender.

use futures_channel::mpsc;
use std::sync::Arc;
use std::thread;

#[test]
fn a_closed_channel_keeps_no_messages() {
    let (sender, receiver) = mpsc::unbounded();
    let message = Arc::new("big");
    let copy = Arc::clone(&message);
    let sending = thread::spawn(move || {
        let _ = sender.unbounded_send(copy);
        sender
    });
    drop(receiver);
    let _sender = sending.join().unwrap();
    assert_eq!(Arc::strong_count(&message), 1);
}
