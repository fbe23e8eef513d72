//! A thread ran out of stack.

use super::last_operation;
use crate::account::{Account, End, Place};
use crate::relevant::late_objects;
use crate::words::bytes;
use selvedge_model::{Finding, Source, ThreadReport};

pub(super) fn account<'a>(
    finding: &Finding,
    thread: &'a ThreadReport,
    stack_size: usize,
    after: Option<&'a Source>,
) -> Account<'a> {
    let end = End {
        thread: &thread.path,
        text: "stack overflow".to_owned(),
        at: None,
        place: Place::Bottom,
    };
    Account {
        kind: "stack overflow",
        title: format!("thread {thread} has used up its stack of {}", bytes(stack_size)),
        blocks: vec![last_operation(thread, after)],
        notes: vec!["if the recursion is meant to be that deep, raise stack_size".to_owned()],
        ends: vec![end],
        about: late_objects(finding, &thread.path),
        ..Account::default()
    }
}
