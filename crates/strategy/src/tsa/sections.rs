//! Critical sections: who holds which lock from where to where.

use selvedge_model::{Effect, Event, ObjectId, OperationKind, Record};

/// How a lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Together with other readers.
    Shared,
    /// By one thread alone.
    Exclusive,
}

/// How an operation takes a lock, if it takes one when it succeeds. These are the lock actions, the
/// same that the metric `sp` counts.
#[inline]
pub(crate) fn takes(kind: OperationKind) -> Option<Hold> {
    use OperationKind as Kind;
    match kind {
        Kind::MutexLock | Kind::MutexTryLock | Kind::CondvarWake => Some(Hold::Exclusive),
        Kind::RwWrite | Kind::RwTryWrite => Some(Hold::Exclusive),
        Kind::RwRead | Kind::RwTryRead | Kind::RwDowngrade => Some(Hold::Shared),
        _ => None,
    }
}

/// How an event took a lock, if it did.
#[inline]
pub(crate) fn taken(event: &Event) -> Option<Hold> {
    match event.effect {
        Effect::Refused => None,
        _ => takes(event.operation.kind),
    }
}

/// A lock in the hands of a thread. Positions are numbers of events in the execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub(crate) object: u32,
    /// From here on others may read; the end if it is never downgraded, the beginning if it was
    /// taken for reading.
    exclusive_until: u32,
    /// Where the lock was given back; never if it was not.
    end: u32,
}

const NEVER: u32 = u32::MAX;

impl Section {
    /// How the lock is held all the time until the event at a position begins; nothing if it is given
    /// back before.
    pub(crate) fn hold_until(&self, position: u32) -> Option<Hold> {
        match self.end >= position {
            false => None,
            true if self.exclusive_until >= position => Some(Hold::Exclusive),
            true => Some(Hold::Shared),
        }
    }
}

/// The critical sections of an execution, while its events are gone through.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    all: Vec<Section>,
    /// Those that each thread is in, by number.
    open: Vec<Vec<u32>>,
    /// The mutex that each wait on a condition variable gives back.
    mutexes: Vec<(u32, u32)>,
}

impl Sections {
    pub(crate) fn new(record: &Record<'_>) -> Self {
        Self { all: Vec::new(), open: Vec::new(), mutexes: mutexes_of_waits(record) }
    }

    pub(crate) fn get(&self, number: u32) -> &Section {
        &self.all[number as usize]
    }

    /// The sections that a thread is in.
    pub(crate) fn open(&self, thread: usize) -> &[u32] {
        self.open.get(thread).map_or(&[], Vec::as_slice)
    }

    /// Takes the event at a position into account; the number of the section that it begins, if any.
    pub(crate) fn apply(&mut self, position: u32, event: &Event) -> Option<u32> {
        let thread = event.thread.index();
        let object = event.operation.object.0;
        match event.operation.kind {
            OperationKind::MutexUnlock
            | OperationKind::RwReadUnlock
            | OperationKind::RwWriteUnlock => self.close(thread, object, position),
            OperationKind::CondvarWait => {
                let wait = self.mutexes.binary_search_by_key(&position, |&(wait, _)| wait);
                if let Ok(index) = wait {
                    self.close(thread, self.mutexes[index].1, position);
                }
            }
            OperationKind::RwDowngrade => return self.downgrade(thread, object, position),
            _ => {}
        }
        let hold = taken(event)?;
        if self.open.len() <= thread {
            self.open.resize_with(thread + 1, Vec::new);
        }
        let exclusive_until = match hold {
            Hold::Exclusive => NEVER,
            Hold::Shared => 0,
        };
        let number = self.all.len() as u32;
        self.all.push(Section { object, exclusive_until, end: NEVER });
        self.open[thread].push(number);
        Some(number)
    }

    fn find(&self, thread: usize, object: u32) -> Option<usize> {
        let open = self.open.get(thread)?;
        open.iter().rposition(|&section| self.all[section as usize].object == object)
    }

    fn close(&mut self, thread: usize, object: u32, position: u32) {
        if let Some(index) = self.find(thread, object) {
            let section = &mut self.all[self.open[thread].remove(index) as usize];
            section.end = position;
            section.exclusive_until = section.exclusive_until.min(position);
        }
    }

    fn downgrade(&mut self, thread: usize, object: u32, position: u32) -> Option<u32> {
        let number = self.open[thread][self.find(thread, object)?];
        self.all[number as usize].exclusive_until = position;
        Some(number)
    }
}

/// The mutex that each wait gives back: the one that the thread takes next, or would have taken if
/// the execution had gone on.
pub(crate) fn mutexes_of_waits(record: &Record<'_>) -> Vec<(u32, u32)> {
    let mut mutexes = Vec::new();
    let mut next: Vec<ObjectId> =
        record.threads.iter().map(|thread| thread.pending.object).collect();
    for (position, event) in record.events.iter().enumerate().rev() {
        let next = &mut next[event.thread.index()];
        if event.operation.kind == OperationKind::CondvarWait {
            mutexes.push((position as u32, next.0));
        }
        *next = event.operation.object;
    }
    mutexes.reverse();
    mutexes
}
