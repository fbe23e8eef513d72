//! Polls as the strategy decides.

use real::task::{Context, Poll, Waker};
use selvedge_engine::{Controlled, PollFate, PollOf};
use selvedge_model::Site;

/// Polls once, and once more for each time that the strategy disturbs a poll which leaves the future
/// pending. Each poll is an event at the given place.
///
/// The last poll is always an undisturbed one with the caller's waker. That is the only one that a
/// correct future has to wake, so it does not matter that the others wake nobody.
pub(crate) fn poll<T>(
    of: PollOf,
    site: Site,
    context: &mut Context<'_>,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> Poll<T> {
    loop {
        let fate = match Controlled::current() {
            Some(controlled) => controlled.poll(of, site),
            None => PollFate::Undisturbed,
        };
        let polled = match fate {
            PollFate::Undisturbed => return poll(context),
            PollFate::Again => poll(context),
            PollFate::OtherWaker => poll(&mut Context::from_waker(Waker::noop())),
        };
        if polled.is_ready() {
            return polled;
        }
    }
}
