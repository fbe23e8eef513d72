//! The time that budgets are made of.

use std::time::Instant;

/// Now.
#[expect(
    clippy::disallowed_methods,
    reason = "a harness has a budget of real time; no execution sees it"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}
