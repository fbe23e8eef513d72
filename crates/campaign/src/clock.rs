//! The wall clock, which budgets and watchers need and executions must never see.

use std::time::Instant;

/// The time by the wall clock.
#[expect(clippy::disallowed_methods, reason = "a campaign's budget is real time")]
pub(crate) fn wall_clock() -> Instant {
    Instant::now()
}
