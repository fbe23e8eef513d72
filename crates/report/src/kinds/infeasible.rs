//! A written schedule that can not be kept.

use super::waits;
use crate::account::{Account, Block, End, Fact, Place};
use crate::names::Names;
use crate::words::count;
use selvedge_model::{HeldBack, NamedEvent, ObjectKind, Wait};

/// So many of the last events are told.
const LAST_EVENTS: usize = 8;

pub(super) fn account<'a>(
    schedule: &str,
    held: &'a [HeldBack],
    occurred: &'a [NamedEvent],
    waits: &'a [Wait],
    names: &Names<'a>,
) -> Account<'a> {
    let threads = count(held.len() as u64, "thread");
    let verb = if held.len() == 1 { "is" } else { "are" };
    let mut blocks: Vec<_> = held.iter().map(block).collect();
    blocks.extend(waits::blocks(waits, names));
    blocks.push(so_far(occurred));
    let mut ends: Vec<_> = held.iter().map(end).collect();
    ends.extend(waits::ends(waits, names));
    let mut about = waits::objects(waits, names);
    about.insert((ObjectKind::Schedule, 1));
    Account {
        kind: "infeasible schedule",
        title: format!("{threads} {verb} held for ever"),
        details: vec![format!("the schedule: {schedule}")],
        blocks,
        ends,
        about,
        ..Account::default()
    }
}

fn block(held: &HeldBack) -> Block<'_> {
    let mut facts = vec![Fact { text: standing(held), at: held.at.as_ref() }];
    facts.extend(held.needs.iter().map(|need| Fact { text: format!("needs {need}"), at: None }));
    Block { subject: format!("thread {}", held.thread), facts, ..Block::default() }
}

fn standing(held: &HeldBack) -> String {
    format!("is held before {}", held.before)
}

fn end(held: &HeldBack) -> End<'_> {
    End {
        thread: &held.thread.path,
        text: standing(held),
        at: held.at.as_ref(),
        place: Place::Bottom,
    }
}

/// The last of what has happened.
fn so_far(occurred: &[NamedEvent]) -> Block<'_> {
    let last = &occurred[occurred.len().saturating_sub(LAST_EVENTS)..];
    let mut facts: Vec<_> = last
        .iter()
        .map(|NamedEvent { event, thread, at }| Fact {
            text: format!("{event} of thread {thread}"),
            at: at.as_ref(),
        })
        .collect();
    if facts.is_empty() {
        facts.push(Fact { text: "none of its events".to_owned(), at: None });
    }
    Block { subject: "happened so far".to_owned(), facts, ..Block::default() }
}
