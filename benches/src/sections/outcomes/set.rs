//! Sets of outcomes: collected, compared and written.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a program said, over all executions.
pub(super) type Outcomes = BTreeSet<String>;

/// Collects outcomes. The programs run under engines that must not notice, so it is made of the
/// real std.
#[derive(Clone, Default)]
pub(super) struct Collector(Arc<Mutex<Outcomes>>);

impl Collector {
    /// The program as a test that puts its outcome here.
    pub(super) fn test(&self, program: fn() -> String) -> impl Fn() + Send + Sync + 'static {
        let collector = self.clone();
        move || {
            let outcome = program();
            collector.lock().insert(outcome);
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Outcomes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The outcomes that are written in one text.
pub(super) fn set(words: &str) -> Outcomes {
    words.split(' ').map(str::to_owned).collect()
}

/// More outcomes than this are counted, not listed.
const MOST_LISTED: usize = 6;

pub(super) fn listed(outcomes: &Outcomes) -> String {
    if outcomes.len() > MOST_LISTED {
        return format!("{} outcomes", outcomes.len());
    }
    outcomes.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// What was seen, and what of it should not have been or is missing.
pub(super) fn compared(seen: &Outcomes, expected: &Outcomes) -> String {
    let part = |name: &str, outcomes: Outcomes| match outcomes.is_empty() {
        true => String::new(),
        false => format!("; {name}: {}", listed(&outcomes)),
    };
    let missing = part("missing", expected.difference(seen).cloned().collect());
    let forbidden = part("not expected", seen.difference(expected).cloned().collect());
    let seen = if seen.is_empty() { "nothing".to_owned() } else { listed(seen) };
    format!("{seen}{missing}{forbidden}")
}
