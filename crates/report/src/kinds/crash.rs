//! The process would have died of a signal.

use super::{last_operation, panic};
use crate::account::{Account, Block, End, Place};
use crate::relevant::late_objects;
use selvedge_model::{CodeAddress, Finding, Source, ThreadReport};

pub(super) fn account<'a>(
    finding: &'a Finding,
    thread: &'a ThreadReport,
    (signal, cause): (&str, &str),
    after: Option<&'a Source>,
    frames: &'a [CodeAddress],
) -> Account<'a> {
    let end = End { thread: &thread.path, text: signal.to_owned(), at: None, place: Place::Bottom };
    let mut blocks = vec![Block { calls: frames, ..last_operation(thread, after) }];
    // A panic that can not unwind ends in an abort.
    let panics = finding.panics.iter().filter(|panic| panic.thread.path == thread.path);
    blocks.extend(panics.map(|other| panic::with_message(other, "had panicked")));
    Account {
        kind: "crash",
        title: format!("{signal} in thread {thread}: {cause}"),
        blocks,
        ends: vec![end],
        about: late_objects(finding, &thread.path),
        ..Account::default()
    }
}
