//! What to say about each kind of finding: one file a kind.

mod crash;
mod data_race;
mod deadlock;
mod double_free;
mod double_lock;
mod exit;
mod infeasible;
mod invalid_free;
mod leak;
mod leaked_threads;
mod livelock;
mod memory;
mod memory_blocks;
mod nondeterminism;
mod panic;
mod stack_overflow;
mod stalled;
mod stuck;
mod use_after_free;
mod waits;

use crate::account::{Account, Block, Fact};
use crate::names::Names;
use selvedge_model::{Finding, FindingKind, Source, ThreadReport};

/// The finding in words.
pub(crate) fn account<'a>(finding: &'a Finding, names: &Names<'a>) -> Account<'a> {
    match &finding.kind {
        FindingKind::Panic(panic) => panic::account(finding, panic),
        FindingKind::Deadlock { cycle } => deadlock::account(cycle, names),
        FindingKind::DoubleLock { wait } => double_lock::account(wait, names),
        FindingKind::Stuck { waits, notifies } => stuck::account(finding, waits, notifies, names),
        FindingKind::Livelock { steps, sites } => livelock::account(finding, *steps, sites),
        FindingKind::LeakedThreads { waits } => leaked_threads::account(waits, names),
        FindingKind::Infeasible { schedule, held, occurred, waits, hints } => Account {
            notes: hints.clone(),
            ..infeasible::account(schedule, held, occurred, waits, names)
        },
        FindingKind::Crash { thread, signal, cause, after, frames } => {
            crash::account(finding, thread, (signal, cause), after.as_ref(), frames)
        }
        FindingKind::StackOverflow { thread, stack_size, after } => {
            stack_overflow::account(finding, thread, *stack_size, after.as_ref())
        }
        FindingKind::Exit { thread, code, after } => {
            exit::account(finding, thread, *code, after.as_ref())
        }
        FindingKind::DataRace { first, second, size, block } => {
            data_race::account(finding, [first, second], *size, block.as_deref())
        }
        FindingKind::UseAfterFree { used, block } => {
            use_after_free::account(finding, used, block.as_deref())
        }
        FindingKind::DoubleFree { block, again } => double_free::account(finding, block, again),
        FindingKind::InvalidFree { block, free } => {
            invalid_free::account(finding, block.as_deref(), free)
        }
        FindingKind::Leak { blocks, count, bytes } => leak::account(blocks, *count, *bytes),
        FindingKind::Memory { bytes, limit, last } => {
            memory::account(finding, *bytes, *limit, last)
        }
        FindingKind::Stalled { thread, milliseconds, after } => {
            stalled::account(finding, thread, *milliseconds, after.as_ref())
        }
        FindingKind::Nondeterminism { step, first, second } => {
            nondeterminism::account(*step, first.as_ref(), second.as_ref(), names)
        }
    }
}

/// What is known of a thread that did something outside of our sight.
fn last_operation<'a>(thread: &ThreadReport, after: Option<&'a Source>) -> Block<'a> {
    let text = match after {
        Some(_) => "last operation before",
        None => "had carried out no operation before",
    };
    Block {
        subject: format!("thread {thread}"),
        facts: vec![Fact { text: text.to_owned(), at: after }],
        ..Block::default()
    }
}
