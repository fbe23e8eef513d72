//! What a search of all schedules has left out: what its settings forbid although the test could have
//! met it, and what executions do beyond the limit of what is explored.
//!
//! May say too much: a wait that no execution could have left early counts as one that could.
//! May say too little: what comes from outside (files, other processes, random bytes) is the same in
//! every execution, or is as it comes, and is not accounted for.

use selvedge_engine::Outcome;
use selvedge_model::{Config, Effect, Fault, LeftOut, Link, Rate, WaitFor};
use std::collections::BTreeSet;

/// What was possible in this execution and is never tried.
pub(crate) fn left_out(config: &Config, outcome: &Outcome<'_>) -> BTreeSet<LeftOut> {
    let mut left_out = BTreeSet::new();
    if outcome.is_long() {
        left_out.insert(LeftOut::LongExecutions);
    }
    if outcome.cut_spins() {
        left_out.insert(LeftOut::LongSpins);
    }
    let mut forbidden = |rate: Rate, fault: Fault| {
        if rate == Rate::Off {
            left_out.insert(LeftOut::Faults { fault, most: 0 });
        }
    };
    for event in outcome.record().events {
        if matches!(event.effect, Effect::Timed) {
            forbidden(config.timeouts, Fault::Timeout);
        }
        let kind = event.operation.kind;
        if kind.link() == Link::AwaitsNotification || kind.wait() == WaitFor::Token {
            forbidden(config.spurious, Fault::Spurious);
        }
    }
    left_out
}
