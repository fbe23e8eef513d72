//! Two threads accessed the same memory and nothing orders the one before the other.

use super::memory_blocks;
use crate::account::{Account, Block, End, Fact, Place};
use crate::names::full;
use crate::relevant::late_objects;
use crate::words::list;
use selvedge_model::{
    AccessKind, AccessMode, Finding, MemoryBlock, OperationKind, RacingAccess, Step, TooWeak,
};

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
    let weak: Vec<_> = [first, second].into_iter().filter_map(|side| side.weak.as_ref()).collect();
    if !weak.is_empty() {
        let each = |weak: &&TooWeak| {
            format!("the {} at {} were {}", weak.kind.verb(), full(&weak.at), weak.needs)
        };
        let all = list(&weak.iter().map(each).collect::<Vec<_>>());
        notes.push(format!("the first would come before the second if {all}"));
    }
    let mut about = late_objects(finding, &first.thread.path);
    about.extend(late_objects(finding, &second.thread.path));
    let ends = [first, second].map(|side| end(finding, side, size));
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
        ends: ends.into(),
        about,
        ..Account::default()
    }
}

/// The access in the column of its thread, where it happened. If that was not recorded, it stands where its thread
/// had done so for sure: below the operation that it is, or below the last one of its thread.
fn end<'a>(finding: &Finding, side: &'a RacingAccess, size: usize) -> End<'a> {
    let bytes = crate::words::bytes(size);
    let (step, text) = match side.after.and_then(|after| after.checked_sub(finding.before)) {
        Some(after) => (
            after.checked_sub(1).map(|step| (step as usize).min(finding.steps.len())),
            match is_end(side) {
                true => "ends".to_owned(),
                false => format!("{} {bytes}", verb(side)),
            },
        ),
        None => {
            let is_own = |step: &Step| step.thread == side.thread.path;
            let is_it = |step: &Step| is_own(step) && Some(&step.at) == side.at.as_ref();
            let is_before = |step: &Step| is_own(step) && step.kind != OperationKind::ThreadEnd;
            let steps = || finding.steps.iter();
            let step = steps().rposition(is_it).or_else(|| steps().rposition(is_before));
            let has = match (side.mode, side.kind) {
                (AccessMode::Freeing, _) => "has freed",
                (_, AccessKind::Read) => "has read",
                (_, AccessKind::Write) => "has written",
            };
            (step.or(finding.steps.len().checked_sub(1)), format!("{has} {bytes}"))
        }
    };
    End {
        thread: &side.thread.path,
        text,
        at: side.at.as_ref().or(side.line.as_ref()),
        place: Place::AccessAfter(step),
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
    let fact =
        Fact { text: format!("{}{how}", verb(side)), at: side.at.as_ref().or(side.line.as_ref()) };
    let subject = format!("thread {}", side.thread);
    Block { subject, facts: vec![fact], calls: &side.frames, ..Block::default() }
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
