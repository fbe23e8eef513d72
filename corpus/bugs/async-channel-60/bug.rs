//! async-channel 1.8.0: <https://github.com/smol-rs/async-channel/issues/60>
//!
//! `WeakSender::upgrade` counts itself in and out again if it was too late. Another upgrade that looks in between
//! takes the channel for one with a sender. Then the count is set to zero although there is a sender now, and when
//! that one is dropped, the count goes below zero and wraps.

use async_channel::unbounded;
use std::thread;

#[test]
fn all_senders_are_gone_in_the_end() {
    let (sender, receiver) = unbounded::<u32>();
    let weak = [sender.downgrade(), sender.downgrade()];
    let users = weak.map(|weak| thread::spawn(move || drop(weak.upgrade())));
    drop(sender);
    for user in users {
        user.join().unwrap();
    }
    assert_eq!(receiver.sender_count(), 0);
}
