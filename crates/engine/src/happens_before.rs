//! Happens-before clocks.
//!
//! Source: Lamport's relation as in Flanagan and Freund, *FastTrack* (PLDI 2009), with C++20
//! release sequences and fences for atomics.
//!
//! Deviations: (1) a clock that an object got from one thread is compared by that thread's entry
//! alone before it is joined, so that most acquisitions cost one comparison; (2) a `SeqCst`
//! access counts as acquire-release and does not order accesses of *different* objects; (3) a
//! condition variable adds no order of its own (the mutex does), as std promises none.
//!
//! May miss: order that only a `SeqCst` fence or access establishes between different objects.
//! Never claims order that is not there, except that an atomic at a reused address inherits the
//! clock of its predecessor.

use crate::execution::Execution;
use crate::settings::Settings;
use selvedge_model::{Clock, ObjectId, ThreadId, Toggle};
use std::sync::atomic::Ordering;

/// The clocks of one thread.
#[derive(Default)]
pub(crate) struct ThreadClock {
    /// What the thread has seen.
    pub(crate) seen: Clock,
    /// What it had seen at its last release fence.
    released: Clock,
    /// What relaxed loads have shown it, to be seen at the next acquire fence.
    glimpsed: Clock,
}

impl ThreadClock {
    pub(crate) fn reset(&mut self) {
        self.seen.clear();
        self.released.clear();
        self.glimpsed.clear();
    }
}

/// The clocks of an execution.
pub(crate) struct HappensBefore {
    /// Whether they are kept.
    on: Toggle,
    /// Whether observers are told of plain accesses to memory.
    pub(crate) races: Toggle,
    pub(crate) clocks: Vec<ThreadClock>,
    /// Of those objects that have one; only if clocks are on.
    pub(crate) object_clocks: Vec<ObjectClock>,
}

impl HappensBefore {
    pub(crate) const fn new() -> Self {
        Self { on: Toggle::Off, races: Toggle::Off, clocks: Vec::new(), object_clocks: Vec::new() }
    }

    /// Forgets the last execution. The clocks of threads are reset when there are threads.
    pub(crate) fn reset(&mut self, settings: &Settings) {
        self.on = settings.clocks;
        self.races = settings.races;
        self.object_clocks.clear();
    }

    // Not inlined, so that whoever does not keep clocks has no more of them than a look at `on`.

    #[inline(never)]
    fn acquire(&mut self, me: ThreadId, object: ObjectId) {
        let entry = clock_of(&mut self.object_clocks, object);
        entry.show(&mut self.clocks[me.index()].seen);
    }

    #[inline(never)]
    fn release(&mut self, me: ThreadId, object: ObjectId) {
        let mine = &self.clocks[me.index()].seen;
        let entry = clock_of(&mut self.object_clocks, object);
        entry.clock.assign(mine);
        entry.of = Some((me, mine.of(me)));
    }

    #[inline(never)]
    fn read(&mut self, me: ThreadId, object: ObjectId, ordering: Ordering) {
        let entry = clock_of(&mut self.object_clocks, object);
        entry.read_by(&mut self.clocks[me.index()], ordering);
    }

    #[inline(never)]
    fn write(&mut self, me: ThreadId, object: ObjectId, ordering: Ordering, write: Write) {
        let entry = clock_of(&mut self.object_clocks, object);
        entry.written_by(&self.clocks[me.index()], me, ordering, write);
    }

    #[inline(never)]
    fn tick(&mut self, me: ThreadId) {
        self.clocks[me.index()].seen.tick(me);
    }

    /// From here on no clocks are kept, and nobody can be told what races.
    pub(crate) fn turn_off(&mut self) {
        (self.on, self.races) = (Toggle::Off, Toggle::Off);
    }
}

/// What those that released an object had seen.
#[derive(Default)]
pub(crate) struct ObjectClock {
    clock: Clock,
    /// If the clock is a copy of one thread's, that thread and its own entry in it.
    of: Option<(ThreadId, u32)>,
}

impl ObjectClock {
    /// A thread reads the atomic that this is the clock of.
    #[inline]
    pub(crate) fn read_by(&self, thread: &mut ThreadClock, ordering: Ordering) {
        if acquires(ordering) {
            return self.show(&mut thread.seen);
        }
        match self.of {
            Some((of, time)) if thread.seen.of(of) >= time => {}
            _ => thread.glimpsed.join(&self.clock),
        }
    }

    /// Somebody sees what those that released the object had seen.
    #[inline]
    fn show(&self, seen: &mut Clock) {
        match self.of {
            Some((thread, time)) if seen.of(thread) >= time => {}
            _ => seen.join(&self.clock),
        }
    }

    /// Somebody releases the object beside others.
    fn add(&mut self, seen: &Clock) {
        self.clock.join(seen);
        self.of = None;
    }

    /// A thread writes the atomic that this is the clock of. A plain store ends the release
    /// sequence, a read-modify-write continues it.
    #[inline]
    pub(crate) fn written_by(
        &mut self,
        thread: &ThreadClock,
        me: ThreadId,
        ordering: Ordering,
        write: Write,
    ) {
        let shown = if releases(ordering) { &thread.seen } else { &thread.released };
        match write {
            Write::Store => {
                self.clock.assign(shown);
                self.of = releases(ordering).then(|| (me, thread.seen.of(me)));
            }
            // Having acquired the object's clock, the thread knows all that is in it.
            Write::ReadModifyWrite if acquires(ordering) && releases(ordering) => {
                self.clock.assign(shown);
                self.of = Some((me, thread.seen.of(me)));
            }
            Write::ReadModifyWrite => {
                self.clock.join(shown);
                self.of = None;
            }
        }
    }
}

