//! tokio 1.0 to 1.13.0: <https://rustsec.org/advisories/RUSTSEC-2021-0124.html>
//!
//! A sender marks the value as sent also if the receiver has closed the channel, and then takes it back. A receiver that tries
//! in between takes it, too.

use std::thread;
use tokio::sync::oneshot;

#[test]
fn a_value_goes_to_the_receiver_or_back_to_the_sender() {
    let (sender, mut receiver) = oneshot::channel();
    let sending = thread::spawn(move || sender.send("value").is_ok());
    receiver.close();
    let received = receiver.try_recv().is_ok();
    let sent = sending.join().unwrap();
    assert!(sent || !received);
}
