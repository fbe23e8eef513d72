//! Reads under a sequence lock, which are meant to race.
//!
//! A reader of a sequence lock looks at a stamp, reads the data, and looks at the stamp again: if it
//! has changed, so may have the data, and what was read is thrown away. C++ and Rust call such a read
//! a data race; those who write sequence locks know that and have no other way. So it is none here if
//! everything is there that makes a sequence lock one:
//!
//! - the reader's last operation before the read loads the stamp and acquires;
//! - its next one is a fence that acquires, and the one after that loads the same stamp;
//! - the writer's last operation before the write, apart from fences, changes that stamp.
//!
//! Source: the shape is Boehm's, *Can seqlocks get along with programming language memory models?*
//! (MSPC 2012), section 4. May miss: a reader that uses what it has read although the stamp has changed.

use super::Suspect;
use selvedge_model::{AccessKind, AccessMode, Event, Link, ObjectId, Record, ThreadId};

/// Whether one of the two accesses is a read that is checked for the other one afterwards.
pub(super) fn is_optimistic(suspect: &Suspect, record: &Record<'_>) -> bool {
    let [first, second] =
        [(suspect.race.first, suspect.steps[0]), (suspect.race.second, suspect.steps[1])];
    let (reader, writer) = match (first.0.kind, second.0.kind) {
        (AccessKind::Read, AccessKind::Write) => (first, second),
        (AccessKind::Write, AccessKind::Read) => (second, first),
        (AccessKind::Write, AccessKind::Write) | (AccessKind::Read, AccessKind::Read) => {
            return false;
        }
    };
    if writer.0.mode == AccessMode::Freeing {
        return false;
    }
    let stamp = checked_stamp(record.events, reader.0.thread, reader.1);
    stamp.is_some() && stamp == changed_stamp(record.events, writer.0.thread, writer.1)
}

/// The stamp that a thread looks at before and after what it does between two of its operations: so
/// many events there were when it did.
fn checked_stamp(events: &[Event], thread: ThreadId, step: usize) -> Option<ObjectId> {
    let (before, after) = events.split_at_checked(step)?;
    let is_load = |event: &Event| event.meaning().link == Link::Loads;
    let first = before.iter().rev().find(|event| event.thread == thread)?;
    let mut after = after.iter().filter(|event| event.thread == thread);
    let (fence, second) = (after.next()?, after.next()?);
    let is_checked = is_load(first)
        && first.order.acquires()
        && fence.meaning().link == Link::Fences
        && fence.order.acquires()
        && is_load(second)
        && second.operation.object == first.operation.object;
    is_checked.then_some(first.operation.object)
}

/// The atomic that a thread has changed by its last operation, apart from fences.
fn changed_stamp(events: &[Event], thread: ThreadId, step: usize) -> Option<ObjectId> {
    let before = events.get(..step)?.iter().rev();
    let last = before
        .filter(|event| event.thread == thread)
        .find(|event| event.meaning().link != Link::Fences)?;
    let changes = matches!(last.meaning().link, Link::Stores | Link::Updates);
    changes.then_some(last.operation.object)
}
