//! oneshot 0.1.10: <https://github.com/faern/oneshot/pull/60>
//!
//! The receiver has been polled, so the sender has to wake it. If it is dropped while the sender does that, its
//! destructor meets a state that it does not expect, and panics. Version 0.1.11 expects that state and frees the channel too
//! early instead: that is `oneshot-87`, which this test shows there.

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
