//! The test ended the process by itself.

use super::last_operation;
use crate::account::{Account, End, Place};
use crate::relevant::late_objects;
use selvedge_model::{Finding, Source, ThreadReport};

pub(super) fn account<'a>(
    finding: &Finding,
    thread: &'a ThreadReport,
    code: i32,
    after: Option<&'a Source>,
) -> Account<'a> {
    let end =
        End { thread: &thread.path, text: format!("exit({code})"), at: None, place: Place::Bottom };
    Account {
        kind: "exit",
        title: format!("thread {thread} called std::process::exit({code})"),
        blocks: vec![last_operation(thread, after)],
        ends: vec![end],
        about: late_objects(finding, &thread.path),
        ..Account::default()
    }
}
