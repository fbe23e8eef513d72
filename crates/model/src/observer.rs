//! The seam between the engine and whoever watches.

use crate::strategy::path;
use crate::{
    Access, Clock, Event, MemoryChange, NotKept, ObjectInfo, Race, Record, ThreadId, ThreadInfo,
    ThreadPath,
};

/// What there is at the moment of an event.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// What the event's thread has seen up to and including it: an event of thread `t` whose own
    /// entry was `n` happened before this one if and only if `clock.of(t) >= n`. Empty if clocks
    /// are switched off.
    pub clock: &'a Clock,
    /// Every thread so far, indexed by [`ThreadId`]. What a thread that is not
    /// running has pending is what it will do next.
    pub threads: &'a [ThreadInfo],
    /// Every object so far, indexed by [`ObjectId`](crate::ObjectId).
    pub objects: &'a [ObjectInfo],
    /// How many events there have been, the one in question included: the position of the next one
    /// in the [`Record`].
    pub step: usize,
}

impl Moment<'_> {
    /// The identity of a thread across executions.
    pub fn path(&self, thread: ThreadId) -> ThreadPath {
        path(self.threads, thread)
    }
}

/// Watches an execution, event by event, in the order in which they happened.
///
/// Observers keep no wall-clock time and do no I/O, so that they work the same live and on a
/// stored trace.
pub trait Observer {
    /// Whether [`event`](Self::event) is to be called. Who can wait until the end finds all events
    /// in the [`Record`] and costs much less.
    fn wants_events(&self) -> bool {
        true
    }

    /// Whether the execution that is about to begin is looked at for accesses to data behind locks. Who
    /// says no finds none in the [`Record`], unless somebody else asks for them.
    fn reads_data(&self) -> bool {
        true
    }

    /// A new execution is about to begin.
    fn begin(&mut self) {}

    /// An operation was carried out.
    fn event(&mut self, event: &Event, moment: &Moment<'_>);

    /// Data was read or written. Comes only if accesses are asked for, and for data behind locks only
    /// if events are wanted, too: the [`Record`] has these.
    fn access(&mut self, _access: &Access, _moment: &Moment<'_>) {}

    /// Memory was allocated or freed. Comes only if accesses to memory are asked for.
    fn memory(&mut self, _change: &MemoryChange, _moment: &Moment<'_>) {}

    /// The first data race of the execution that has [ended](Self::end), if this observer looks for
    /// them.
    fn race(&self) -> Option<Race> {
        None
    }

    /// What it did not keep of the execution that is over, since it would have taken too much memory.
    fn not_kept(&self) -> Vec<NotKept> {
        Vec::new()
    }

    /// The execution has ended.
    fn end(&mut self, _record: &Record<'_>) {}
}
