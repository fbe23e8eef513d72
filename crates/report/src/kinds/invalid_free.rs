//! Something was freed that is no block of memory.

use super::memory_blocks::{self, end, event_of, who};
use crate::account::Account;
use crate::relevant::late_objects;
use crate::words::bytes;
use selvedge_model::{Finding, MemoryBlock, MemoryEvent};

pub(super) fn account<'a>(
    finding: &Finding,
    block: Option<&'a MemoryBlock>,
    free: &'a MemoryEvent,
) -> Account<'a> {
    let what = match block {
        Some(block) => format!("a pointer into the middle of {}", bytes(block.size)),
        None => "a pointer to what was never allocated".to_owned(),
    };
    let mut blocks = vec![event_of("freed", free)];
    blocks.extend(block.map(memory_blocks::of).unwrap_or_default());
    Account {
        kind: "invalid free",
        title: format!("{} frees {what}", who(free)),
        blocks,
        ends: end("free", free).into_iter().collect(),
        about: match &free.thread {
            Some(thread) => late_objects(finding, &thread.path),
            None => Default::default(),
        },
        ..Account::default()
    }
}
