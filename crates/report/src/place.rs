//! Where a finding is best shown.

use selvedge_model::{Finding, FindingKind, Source};

/// The place in the user's own source that a finding is best shown at: where it shows, or the last
/// step of all.
pub fn place(finding: &Finding) -> Option<&Source> {
    let shown = match &finding.kind {
        FindingKind::Panic(panic) => panic.at.as_ref(),
        FindingKind::Deadlock { cycle } => cycle.first().map(|wait| &wait.at),
        FindingKind::DoubleLock { wait } => Some(&wait.at),
        FindingKind::Stuck { waits, .. } => waits.first().map(|wait| &wait.at),
        _ => None,
    };
    shown.or_else(|| finding.steps.last().map(|step| &step.at))
}
