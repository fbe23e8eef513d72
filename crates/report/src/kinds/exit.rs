//! The test ended the process by itself.

use super::last_operation;
use crate::account::{Account, End, Place};
use crate::relevant::late_objects;
use selvedge_model::{Finding, Source, ThreadReport};

pub(super) fn account<'a>(
    finding: &Finding,
    thread: &'a ThreadReport,
    code: Option<i32>,
    after: Option<&'a Source>,
) -> Account<'a> {
    let call = match code {
        Some(code) => format!("exit({code})"),
        None => "exit".to_owned(),
    };
    let title = format!("thread {thread} called std::process::{call}");
    let end = End { thread: &thread.path, text: call, at: None, place: Place::Bottom };
    Account {
        kind: "exit",
        title,
        blocks: vec![last_operation(thread, after)],
        ends: vec![end],
        about: late_objects(finding, &thread.path),
        ..Account::default()
    }
}
