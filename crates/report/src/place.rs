//! Where a finding is best shown.

use selvedge_model::{Finding, FindingKind, Source};

/// The place in the user's own source that a finding is best shown at: where it shows, or the last
/// step of all.
pub fn place(finding: &Finding) -> Option<&Source> {
    let shown = match &finding.kind {
        FindingKind::Panic(panic) => {
            let position = finding.panics.iter().position(|other| other == panic);
            let stack = position.and_then(|position| finding.stacks.of_panic(position));
            panic.at.as_ref().map(|at| stack.map_or(at, |stack| stack.shown(at)))
        }
        FindingKind::Deadlock { cycle } => cycle.first().map(|wait| finding.waits_at(wait)),
        FindingKind::DoubleLock { wait } => Some(finding.waits_at(wait)),
        FindingKind::Stuck { waits, .. } => waits.first().map(|wait| finding.waits_at(wait)),
        _ => None,
    };
    let last = || finding.steps.len().checked_sub(1).map(|last| finding.shown_at(last));
    shown.or_else(last)
}
