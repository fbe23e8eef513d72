//! The locks that each thread holds.

use crate::coverage::{Fact, Hold, SiteNumber};

/// A lock in a thread's hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldLock {
    /// Which one, by its number in the execution.
    pub lock: u32,
    /// How.
    pub hold: Hold,
    /// Where it was taken.
    pub site: SiteNumber,
}

/// The locks that each thread holds, in the order in which they were taken.
#[derive(Default)]
pub struct HeldLocks {
    threads: Vec<Vec<HeldLock>>,
}

impl HeldLocks {
    /// Nobody holds anything.
    pub fn clear(&mut self) {
        self.threads.iter_mut().for_each(Vec::clear);
    }

    /// The locks in the hand of a thread.
    #[inline]
    pub fn of(&self, thread: u32) -> &[HeldLock] {
        self.threads.get(thread as usize).map_or(&[], Vec::as_slice)
    }

    /// Notes what a fact does to locks.
    #[inline]
    pub fn see(&mut self, fact: &Fact) {
        if let Some((lock, hold)) = fact.unlocks() {
            let held = self.hand(fact.thread);
            let taken = held.iter().rposition(|held| held.lock == lock && held.hold == hold);
            if let Some(position) = taken {
                held.remove(position);
            }
        }
        if let Some((lock, hold)) = fact.locks() {
            let site = fact.site;
            self.hand(fact.thread).push(HeldLock { lock, hold, site });
        }
    }

    fn hand(&mut self, thread: u32) -> &mut Vec<HeldLock> {
        let index = thread as usize;
        if self.threads.len() <= index {
            self.threads.resize_with(index + 1, Vec::new);
        }
        &mut self.threads[index]
    }
}
