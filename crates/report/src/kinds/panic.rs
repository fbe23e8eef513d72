//! The test function panicked.

use super::waits::callers;
use crate::account::{Account, Block, End, Fact, Place};
use crate::printed::{CHARACTERS, shortened};
use crate::relevant::late_objects;
use crate::words::count;
use selvedge_model::{Finding, Panic};

/// So many other panics are told of.
const MOST_OTHERS: usize = 8;

pub(super) fn account<'a>(finding: &'a Finding, panic: &'a Panic) -> Account<'a> {
    let mut lines = panic.message.lines();
    let title = lines.next().unwrap_or("without a message").to_owned();
    // The list of all panics has this one as well, once.
    let position = finding.panics.iter().position(|other| other == panic);
    let stack = position.and_then(|position| finding.stacks.of_panic(position));
    let mut own = block(panic, "panicked");
    let at = panic.at.as_ref().map(|at| stack.map_or(at, |stack| stack.shown(at)));
    own.facts[0].at = at;
    if let (Some(at), Some(panicked)) = (at, &panic.at)
        && at != panicked
        && let Some(function) = stack.and_then(|stack| stack.inside.as_ref())
    {
        own.facts.push(Fact { text: format!("in {function}"), at: Some(panicked) });
    }
    own.callers = callers(stack);
    let mut blocks = vec![own];
    let others = finding.panics.iter().enumerate().filter(|(index, _)| Some(*index) != position);
    let others: Vec<_> = others.map(|(_, other)| other).collect();
    let told = &others[..others.len().min(MOST_OTHERS)];
    blocks.extend(told.iter().map(|other| with_message(other, "panicked too")));
    if let Some(more) = others.len().checked_sub(MOST_OTHERS).filter(|&more| more > 0) {
        let subject = format!("and {}", count(more as u64, "more panic"));
        blocks.push(Block { subject, ..Block::default() });
    }
    let end = End {
        thread: &panic.thread.path,
        text: "panic".to_owned(),
        at,
        place: Place::AfterItsThread,
    };
    Account {
        kind: "panic",
        title,
        details: lines.map(str::to_owned).collect(),
        blocks,
        ends: vec![end],
        about: late_objects(finding, &panic.thread.path),
        ..Account::default()
    }
}

/// A panic that is not the finding itself, with the first line of its message.
pub(super) fn with_message<'a>(panic: &'a Panic, text: &str) -> Block<'a> {
    let message = panic.message.lines().next().unwrap_or_default();
    let mut block = block(panic, text);
    let text = format!("with: {}", shortened(message, CHARACTERS));
    block.facts.push(Fact { text, at: None });
    block
}

fn block<'a>(panic: &'a Panic, text: &str) -> Block<'a> {
    Block {
        subject: format!("thread {}", panic.thread),
        facts: vec![Fact { text: text.to_owned(), at: panic.at.as_ref() }],
        ..Block::default()
    }
}
