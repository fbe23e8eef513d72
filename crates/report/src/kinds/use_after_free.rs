//! Memory was used after it had been freed.

use super::{last_operation, memory_blocks};
use crate::account::{Account, Block, End, Fact, Place};
use crate::relevant::late_objects;
use selvedge_model::{AccessKind, Finding, MemoryBlock, MemoryUse};

pub(super) fn account<'a>(
    finding: &Finding,
    used: &'a MemoryUse,
    block: Option<&'a MemoryBlock>,
) -> Account<'a> {
    let mut blocks = block.map(memory_blocks::of).unwrap_or_default();
    let freed = block.and_then(|block| block.freed.as_ref()).map(memory_blocks::who);
    let freed = freed.map_or_else(String::new, |who| format!(" that {who} has freed"));
    match used {
        MemoryUse::Operation { thread, kind, at } => {
            let operation = kind.map_or("operation", |kind| kind.name());
            let text = format!("{operation} in freed memory");
            let fact = Fact { text: text.clone(), at: Some(at) };
            let subject = format!("thread {thread}");
            blocks.insert(0, Block { subject, facts: vec![fact], ..Block::default() });
            let end = End { thread: &thread.path, text, at: Some(at), place: Place::Bottom };
            Account {
                kind: "use after free",
                title: format!("thread {thread} uses memory{freed}"),
                blocks,
                ends: vec![end],
                about: late_objects(finding, &thread.path),
                ..Account::default()
            }
        }
        MemoryUse::Access { event, kind } => {
            let verb = match kind {
                AccessKind::Read => "reads",
                AccessKind::Write => "writes",
            };
            blocks.insert(0, memory_blocks::event_of(verb, event));
            Account {
                kind: "use after free",
                title: format!("{} {verb} memory{freed}", memory_blocks::who(event)),
                blocks,
                ends: memory_blocks::end(verb, event).into_iter().collect(),
                about: match &event.thread {
                    Some(thread) => late_objects(finding, &thread.path),
                    None => Default::default(),
                },
                ..Account::default()
            }
        }
        MemoryUse::Stack { event, kind, owner } => {
            let verb = match kind {
                AccessKind::Read => "reads",
                AccessKind::Write => "writes to",
            };
            blocks.insert(0, memory_blocks::event_of(&format!("{verb} the stack"), event));
            let who = memory_blocks::who(event);
            let mut about = late_objects(finding, &owner.path);
            if let Some(thread) = &event.thread {
                about.extend(late_objects(finding, &thread.path));
            }
            Account {
                kind: "use after free",
                title: format!("{who} {verb} the stack of thread {owner}, which has ended"),
                blocks,
                ends: memory_blocks::end(verb, event).into_iter().collect(),
                about,
                ..Account::default()
            }
        }
        MemoryUse::Write => {
            let about = block.and_then(|block| block.freed.as_ref()?.thread.as_ref());
            Account {
                kind: "use after free",
                title: format!("somebody has written to memory{freed}"),
                blocks,
                notes: vec![
                    "the write was noticed later: who it was and where is not known".to_owned(),
                ],
                about: about.map(|thread| late_objects(finding, &thread.path)).unwrap_or_default(),
                ..Account::default()
            }
        }
        MemoryUse::Pointer { thread, signal, after } => {
            blocks.insert(0, last_operation(thread, after.as_ref()));
            let text = (*signal).to_owned();
            Account {
                kind: "use after free",
                title: format!("thread {thread} followed a pointer out of freed memory"),
                blocks,
                notes: vec![format!(
                    "the address that was accessed ({signal}) is what freed memory is filled with"
                )],
                ends: vec![End { thread: &thread.path, text, at: None, place: Place::Bottom }],
                about: late_objects(finding, &thread.path),
                ..Account::default()
            }
        }
    }
}
