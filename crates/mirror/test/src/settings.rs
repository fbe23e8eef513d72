//! What the settings are before anybody sets one: those of a plain test run.

use selvedge_model::{Config, EXECUTIONS, Isolation, LeakedThreads, RandomBytes, Rate, SATURATION};
use std::time::Duration;

/// So late may threads be in all that wait for a time. A loaded machine is late by more every now and then, and tests
/// that rely on time leave room for that.
const DELAYS: Duration = Duration::from_millis(20);

/// The settings for tests that were not written for Selvedge.
///
/// What passes without control must not fail with it for a reason that is none: such a test may
/// leave threads behind, may take as many steps as it likes, and may rely on others to be done
/// within a second. Each of its executions has memory and statics of its own.
pub(crate) fn defaults() -> Config {
    Config {
        delays: DELAYS,
        executions: EXECUTIONS,
        isolation: Isolation::On,
        leaked_threads: LeakedThreads::Allow,
        livelock_steps: None,
        // A `yield_now` that is polled twice in a row does not yield, and many a test relies on it.
        polls: Rate::Off,
        // As without control, where they differ from run to run.
        random_bytes: RandomBytes::Vary,
        saturation: Some(SATURATION),
        slack: None,
        weak_cas: weak_cas(),
        ..Config::default()
    }
}

/// A weak compare-exchange fails for no reason only where the processor has it so: a test that
/// relies on the one that it was written on is not wrong there.
fn weak_cas() -> Rate {
    match cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
        true => Rate::Off,
        false => Config::default().weak_cas,
    }
}
