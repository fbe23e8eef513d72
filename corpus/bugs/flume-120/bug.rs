//! flume 0.10.14: <https://github.com/zesterer/flume/issues/120>
//!
//! A receiver that is polled for the second time looks for a message, and then whether all senders are gone. If the only sender
//! sends and leaves in between, the receiver reports that the channel is disconnected, and the message is lost.

use futures::executor::block_on;
use futures::future::join;
use std::thread;

#[test]
fn what_was_sent_before_the_sender_left_arrives() {
    let (number_sender, numbers) = flume::unbounded();
    let (word_sender, words) = flume::unbounded();
    let senders = [
        thread::spawn(move || number_sender.send(1).unwrap()),
        thread::spawn(move || word_sender.send("one").unwrap()),
    ];
    let both = block_on(join(numbers.recv_async(), words.recv_async()));
    assert_eq!(both, (Ok(1), Ok("one")));
    for sender in senders {
        sender.join().unwrap();
    }
}
