//! A future that may be dropped at any time.

use real::fmt;
use real::future::Future;
use real::pin::Pin;
use real::task::{Context, Poll};
use selvedge_engine::{Controlled, DropFate};
use selvedge_model::Site;

/// See [`cancellable`].
#[must_use = "futures do nothing unless polled"]
pub struct Cancellable<F> {
    /// Nothing when it has ended, one way or the other.
    future: Option<Pin<Box<F>>>,
    site: Site,
}

/// Drops the future now and then before it is ready, as a timeout, a lost race in a `select!` or an
/// aborted task would, and says so with `None`.
///
/// That happens before a poll, when the future has been woken, or after it, when it is pending. Each
/// time it is a decision of the strategy (setting `polls`). Outside of a controlled execution the
/// future is never dropped early.
#[track_caller]
pub fn cancellable<F: Future>(future: F) -> Cancellable<F> {
    Cancellable { future: Some(Box::pin(future)), site: Site::caller() }
}

impl<F: Future> Future for Cancellable<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { future, site } = &mut *self;
        let running = future.as_mut().expect("a future is not polled any more when it has ended");
        if is_dropped(*site) {
            *future = None;
            return Poll::Ready(None);
        }
        match running.as_mut().poll(context) {
            Poll::Pending if !is_dropped(*site) => Poll::Pending,
            polled => {
                *future = None;
                Poll::Ready(match polled {
                    Poll::Ready(output) => Some(output),
                    Poll::Pending => None,
                })
            }
        }
    }
}

fn is_dropped(site: Site) -> bool {
    match Controlled::current() {
        Some(controlled) => controlled.poll_or_drop(site) == DropFate::Dropped,
        None => false,
    }
}

impl<F: fmt::Debug> fmt::Debug for Cancellable<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancellable").field(&self.future).finish()
    }
}
