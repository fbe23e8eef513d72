//! From an execution that went wrong to a finding: seen again, and made short.

use crate::replay::{self, Replayer, Run, replay};
use crate::{Test, shrink};
use selvedge_engine::{Outcome, Watch};
use selvedge_model::{Config, Event, Finding, FindingKind, Replayed, Toggle};
use std::sync::Arc;

/// Everything that the execution says about what went wrong.
pub(crate) fn describe(outcome: &Outcome<'_>, kind: FindingKind) -> Finding {
    let recorded = outcome.record().events.len() as u64;
    let steps = outcome.steps();
    Finding {
        kind,
        schedule: outcome.schedule(),
        before: recorded - steps.len() as u64,
        steps,
        unrecorded: outcome.length() - recorded,
        threads: outcome.threads(),
        panics: outcome.panics(),
        output: outcome.output(),
        execution: 0,
        strategy: String::new(),
        replayed: Replayed::Yes,
        stacks: outcome.stacks(),
    }
}

/// Whether the same threads did the same to the same objects, in the same order. The values may
/// differ: an atomic may hold an address, or a seed that is counted up from one execution to the
/// next.
fn same_way(a: &[Event], b: &[Event]) -> bool {
    let what = |event: &Event| (event.thread, event.operation);
    a.iter().map(what).eq(b.iter().map(what))
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
    let mut replayer = Replayer::new(config, watch);
    let same =
        |run: &replay::Replayed| run.kind.as_ref().is_some_and(|k| k.same_problem(&seen.kind));
    let mut again = replay(&mut replayer, &seen.schedule, test);
    if same(&again) && !same_way(&again.events, outcome.record().events) {
        // The first execution of a process fills statics that all others find filled. What tells is
        // whether two of those agree.
        let once_more = replay(&mut replayer, &seen.schedule, test);
        if !same_way(&once_more.events, &again.events) {
            return Finding { replayed: Replayed::No, ..seen };
        }
        again = once_more;
    }
    if !same(&again) {
        return Finding { replayed: Replayed::No, ..seen };
    }
    if let FindingKind::Stalled { .. } = seen.kind {
        // To see it once more is to wait for as long again.
        return seen;
    }
    let short = match config.shrink {
        Toggle::Off => seen.schedule.clone(),
        Toggle::On => shrink::shrink(&mut replayer, test, &seen, again),
    };
    let Run { outcome, kind, .. } = replayer.run_closely(&short, test);
    match kind.filter(|kind| kind.without_callers().same_problem(&seen.kind)) {
        // Only the first call of `exit` in a process shows its code.
        Some(FindingKind::Exit { code: None, .. }) => describe(&outcome, seen.kind),
        Some(kind) => describe(&outcome, kind),
        None => Finding { replayed: Replayed::No, ..seen },
    }
}
