//! What the settings are before anybody sets one: those of a plain test run.

use selvedge_model::{Config, LeakedThreads};

/// The settings for tests that were not written for Selvedge.
///
/// What passes without control must not fail with it for a reason that is none: such a test may
/// leave threads behind, and may take as many steps as it likes.
pub(crate) fn defaults() -> Config {
    Config { leaked_threads: LeakedThreads::Allow, livelock_steps: None, ..Config::default() }
}
