//! oneshot 0.1.11 to 0.2.1: <https://github.com/faern/oneshot/issues/87>
//!
//! The receiver has been polled, so the sender has to wake it. If it is dropped while the sender does that, it marks the channel
//! as disconnected and waits until the sender has marked it as well; but it takes its own mark for the sender's and frees the
//! channel, which the sender goes on to use.

use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;

/// Asks once for the message and gives up if it is not there yet.
fn ask_once(receiver: oneshot::Receiver<&'static str>) -> Option<&'static str> {
    match pin!(receiver.into_future()).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(message) => Some(message.unwrap()),
        Poll::Pending => None,
    }
}

#[test]
fn a_receiver_may_give_up() {
    let (sender, receiver) = oneshot::channel();
    let service = thread::spawn(move || sender.send("late").is_ok());
    let answer = ask_once(receiver);
    assert!(service.join().unwrap() || answer.is_none());
}
