//! How the executions of a test are kept apart: chosen by what is known of the test.
//!
//! To put statics back after each execution is by far faster than a process for each. It is not
//! enough if the program's allocator keeps its state in statics, or if the test changes the static
//! data of libraries. Then each execution gets a process of its own.

use crate::Test;
use selvedge_engine::{Engine, Settings, Watch, allocator_leaves_trace};
use selvedge_model::{Config, Forked, Isolation, Schedule};
use selvedge_strategy::Replay;
use std::sync::Arc;

/// What was chosen.
pub(crate) struct Chosen {
    /// The settings, with what was chosen.
    pub(crate) config: Config,
    /// Why each execution runs in a process of its own, if it does.
    pub(crate) forked: Option<Forked>,
}

/// Chooses for a test.
pub(crate) fn choose(config: &Config, test: Test<'_>, watch: &Arc<Watch>) -> Chosen {
    let mut config = config.clone();
    let forked = match config.isolation {
        Isolation::Off => None,
        Isolation::Fork => Some(Forked::Asked),
        Isolation::On => {
            config.isolation = Isolation::Fork;
            let why = reason(&config, test, watch);
            if why.is_none() {
                config.isolation = Isolation::On;
            }
            why
        }
    };
    Chosen { config, forked }
}

/// Why it is not enough to put statics back, if it is not.
fn reason(forking: &Config, test: Test<'_>, watch: &Arc<Watch>) -> Option<Forked> {
    if allocator_leaves_trace() {
        return Some(Forked::Allocator);
    }
    let mut undisturbed = Replay::new(Schedule::default());
    let mut engine = Engine::new(Settings::new(forking), Arc::clone(watch));
    engine.leaves_trace_in_libraries(test, &mut undisturbed).then_some(Forked::Libraries)
}
