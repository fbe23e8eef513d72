//! What is known of some bytes of memory: who accessed them last.

use selvedge_model::{AccessKind, AccessMode, Clock, ThreadId};

/// An access, as short as it can be told: who, when in the life of that thread, and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) thread: u32,
    /// The thread's own entry of its clock, which is 1 at first; 0 if there was no access.
    pub(super) time: u32,
    pub(super) spot: u32,
}

impl Stamp {
    pub(super) fn exists(self) -> bool {
        self.time != 0
    }

    /// Whether the access happened before everything that the owner of the clock does now.
    #[inline]
    fn is_before(self, clock: &Clock) -> bool {
        clock.of(ThreadId(self.thread)) >= self.time
    }

    /// Whether both are of one thread, with no operation of it in between.
    #[inline]
    fn same_epoch(self, other: Self) -> bool {
        self.thread == other.thread && self.time == other.time
    }
}

/// An earlier access and how it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Earlier {
    pub(super) stamp: Stamp,
    pub(super) kind: AccessKind,
    pub(super) mode: AccessMode,
}

/// What a cell can not say in two stamps: accesses that are not ordered among themselves, the last
/// one of each thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Others {
    reads: Vec<Stamp>,
    atomic_reads: Vec<Stamp>,
    atomic_writes: Vec<Stamp>,
}

/// The state of some bytes that were always accessed together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    write: Stamp,
    /// The only read since the write that matters, unless there are others.
    read: Stamp,
    others: Option<Box<Others>>,
}

/// No more accesses than this are kept that are not ordered among themselves, of each way to access.
pub(super) const MOST: usize = 32;

/// Keeps the last stamp of each thread. Those that are ordered before the new one are not needed any
/// more: whoever races with them races with it.
fn note(stamps: &mut Vec<Stamp>, stamp: Stamp, clock: &Clock) {
    if let Some(earlier) = stamps.iter_mut().find(|earlier| earlier.thread == stamp.thread) {
        *earlier = stamp;
        return;
    }
    if stamps.len() == stamps.capacity() {
        stamps.retain(|earlier| !earlier.is_before(clock));
    }
    if stamps.len() == MOST {
        stamps.remove(0);
    }
    stamps.push(stamp);
}

/// The first of the stamps that is not ordered before now.
fn unordered(stamps: &[Stamp], clock: &Clock) -> Option<Stamp> {
    stamps.iter().copied().find(|stamp| !stamp.is_before(clock))
}

impl Cell {
    /// How much memory it holds beside itself, in bytes.
    #[inline]
    pub(super) fn weight(&self) -> usize {
        let Some(others) = &self.others else { return 0 };
        let Others { reads, atomic_reads, atomic_writes } = &**others;
        let stamps = reads.capacity() + atomic_reads.capacity() + atomic_writes.capacity();
        size_of::<Others>() + stamps * size_of::<Stamp>()
    }

    /// Whether an access changes nothing, since the same thread has made one as strong in the same
    /// epoch.
    #[inline]
    pub(super) fn is_known(&self, stamp: Stamp, kind: AccessKind, mode: AccessMode) -> bool {
        mode == AccessMode::Plain
            && (self.write.same_epoch(stamp)
                || (kind == AccessKind::Read && self.read.same_epoch(stamp)))
    }

    /// Takes an access into account; tells of an earlier one with which it races.
    pub(super) fn access(
        &mut self,
        stamp: Stamp,
        kind: AccessKind,
        mode: AccessMode,
        clock: &Clock,
    ) -> Option<Earlier> {
        let race = self.conflict(kind, mode, clock);
        match (kind, mode) {
            (AccessKind::Write, AccessMode::Plain | AccessMode::Freeing) => {
                self.write = stamp;
                self.read = Stamp::default();
                self.others = None;
            }
            (AccessKind::Read, AccessMode::Plain | AccessMode::Freeing) => {
                self.note_read(stamp, clock);
            }
            (AccessKind::Read, AccessMode::Atomic | AccessMode::Volatile) => {
                note(&mut self.others.get_or_insert_default().atomic_reads, stamp, clock);
            }
            (AccessKind::Write, AccessMode::Atomic | AccessMode::Volatile) => {
                note(&mut self.others.get_or_insert_default().atomic_writes, stamp, clock);
            }
        }
        race
    }

    fn note_read(&mut self, stamp: Stamp, clock: &Clock) {
        let alone = self.others.as_ref().is_none_or(|others| others.reads.is_empty());
        let replaces =
            !self.read.exists() || self.read.thread == stamp.thread || self.read.is_before(clock);
        if alone && replaces {
            self.read = stamp;
            return;
        }
        let first = std::mem::take(&mut self.read);
        let reads = &mut self.others.get_or_insert_default().reads;
        if first.exists() {
            note(reads, first, clock);
        }
        note(reads, stamp, clock);
    }

    /// An earlier access that conflicts with one of now and is not ordered before it. Atomic accesses
    /// do not conflict with each other.
    fn conflict(&self, kind: AccessKind, mode: AccessMode, clock: &Clock) -> Option<Earlier> {
        let writes = kind == AccessKind::Write;
        if self.write.exists() && !self.write.is_before(clock) {
            return Some(earlier(self.write, AccessKind::Write, AccessMode::Plain));
        }
        if writes && self.read.exists() && !self.read.is_before(clock) {
            return Some(earlier(self.read, AccessKind::Read, AccessMode::Plain));
        }
        let others = self.others.as_deref()?;
        if writes && let Some(read) = unordered(&others.reads, clock) {
            return Some(earlier(read, AccessKind::Read, AccessMode::Plain));
        }
        if mode != AccessMode::Plain {
            return None;
        }
        if let Some(write) = unordered(&others.atomic_writes, clock) {
            return Some(earlier(write, AccessKind::Write, AccessMode::Atomic));
        }
        let read = unordered(&others.atomic_reads, clock).filter(|_| writes)?;
        Some(earlier(read, AccessKind::Read, AccessMode::Atomic))
    }
}

fn earlier(stamp: Stamp, kind: AccessKind, mode: AccessMode) -> Earlier {
    Earlier { stamp, kind, mode }
}
