//! Threads that can not go on: what they hold and what they wait for.

use crate::account::{Block, End, Fact, Place};
use crate::names::Names;
use crate::operation::is_system_call;
use crate::relevant::{Objects, key};
use crate::words::list;
use selvedge_model::{Held, Hold, ObjectKind, OperationKind, Source, Wait, WaitFor};

/// A block for each thread: what it holds, what it waits for, who has that.
pub(super) fn blocks<'a>(waits: &'a [Wait], names: &Names<'_>) -> Vec<Block<'a>> {
    waits.iter().map(|wait| block(wait, names)).collect()
}

fn block<'a>(wait: &'a Wait, names: &Names<'_>) -> Block<'a> {
    let holds = wait.holds.iter().map(|held| Fact { text: hold(held, names), at: Some(&held.at) });
    let waits = Fact { text: whole(wait, names), at: place(wait) };
    Block {
        subject: format!("thread {}", wait.thread),
        facts: holds.chain([waits]).collect(),
        ..Block::default()
    }
}

/// The last row of each thread. Who has what it waits for stands with the facts.
pub(super) fn ends<'a>(waits: &'a [Wait], names: &Names<'_>) -> Vec<End<'a>> {
    let end = |wait: &'a Wait| End {
        thread: &wait.thread.path,
        text: want(wait, names),
        at: place(wait),
        place: Place::Bottom,
    };
    waits.iter().map(end).collect()
}

/// Where the thread waits, if that is known.
fn place(wait: &Wait) -> Option<&Source> {
    (!is_system_call(wait.kind)).then_some(&wait.at)
}

/// Everything that is held or waited for. Threads are left out: that they are spawned is known.
pub(super) fn objects(waits: &[Wait]) -> Objects {
    let held = waits.iter().flat_map(|wait| &wait.holds).map(|held| &held.object);
    let wanted = waits.iter().filter_map(|wait| wait.object.as_ref());
    held.chain(wanted).map(key).filter(|object| object.0 != ObjectKind::Thread).collect()
}

fn hold(held: &Held, names: &Names<'_>) -> String {
    let object = names.object(&held.object);
    match (held.kind.takes(), held.object.kind) {
        (Some(Hold::Shared), _) => format!("holds {object} for reading"),
        (Some(Hold::Exclusive), ObjectKind::RwLock) => format!("holds {object} for writing"),
        (Some(Hold::Initialising), _) => format!("initialises {object}"),
        (Some(Hold::Exclusive) | None, _) => format!("holds {object}"),
    }
}

/// What a thread waits for and who has it.
fn whole(wait: &Wait, names: &Names<'_>) -> String {
    let want = want(wait, names);
    match (wait.for_threads.as_slice(), wait.kind.wait()) {
        ([], _) | (_, WaitFor::ThreadEnd) => want,
        ([thread], _) if *thread == wait.thread.path => format!("{want}, held by itself"),
        (threads, WaitFor::Lock(Hold::Shared)) if holds_it_already(wait) => {
            let writers = list(threads);
            format!("{want} again, behind {writers}: new readers wait while a writer does")
        }
        (threads, WaitFor::Lock(Hold::Initialising)) => {
            format!("{want}, run by {}", list(threads))
        }
        (threads, _) => format!("{want}, held by {}", list(threads)),
    }
}

/// Whether a thread holds the lock that it waits for.
fn holds_it_already(wait: &Wait) -> bool {
    wait.holds.iter().any(|held| Some(&held.object) == wait.object.as_ref())
}

/// What a thread waits for.
pub(super) fn want(wait: &Wait, names: &Names<'_>) -> String {
    let kind = wait.object.as_ref().map(|object| object.kind);
    let object = wait.object.as_ref().map_or_else(|| "something".to_owned(), |o| names.object(o));
    let waiting = wait.kind.waiting();
    match wait.kind.wait() {
        // Before the notification the object is the condition variable, after it the mutex.
        WaitFor::Notification if kind == Some(ObjectKind::Mutex) => {
            format!("was woken, waits for {object}")
        }
        WaitFor::ThreadEnd => match wait.for_threads.first() {
            Some(thread) => format!("waits for thread {thread} to end"),
            None => format!("waits for {object} to end"),
        },
        WaitFor::Futex => format!("{waiting} {object} (the lock of a library such as parking_lot)"),
        WaitFor::Input | WaitFor::Output => format!("{waiting} (pipe, socket or the like)"),
        WaitFor::Token | WaitFor::Time | WaitFor::Files | WaitFor::Turn => waiting.to_owned(),
        WaitFor::Lock(_)
        | WaitFor::Notification
        | WaitFor::Initialisation
        | WaitFor::Barrier
        | WaitFor::Room
        | WaitFor::Receipt
        | WaitFor::Message => format!("{waiting} {object}"),
        WaitFor::Never => match (wait.kind, &wait.object) {
            (OperationKind::ThreadStart, _) => "has not started".to_owned(),
            (kind, Some(_)) => format!("is about to {kind} {object}"),
            (kind, None) => format!("is about to {kind}"),
        },
    }
}
