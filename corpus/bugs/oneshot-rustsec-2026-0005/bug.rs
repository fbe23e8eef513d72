//! oneshot 0.1.10: changelog of 0.1.11, "Handle the UNPARKING state correctly in all recv methods" and in `Drop`
//!
//! The receiver has been polled, so the sender has to wake it. If it is dropped while the sender does that, its
//! destructor meets a state that it does not expect.

use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::task::{Context, Waker};
use std::thread;

/// Asks once for the message and gives up if it is not there yet.
fn ask_once(receiver: oneshot::Receiver<&'static str>) -> Option<&'static str> {
    let answer = pin!(receiver.into_future()).poll(&mut Context::from_waker(Waker::noop()));
    match answer {
        std::task::Poll::Ready(message) => Some(message.unwrap()),
        std::task::Poll::Pending => None,
    }
}

#[test]
fn a_receiver_may_give_up() {
    let (sender, receiver) = oneshot::channel();
    let service = thread::spawn(move || sender.send("late").is_ok());
    let answer = ask_once(receiver);
    assert!(service.join().unwrap() || answer.is_none());
}
