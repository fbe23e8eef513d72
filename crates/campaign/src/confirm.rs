//! From an execution that went wrong to a finding: seen again, and made short.

use crate::replay::{self, replay, run_along};
use crate::{Test, shrink};
use selvedge_engine::{Outcome, Watch};
use selvedge_model::{Config, Finding, FindingKind, Replayed, Toggle};
use std::sync::Arc;

/// Everything that the execution says about what went wrong.
pub(crate) fn describe(outcome: &Outcome<'_>, kind: FindingKind) -> Finding {
    Finding {
        kind,
        schedule: outcome.schedule(),
        steps: outcome.steps(),
        unrecorded: outcome.length() - outcome.record().events.len() as u64,
        threads: outcome.threads(),
        panics: outcome.panics(),
        output: outcome.output(),
        execution: 0,
        strategy: String::new(),
        replayed: Replayed::Yes,
    }
}

/// Runs the schedule of a failed execution again and, if that fails in the same way, looks for a
/// shorter one.
pub(crate) fn confirm(
    config: &Config,
    test: Test<'_>,
    outcome: &Outcome<'_>,
    kind: FindingKind,
    watch: &Arc<Watch>,
) -> Finding {
    let seen = describe(outcome, kind);
    let mut engine = replay::engine(config, watch);
    let again = replay(&mut engine, &seen.schedule, test);
    let same = again.kind.as_ref().is_some_and(|kind| kind.same_problem(&seen.kind));
    if !same || again.events != outcome.record().events {
        return Finding { replayed: Replayed::No, ..seen };
    }
    if config.shrink == Toggle::Off {
        return seen;
    }
    let short = shrink::shrink(&mut engine, test, &seen, again);
    let (outcome, _) = run_along(&mut engine, &short, test);
    match outcome.finding().filter(|kind| kind.same_problem(&seen.kind)) {
        // Only the first call of `exit` in a process shows its code.
        Some(FindingKind::Exit { code: None, .. }) => describe(&outcome, seen.kind),
        Some(kind) => describe(&outcome, kind),
        None => Finding { replayed: Replayed::No, ..seen },
    }
}
