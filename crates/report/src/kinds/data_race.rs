//! Two threads accessed the same memory and nothing orders the one before the other.

use super::memory_blocks;
use crate::account::{Account, Block, Fact};
use crate::relevant::late_objects;
use selvedge_model::{AccessKind, AccessMode, Finding, MemoryBlock, RacingAccess};

pub(super) fn account<'a>(
    finding: &Finding,
    [first, second]: [&'a RacingAccess; 2],
    size: usize,
    block: Option<&'a MemoryBlock>,
) -> Account<'a> {
    let mut blocks = vec![access(first), access(second)];
    blocks.extend(block.map(memory_blocks::allocation));
    let mut notes = vec![
        "nothing orders these two accesses, whichever comes first: with a data race the behaviour \
         of the program is undefined"
            .to_owned(),
    ];
    if [first.mode, second.mode].contains(&AccessMode::Volatile) {
        notes.push(
            "one of them is volatile: if this is a sequence lock that looks at the value only when \
             nobody has written, allow it with allow-races in selvedge.toml"
                .to_owned(),
        );
    }
    let mut about = late_objects(finding, &first.thread.path);
    about.extend(late_objects(finding, &second.thread.path));
    Account {
        kind: "data race",
        title: match is_end(second) {
            true => format!(
                "thread {} {} the stack of thread {}, which ends, in no order",
                first.thread,
                verb(first),
                second.thread,
            ),
            false => format!(
                "thread {} {} {} that thread {} {}, in no order",
                second.thread,
                verb(second),
                crate::words::bytes(size),
                first.thread,
                verb(first),
            ),
        },
        blocks,
        notes,
        about,
        ..Account::default()
    }
}

fn access(side: &RacingAccess) -> Block<'_> {
    let how = match side.mode {
        AccessMode::Plain => "",
        AccessMode::Atomic => ", atomically",
        AccessMode::Volatile => ", volatile",
        AccessMode::Freeing if is_end(side) => ", and its stack is gone",
        AccessMode::Freeing => "",
    };
    let fact = Fact { text: format!("{}{how}", verb(side)), at: side.at.as_ref() };
    Block { subject: format!("thread {}", side.thread), facts: vec![fact], calls: &side.frames }
}

/// Whether memory ends because its thread does, for which no code stands anywhere.
fn is_end(side: &RacingAccess) -> bool {
    side.mode == AccessMode::Freeing && side.frames.is_empty()
}

fn verb(side: &RacingAccess) -> &'static str {
    match (side.mode, side.kind) {
        (AccessMode::Freeing, _) if is_end(side) => "ends",
        (AccessMode::Freeing, _) => "frees",
        (_, AccessKind::Read) => "reads",
        (_, AccessKind::Write) => "writes",
    }
}
