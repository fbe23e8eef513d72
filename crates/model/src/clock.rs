//! How much of each thread a moment has seen.

use crate::ThreadId;

/// A vector clock: how much of each thread a moment has seen.
///
/// The entries of the first threads lie in the clock itself, so that the clocks of most tests
/// need no memory of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    near: [u32; NEAR],
    far: Vec<u32>,
}

/// How many threads have their entry in the clock itself.
pub(crate) const NEAR: usize = 8;

impl Clock {
    /// The clock that has seen nothing.
    pub const fn new() -> Self {
        Self { near: [0; NEAR], far: Vec::new() }
    }

    /// How much of the thread has been seen.
    #[inline]
    pub fn of(&self, thread: ThreadId) -> u32 {
        match self.near.get(thread.index()) {
            Some(&entry) => entry,
            None => self.far.get(thread.index() - NEAR).copied().unwrap_or(0),
        }
    }

    /// So much of the thread has been seen.
    pub fn set(&mut self, thread: ThreadId, seen: u32) {
        match self.near.get_mut(thread.index()) {
            Some(entry) => *entry = seen,
            None => {
                let index = thread.index() - NEAR;
                if self.far.len() <= index {
                    self.far.resize(index + 1, 0);
                }
                self.far[index] = seen;
            }
        }
    }

    /// Advances the thread's own entry.
    #[inline]
    pub fn tick(&mut self, thread: ThreadId) {
        match self.near.get_mut(thread.index()) {
            Some(entry) => *entry += 1,
            None => self.tick_far(thread.index() - NEAR),
        }
    }

    fn tick_far(&mut self, index: usize) {
        if self.far.len() <= index {
            self.far.resize(index + 1, 0);
        }
        self.far[index] += 1;
    }

    /// From now on has seen all that the other has seen.
    #[inline]
    pub fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.near.iter_mut().zip(&other.near) {
            *mine = (*mine).max(*theirs);
        }
        if !other.far.is_empty() {
            if self.far.len() < other.far.len() {
                self.far.resize(other.far.len(), 0);
            }
            for (mine, theirs) in self.far.iter_mut().zip(&other.far) {
                *mine = (*mine).max(*theirs);
            }
        }
    }

    /// Becomes a copy of the other, in the memory that it has.
    #[inline]
    pub fn assign(&mut self, other: &Self) {
        self.near = other.near;
        if !(self.far.is_empty() && other.far.is_empty()) {
            self.far.clear();
            self.far.extend_from_slice(&other.far);
        }
    }

    /// Forgets everything and keeps its memory.
    #[inline]
    pub fn clear(&mut self) {
        self.near = [0; NEAR];
        self.far.clear();
    }

    /// Whether nothing has been seen.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.near == [0; NEAR] && self.far.iter().all(|&entry| entry == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_takes_the_larger_of_each_entry() {
        let (a, b) = (ThreadId(0), ThreadId(30));
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
