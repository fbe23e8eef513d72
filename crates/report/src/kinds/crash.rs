//! The process would have died of a signal.

use super::last_operation;
use crate::account::{Account, End, Place};
use crate::relevant::late_objects;
use selvedge_model::{Finding, Source, ThreadReport};

pub(super) fn account<'a>(
    finding: &Finding,
    thread: &'a ThreadReport,
    signal: &str,
    cause: &str,
    after: Option<&'a Source>,
) -> Account<'a> {
    let end = End { thread: &thread.path, text: signal.to_owned(), at: None, place: Place::Bottom };
    Account {
        kind: "crash",
        title: format!("{signal} in thread {thread}: {cause}"),
        blocks: vec![last_operation(thread, after)],
        ends: vec![end],
        about: late_objects(finding, &thread.path),
        ..Account::default()
    }
}
