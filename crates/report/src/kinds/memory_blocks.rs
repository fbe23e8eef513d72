//! Blocks of memory: who allocated and who freed them.

use crate::account::{Block, End, Fact, Place};
use selvedge_model::{MemoryBlock, MemoryEvent};

/// How a block was allocated and, if it was, how it was freed.
pub(super) fn of(block: &MemoryBlock) -> Vec<Block<'_>> {
    let freed = block.freed.as_ref().map(|event| event_of("freed", event));
    [allocation(block)].into_iter().chain(freed).collect()
}

/// How a block was allocated.
pub(super) fn allocation(block: &MemoryBlock) -> Block<'_> {
    event_of(&format!("{} allocated", crate::words::bytes(block.size)), &block.allocated)
}

/// Something that was done to memory.
pub(super) fn event_of<'a>(what: &str, event: &'a MemoryEvent) -> Block<'a> {
    let subject = match &event.thread {
        Some(thread) => format!("{what} by thread {thread}"),
        None => format!("{what} on behalf of a thread that ends"),
    };
    let facts = event.thread.iter().map(|_| Fact {
        text: match event.after {
            Some(_) => "last operation before".to_owned(),
            None => "had carried out no operation before".to_owned(),
        },
        at: event.after.as_ref(),
    });
    Block { subject, facts: facts.collect(), calls: &event.frames, ..Block::default() }
}

/// The thread as the subject of a sentence.
pub(super) fn who(event: &MemoryEvent) -> String {
    match &event.thread {
        Some(thread) => format!("thread {thread}"),
        None => "a thread that ends".to_owned(),
    }
}

/// The last row of the thread that did something wrong.
pub(super) fn end<'a>(text: &str, event: &'a MemoryEvent) -> Option<End<'a>> {
    let thread = &event.thread.as_ref()?.path;
    Some(End { thread, text: text.to_owned(), at: None, place: Place::Bottom })
}
