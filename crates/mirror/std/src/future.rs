//! Mirror of `std::future`: everything is the real thing, except for `poll_fn`, whose function is
//! called as [`unruly`](crate::task::unruly) polls a future.
//!
//! That is where code which was not written for this can be reached: the trait, the context and the
//! wakers are known to the compiler and can not be replaced.

pub use real::future::*;

use crate::task;
use real::fmt;
use real::pin::Pin;
use real::task::{Context, Poll};
use selvedge_engine::PollOf;
use selvedge_model::Site;

/// A future that calls a function; see [`std::future::PollFn`].
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct PollFn<F> {
    f: F,
}

impl<F: Unpin> Unpin for PollFn<F> {}

/// Makes a future of a function; see [`std::future::poll_fn`].
pub fn poll_fn<T, F>(f: F) -> PollFn<F>
where
    F: FnMut(&mut Context<'_>) -> Poll<T>,
{
    PollFn { f }
}

impl<T, F> Future for PollFn<F>
where
    F: FnMut(&mut Context<'_>) -> Poll<T>,
{
    type Output = T;

    // The place of a poll is that of its `.await`. Kept in the future, that of `poll_fn` would change
    // the future's size, which some tests look at.
    #[track_caller]
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        // SAFETY: `f` is only called by reference, never moved out of its place, so it stays pinned as
        // long as the future is.
        let Self { f } = unsafe { self.get_unchecked_mut() };
        task::poll(PollOf::Code, Site::caller(), context, f)
    }
}

impl<F> fmt::Debug for PollFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PollFn").finish()
    }
}