/// The clock of an object, among those of all objects that have one.
fn clock_of(clocks: &mut Vec<ObjectClock>, object: ObjectId) -> &mut ObjectClock {
    if clocks.len() <= object.index() {
        clocks.resize_with(object.index() + 1, ObjectClock::default);
    }
    &mut clocks[object.index()]
}

impl Execution {
    #[inline(always)]
    pub(crate) fn clocks_on(&self) -> bool {
        self.order.on == Toggle::On
    }

    /// The running thread learns what the last owner of the object knew.
    #[inline(always)]
    pub(crate) fn acquire(&mut self, object: ObjectId) {
        if self.clocks_on() {
            self.order.acquire(self.current, object);
        }
    }

    /// Whoever acquires the object next learns what the running thread knows. `release` is for
    /// objects with one owner at a time: the owner has acquired it before.
    #[inline(always)]
    pub(crate) fn release(&mut self, object: ObjectId) {
        if self.clocks_on() {
            self.order.release(self.current, object);
        }
    }

    /// As [`release`](Self::release), for objects that several threads release: what the others
    /// knew stays.
    #[inline]
    pub(crate) fn release_shared(&mut self, object: ObjectId) {
        if self.clocks_on() {
            let entry = clock_of(&mut self.order.object_clocks, object);
            entry.add(&self.order.clocks[self.current.index()].seen);
        }
    }

    /// The running thread learns what those knew who have told the kernel something.
    pub(crate) fn acquire_told(&mut self) {
        if self.clocks_on() {
            self.world.outside.told.show(&mut self.order.clocks[self.current.index()].seen);
        }
    }

    /// The running thread learns what those knew who have closed something.
    pub(crate) fn acquire_closed(&mut self) {
        if self.clocks_on() {
            self.world.outside.closed.show(&mut self.order.clocks[self.current.index()].seen);
        }
    }

    /// Whoever learns something from the kernel learns what the running thread knows.
    pub(crate) fn release_told(&mut self) {
        if self.clocks_on() {
            self.world.outside.told.add(&self.order.clocks[self.current.index()].seen);
        }
    }

    /// Whoever finds something closed learns what the running thread knows.
    pub(crate) fn release_closed(&mut self) {
        if self.clocks_on() {
            self.world.outside.closed.add(&self.order.clocks[self.current.index()].seen);
        }
    }

    /// What the running thread does from now on is not part of what it has released. Needed where
    /// no event is recorded, with which this comes by itself.
    pub(crate) fn next_epoch(&mut self) {
        let me = self.current;
        if self.clocks_on() {
            self.order.clocks[me.index()].seen.tick(me);
        }
    }

    /// What the running thread has seen, for somebody else to see; nothing if clocks are off.
    pub(crate) fn seen(&self) -> Option<&Clock> {
        self.clocks_on().then(|| &self.order.clocks[self.current.index()].seen)
    }

    /// The running thread sees what somebody else has left for it.
    pub(crate) fn see(&mut self, clock: &Clock) {
        if self.clocks_on() {
            self.order.clocks[self.current.index()].seen.join(clock);
        }
    }

    /// The running thread sees all that any thread has done. For the only thread that is left, when
    /// its operations are not followed any more: it may miss order that is not there, and never
    /// claims that there is none where it could not look.
    pub(crate) fn see_everything(&mut self) {
        if self.clocks_on() {
            let mut all = std::mem::take(&mut self.order.clocks[self.current.index()].seen);
            self.order.clocks[..self.threads.len()].iter().for_each(|other| all.join(&other.seen));
            self.order.clocks[self.current.index()].seen = all;
        }
    }

    /// A new thread has seen what its parent has seen.
    pub(crate) fn inherit_clock(&mut self, child: ThreadId) {
        while self.order.clocks.len() <= child.index() {
            self.order.clocks.push(ThreadClock::default());
        }
        self.order.clocks[child.index()].reset();
        if self.clocks_on() {
            let parent = std::mem::take(&mut self.order.clocks[self.current.index()].seen);
            self.order.clocks[child.index()].seen.assign(&parent);
            self.order.clocks[self.current.index()].seen = parent;
            self.order.clocks[child.index()].seen.tick(child);
        }
    }

    /// An atomic was read with the given ordering.
    #[inline(always)]
    pub(crate) fn atomic_read(&mut self, object: ObjectId, ordering: Ordering) {
        if self.clocks_on() {
            self.order.read(self.current, object, ordering);
        }
    }

    /// An atomic was written with the given ordering.
    #[inline(always)]
    pub(crate) fn atomic_write(&mut self, object: ObjectId, ordering: Ordering, write: Write) {
        if self.clocks_on() {
            self.order.write(self.current, object, ordering, write);
        }
    }

    /// The running thread has carried out an operation: from here on its clock is that of its next one,
    /// so that what the event releases includes the event itself.
    #[inline(always)]
    pub(crate) fn tick(&mut self) {
        if self.clocks_on() {
            self.order.tick(self.current);
        }
    }

    /// A fence.
    pub(crate) fn fence_clock(&mut self, ordering: Ordering) {
        if !self.clocks_on() {
            return;
        }
        let mine = &mut self.order.clocks[self.current.index()];
        if acquires(ordering) {
            let ThreadClock { seen, glimpsed, .. } = mine;
            seen.join(glimpsed);
        }
        if releases(ordering) {
            let ThreadClock { seen, released, .. } = mine;
            released.assign(seen);
        }
    }
}

/// How an atomic is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    Store,
    ReadModifyWrite,
}

fn acquires(ordering: Ordering) -> bool {
    matches!(ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
}

fn releases(ordering: Ordering) -> bool {
    matches!(ordering, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
}
