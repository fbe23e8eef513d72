//! Memory was freed a second time.

use super::memory_blocks::{self, end, event_of, who};
use crate::account::Account;
use crate::relevant::late_objects;
use selvedge_model::{Finding, MemoryBlock, MemoryEvent};

pub(super) fn account<'a>(
    finding: &Finding,
    block: &'a MemoryBlock,
    again: &'a MemoryEvent,
) -> Account<'a> {
    let same = block.freed.as_ref().is_some_and(|freed| freed.thread == again.thread);
    let first = match &block.freed {
        Some(_) if same => "it".to_owned(),
        Some(freed) => who(freed),
        None => "somebody".to_owned(),
    };
    let mut blocks = memory_blocks::of(block);
    blocks.push(event_of("freed again", again));
    Account {
        kind: "double free",
        title: format!("{} frees memory that {first} has freed before", who(again)),
        blocks,
        ends: end("free, again", again).into_iter().collect(),
        about: match &again.thread {
            Some(thread) => late_objects(finding, &thread.path),
            None => Default::default(),
        },
        ..Account::default()
    }
}
