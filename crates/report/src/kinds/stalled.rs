//! A thread blocked in something that is not under control.

use super::last_operation;
use crate::account::{Account, End, Place};
use crate::relevant::late_objects;
use selvedge_model::{Finding, Source, ThreadReport};

pub(super) fn account<'a>(
    finding: &Finding,
    thread: &'a ThreadReport,
    milliseconds: u64,
    after: Option<&'a Source>,
) -> Account<'a> {
    let time = match milliseconds % 1000 {
        0 => format!("{} s", milliseconds / 1000),
        _ => format!("{milliseconds} ms"),
    };
    let end = End {
        thread: &thread.path,
        text: "does not come back".to_owned(),
        at: None,
        place: Place::Bottom,
    };
    let notes = vec![
        "it waits for something that is not under control, such as a socket or a child process, and \
         nobody works on that; or it computes and comes to no end"
            .to_owned(),
        "if it only needs more time, raise stall".to_owned(),
    ];
    Account {
        kind: "stalled",
        title: format!("thread {thread} has not come back for {time}"),
        blocks: vec![last_operation(thread, after)],
        notes,
        ends: vec![end],
        about: late_objects(finding, &thread.path),
        ..Account::default()
    }
}
