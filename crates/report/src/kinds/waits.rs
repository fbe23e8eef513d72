//! Threads that can not go on: what they hold and what they wait for.

use crate::account::{Block, End, Fact, Place};
use crate::names::Names;
use crate::operation::is_system_call;
use crate::relevant::{Objects, key};
use crate::words::{count, list};
use selvedge_model::{
    AsyncTask, CallStack, Held, Hold, LibraryUse, ObjectKind, OperationKind, Source, Step, Wait,
    WaitFor,
};

/// Of no more threads than this is told what they wait for.
const MOST_THREADS: usize = 16;
/// So many callers are told of where a thread stands.
const MOST_CALLERS: usize = 4;

/// A block for each thread: what it holds, what it waits for, who has that.
pub(super) fn blocks<'a>(waits: &'a [Wait], names: &Names<'a>) -> Vec<Block<'a>> {
    let mut blocks: Vec<_> =
        waits.iter().take(MOST_THREADS).map(|wait| block(wait, names)).collect();
    if let Some(more) = waits.len().checked_sub(MOST_THREADS).filter(|&more| more > 0) {
        let subject = format!("and {}", count(more as u64, "more thread"));
        blocks.push(Block { subject, ..Block::default() });
    }
    blocks
}

fn block<'a>(wait: &'a Wait, names: &Names<'a>) -> Block<'a> {
    let stacks = &names.finding.stacks;
    let holds = wait
        .holds
        .iter()
        .map(|held| Fact { text: hold(held, names), at: Some(taken_at(held, wait, names)) });
    let libraries = stacks.held(&wait.thread.path).map(|(lock, held)| Fact {
        text: ["holds", &lock.name()]
            .into_iter()
            .chain(held.way.as_deref())
            .collect::<Vec<_>>()
            .join(" "),
        at: held.at.as_ref(),
    });
    let waits = Fact { text: whole(wait, names), at: place(wait, names) };
    Block {
        subject: format!("thread {}", wait.thread),
        facts: holds.chain(libraries).chain([waits]).collect(),
        callers: callers(names.finding.stack_of(&wait.thread.path)),
        ..Block::default()
    }
}

/// A block for each task of an executor: where it was polled last.
pub(super) fn tasks<'a>(names: &Names<'a>) -> Vec<Block<'a>> {
    let task = |task: &'a AsyncTask| Block {
        subject: format!("task of {}, last polled by thread {}", task.function, task.thread),
        facts: vec![Fact {
            text: match &task.inside {
                Some(function) => format!("awaits {function}"),
                None => "was last seen".to_owned(),
            },
            at: Some(&task.at),
        }],
        ..Block::default()
    };
    names.finding.stacks.tasks.iter().map(task).collect()
}

/// Where a lock was taken that is held: by the line of the workspace if a library took it.
fn taken_at<'a>(held: &'a Held, wait: &Wait, names: &Names<'a>) -> &'a Source {
    let finding = names.finding;
    let is_it = |step: &Step| {
        step.thread == wait.thread.path
            && step.kind == held.kind
            && step.at == held.at
            && step.object.as_ref() == Some(&held.object)
    };
    let step = finding.steps.iter().rposition(is_it);
    step.map_or(&held.at, |step| finding.shown_at(step))
}

/// The last row of each thread. Who has what it waits for stands with the facts.
pub(super) fn ends<'a>(waits: &'a [Wait], names: &Names<'a>) -> Vec<End<'a>> {
    let end = |wait: &'a Wait| End {
        thread: &wait.thread.path,
        text: want(wait, names),
        at: place(wait, names),
        place: Place::Bottom,
    };
    waits.iter().take(MOST_THREADS).map(end).collect()
}

/// Where the thread waits, if that is known.
fn place<'a>(wait: &'a Wait, names: &Names<'a>) -> Option<&'a Source> {
    let at = names.finding.waits_at(wait);
    if inside(wait, names).is_some() {
        return at.is_own().then_some(at);
    }
    (!is_system_call(wait.kind) || at.is_own()).then_some(at)
}

