//! A future that is not polled as its poller likes.

use real::fmt;
use real::future::Future;
use real::pin::Pin;
use real::task::{Context, Poll};
use selvedge_engine::PollOf;
use selvedge_model::Site;

/// See [`unruly`].
#[must_use = "futures do nothing unless polled"]
pub struct Unruly<F> {
    future: Pin<Box<F>>,
    site: Site,
}

/// Polls the future as a correct one must be able to bear: now and then once more although nobody
/// woke it, and now and then with another waker first, as if it had been moved from one poller to
/// another.
///
/// Each of these is a decision of the strategy (setting `polls`). A future that takes a poll for a
/// sign that it is ready fails at the first; one that goes on waking the first waker that it was
/// given waits for ever at the second.
#[track_caller]
pub fn unruly<F: Future>(future: F) -> Unruly<F> {
    Unruly { future: Box::pin(future), site: Site::caller() }
}

impl<F: Future> Future for Unruly<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { future, site } = &mut *self;
        super::poll(PollOf::Wrapper, *site, context, |context| future.as_mut().poll(context))
    }
}

impl<F: fmt::Debug> fmt::Debug for Unruly<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unruly").field(&self.future).finish()
    }
}
