//! The finding in words.

use selvedge_model::{Finding, FindingKind};

/// One line: what the test's panic says.
pub(crate) fn headline(finding: &Finding) -> String {
    let what = match &finding.kind {
        FindingKind::Panic(panic) => format!("panic: {}", panic.message),
        kind => kind.name().to_owned(),
    };
    format!("selvedge found a {what} (execution {}, {})", finding.execution, finding.strategy)
}

/// The whole story.
pub(crate) fn explanation(finding: &Finding) -> String {
    format!("{finding:#?}")
}
