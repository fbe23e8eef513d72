//! Which locks each thread holds, out of the events.

use selvedge_model::{Effect, Event, ObjectId, OperationKind, Site, ThreadId};

/// How a lock is held or wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mode {
    /// Together with others who read.
    Shared,
    /// Alone.
    Exclusive,
}

impl Mode {
    /// Whether one thread can not have the lock while another one has it.
    pub(crate) fn excludes(self, other: Self) -> bool {
        self == Self::Exclusive || other == Self::Exclusive
    }
}

/// A lock that a thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeldLock {
    pub(crate) object: ObjectId,
    pub(crate) mode: Mode,
    /// The operation that took it.
    pub(crate) kind: OperationKind,
    pub(crate) site: Site,
}

/// The lock that an operation takes, if it takes one when it succeeds, and in which mode.
pub(crate) fn takes(kind: OperationKind) -> Option<Mode> {
    use OperationKind as Kind;
    match kind {
        Kind::MutexLock | Kind::MutexTryLock | Kind::CondvarWake | Kind::OnceCall => {
            Some(Mode::Exclusive)
        }
        Kind::RwWrite | Kind::RwTryWrite => Some(Mode::Exclusive),
        Kind::RwRead | Kind::RwTryRead => Some(Mode::Shared),
        _ => None,
    }
}

/// Whether an operation waits until it can take its lock.
pub(crate) fn waits_for_lock(kind: OperationKind) -> bool {
    takes(kind).is_some()
        && !matches!(
            kind,
            OperationKind::MutexTryLock | OperationKind::RwTryRead | OperationKind::RwTryWrite
        )
}

/// A thread that has been alone for so long may have done things that were not recorded.
const LONG_ALONE: u32 = 10_000;

/// The locks that each thread holds, in the order in which it took them.
#[derive(Debug, Default)]
pub(crate) struct Held {
    of: Vec<Vec<HeldLock>>,
    /// The last thread with an event, and how many it had in a row.
    run: (u32, u32),
}

impl Held {
    pub(crate) fn clear(&mut self) {
        self.of.clear();
        self.run = (0, 0);
    }

    /// What the thread holds.
    pub(crate) fn by(&self, thread: ThreadId) -> &[HeldLock] {
        self.of.get(thread.index()).map_or(&[], Vec::as_slice)
    }

    fn list(&mut self, thread: ThreadId) -> &mut Vec<HeldLock> {
        if self.of.len() <= thread.index() {
            self.of.resize_with(thread.index() + 1, Vec::new);
        }
        &mut self.of[thread.index()]
    }

    /// Takes an event into account. A waiter of a condition variable counts as holding its mutex
    /// until it has it again: which mutex that is can be seen only then, and meanwhile it does
    /// nothing.
    pub(crate) fn apply(&mut self, event: &Event) {
        let Event { thread, operation, effect, .. } = *event;
        self.run = match self.run {
            (last, times) if last == thread.0 => (last, times.saturating_add(1)),
            _ => (thread.0, 1),
        };
        // A lock may have been given back without a record; it is better to know nothing.
        if operation.kind == OperationKind::Spawn && self.run.1 >= LONG_ALONE {
            self.list(thread).clear();
        }
        let object = operation.object;
        let list = self.list(thread);
        match operation.kind {
            OperationKind::MutexUnlock
            | OperationKind::RwReadUnlock
            | OperationKind::RwWriteUnlock
            | OperationKind::OnceDone => give_back(list, object),
            OperationKind::RwDowngrade => {
                give_back(list, object);
                list.push(held(event, Mode::Shared));
            }
            OperationKind::CondvarWake => {
                give_back(list, object);
                list.push(held(event, Mode::Exclusive));
            }
            kind => {
                if let Some(mode) = takes(kind)
                    && effect != Effect::Refused
                {
                    list.push(held(event, mode));
                }
            }
        }
    }
}

fn held(event: &Event, mode: Mode) -> HeldLock {
    let operation = event.operation;
    HeldLock { object: operation.object, mode, kind: operation.kind, site: operation.site }
}

fn give_back(list: &mut Vec<HeldLock>, object: ObjectId) {
    if let Some(position) = list.iter().rposition(|lock| lock.object == object) {
        list.remove(position);
    }
}
