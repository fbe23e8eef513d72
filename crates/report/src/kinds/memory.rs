//! The test allocated more memory than it may.

use super::memory_blocks::{end, event_of, who};
use crate::account::Account;
use crate::relevant::late_objects;
use crate::words::bytes as in_words;
use selvedge_model::{Finding, MemoryEvent};

pub(super) fn account<'a>(
    finding: &Finding,
    bytes: u64,
    limit: u64,
    last: &'a MemoryEvent,
) -> Account<'a> {
    let words = |bytes| in_words(usize::try_from(bytes).unwrap_or(usize::MAX));
    Account {
        kind: "memory",
        title: format!("{} has allocated more than {}", who(last), words(limit)),
        blocks: vec![event_of(&format!("{} in use, the last", words(bytes)), last)],
        notes: vec!["if the test is meant to need that much at a time, raise memory".to_owned()],
        ends: end("out of memory", last).into_iter().collect(),
        about: match &last.thread {
            Some(thread) => late_objects(finding, &thread.path),
            None => Default::default(),
        },
        ..Account::default()
    }
}
