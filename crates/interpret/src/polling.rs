//! Futures that calls return.

use crate::context::{Patience, Stepper};
use selvedge_std::thread::{self, Thread};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to its end. Others may come in before it is first polled.
pub fn wait_for<F: Future>(future: F, stepper: Stepper) -> F::Output {
    stepper.step();
    selvedge_std::task::block_on(future)
}

/// Polls a future once and drops it: cancellation. Others may come in before and after the poll.
pub fn poll_once<F: Future>(future: F, stepper: Stepper) -> Option<F::Output> {
    stepper.step();
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    let mut polled = future.as_mut().poll(&mut Context::from_waker(&waker));
    stepper.step();
    while stepper.patience == Patience::UntilReady && polled.is_pending() {
        thread::park();
        polled = future.as_mut().poll(&mut Context::from_waker(&waker));
    }
    match polled {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
