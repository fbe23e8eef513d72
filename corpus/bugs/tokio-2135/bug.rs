//! tokio 0.2.10: <https://github.com/tokio-rs/tokio/pull/2135>
//!
//! A sender of the broadcast channel waits on a condition variable until the slot that it wants to overwrite has no reader any
//! more. The reader notifies it without the lock, so the notification can come between the sender's look and its wait.

use futures::executor::block_on;
use std::thread;
use tokio::sync::broadcast::{self, RecvError};

#[test]
fn a_slow_receiver_learns_how_much_it_has_missed() {
    let (sender, mut receiver) = broadcast::channel(1);
    let sending = thread::spawn(move || (1..=3).for_each(|n| assert!(sender.send(n).is_ok())));
    let mut total = 0;
    loop {
        match block_on(receiver.recv()) {
            Ok(_) => total += 1,
            Err(RecvError::Lagged(missed)) => total += missed,
            Err(RecvError::Closed) => break,
        }
    }
    sending.join().unwrap();
    assert_eq!(total, 3);
}
