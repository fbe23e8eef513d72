//! The seam between the engine and whoever watches.

use crate::{Event, ThreadId};

/// A vector clock: how much of each thread a moment has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    entries: Vec<u32>,
}

impl Clock {
    /// The clock that has seen nothing.
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// How much of the thread has been seen.
    #[inline]
    pub fn of(&self, thread: ThreadId) -> u32 {
        self.entries.get(thread.index()).copied().unwrap_or(0)
    }

    /// Advances the thread's own entry.
    #[inline]
    pub fn tick(&mut self, thread: ThreadId) {
        if self.entries.len() <= thread.index() {
            self.entries.resize(thread.index() + 1, 0);
        }
        self.entries[thread.index()] += 1;
    }

    /// From now on has seen all that the other has seen.
    #[inline]
    pub fn join(&mut self, other: &Self) {
        if self.entries.len() < other.entries.len() {
            self.entries.resize(other.entries.len(), 0);
        }
        for (mine, theirs) in self.entries.iter_mut().zip(&other.entries) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Becomes a copy of the other, in the memory that it has.
    #[inline]
    pub fn assign(&mut self, other: &Self) {
        self.entries.clear();
        self.entries.extend_from_slice(&other.entries);
    }

    /// Forgets everything and keeps its memory.
    #[inline]
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Whether nothing has been seen.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// Watches an execution, event by event, in the order in which they happened.
///
/// Observers keep no wall-clock time and do no I/O, so that they work the same live and on a
/// stored trace.
pub trait Observer {
    /// A new execution is about to begin.
    fn begin(&mut self) {}

    /// An operation was carried out.
    ///
    /// `clock` is what its thread has seen up to and including it: an event of thread `t` whose
    /// own entry was `n` happened before this one if and only if `clock.of(t) >= n`. It is empty
    /// if clocks are switched off.
    fn event(&mut self, event: &Event, clock: &Clock);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_takes_the_larger_of_each_entry() {
        let (a, b) = (ThreadId(0), ThreadId(3));
        let mut left = Clock::new();
        left.tick(a);
        left.tick(a);
        let mut right = Clock::new();
        right.tick(a);
        right.tick(b);
        left.join(&right);
        assert_eq!((left.of(a), left.of(b), left.of(ThreadId(9))), (2, 1, 0));
    }
}