/// Everything that is held or waited for. Threads are left out: that they are spawned is known.
pub(super) fn objects(waits: &[Wait], names: &Names<'_>) -> Objects {
    let held = waits.iter().flat_map(|wait| &wait.holds).map(|held| &held.object);
    let wanted = waits.iter().filter_map(|wait| wait.object.as_ref());
    let libraries = names.finding.stacks.locks.iter().map(|lock| (ObjectKind::Atomic, lock.atomic));
    let objects = held.chain(wanted).map(key).chain(libraries);
    objects.filter(|object| object.0 != ObjectKind::Thread).collect()
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
    if let Some((lock, waiter)) = names.finding.stacks.awaited(&wait.thread.path) {
        let holders: Vec<_> = lock.holders.iter().map(|holder| &holder.thread).collect();
        let is_held =
            |held: &LibraryUse| (&held.thread, &held.way) == (&waiter.thread, &waiter.way);
        let others = lock.waiters.iter().filter(|other| other.way != waiter.way);
        let others: Vec<_> = others.map(|other| &other.thread).collect();
        return match holders.as_slice() {
            _ if waiter.way.is_some() && lock.holders.iter().any(is_held) && !others.is_empty() => {
                let writers = list(&others);
                format!("{want} again, behind {writers}: new readers wait while a writer does")
            }
            [] => want,
            [thread] if **thread == waiter.thread => format!("{want}, held by itself"),
            threads => format!("{want}, held by {}", list(threads)),
        };
    }
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

/// The function of a library in which a thread waits by means that say nothing to the library's users.
pub(super) fn inside<'a>(wait: &Wait, names: &Names<'a>) -> Option<&'a str> {
    let is_means = match wait.kind.wait() {
        WaitFor::Futex | WaitFor::Token | WaitFor::Files | WaitFor::Notification => true,
        WaitFor::Lock(_)
        | WaitFor::Initialisation
        | WaitFor::ThreadEnd
        | WaitFor::Barrier
        | WaitFor::Room
        | WaitFor::Receipt
        | WaitFor::Message
        | WaitFor::Input
        | WaitFor::Output
        | WaitFor::Time
        | WaitFor::Turn
        | WaitFor::Never => false,
    };
    let stack = names.finding.stack_of(&wait.thread.path).filter(|_| is_means)?;
    let function = stack.inside.as_deref()?;
    // Of a thread of the library's own, its functions say nothing.
    match &stack.at {
        Some(_) => Some(function),
        None => function.split("::").next(),
    }
}

/// The functions of the workspace's own further out than the line that is shown.
pub(super) fn callers(stack: Option<&CallStack>) -> &[String] {
    let own = stack.map(|stack| stack.own.as_slice()).unwrap_or_default();
    // A test, and the closure that its attribute makes of it, are one.
    let function = |call: &String| call.split(" at ").next().unwrap_or_default().to_owned();
    match own {
        [innermost, rest @ ..] => {
            let mut last = function(innermost);
            let told = rest.iter().take_while(|call| {
                let around = function(call);
                let is_attribute = around == format!("{last}::{{{{closure}}}}");
                last = around;
                !is_attribute
            });
            let told = told.take(MOST_CALLERS).count();
            &rest[..told]
        }
        [] => own,
    }
}

/// What a thread waits for.
pub(super) fn want(wait: &Wait, names: &Names<'_>) -> String {
    if let Some((lock, waiter)) = names.finding.stacks.awaited(&wait.thread.path) {
        let way = waiter.way.as_ref().map(|way| format!(" {way}")).unwrap_or_default();
        return format!("waits for {}{way}", lock.name());
    }
    if let Some(function) = inside(wait, names) {
        return format!("waits in {function}");
    }
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
