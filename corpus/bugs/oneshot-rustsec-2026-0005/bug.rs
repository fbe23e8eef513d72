//! oneshot up to 0.1.11: <https://rustsec.org/advisories/RUSTSEC-2026-0005.html>
//!
//! A receiver that has been polled and is dropped marks the channel as disconnected and drops its waker, which lies in the channel,
//! after that. A sender that sees the mark frees the channel in between.

use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::task::{Context, Waker};
use std::thread;

#[test]
fn a_service_ends_when_nobody_waits_for_it() {
    let (sender, receiver) = oneshot::channel::<u32>();
    let service = thread::spawn(move || {
        while !sender.is_closed() {
            thread::yield_now();
        }
    });
    {
        let mut answer = pin!(receiver.into_future());
        assert!(answer.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    service.join().unwrap();
}
