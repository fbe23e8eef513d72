//! Accesses that say nothing new.
//!
//! An access of a thread to the same bytes as before, with no operation of the thread in between, is
//! ordered with the accesses of others exactly as the one before was. Loops make many of these. Who
//! wants all accesses gets these as well.

use super::{MOST_THREADS, Touch};
use crate::execution::Execution;
use selvedge_model::{AccessKind, AccessMode, Toggle};

/// How many accesses are remembered. Two to the same place in this table push each other out.
const REMEMBERED: usize = 1 << 8;

/// The last accesses: an address, and all else that makes two accesses the same.
pub(super) struct Recent {
    entries: Box<[(usize, u64); REMEMBERED]>,
    /// What is older than this does not count any more.
    generation: u64,
}

/// How many generations there are before all has to be forgotten.
const GENERATIONS: u64 = 1 << 18;
/// Set in the mark of a write. Whoever has written may read.
const WRITTEN: u64 = 1;

impl Default for Recent {
    fn default() -> Self {
        Self { entries: Box::new([(0, 0); REMEMBERED]), generation: 1 }
    }
}

impl Recent {
    /// Whatever was accessed may be something else from now on.
    pub(super) fn forget(&mut self) {
        self.generation += 1;
        if self.generation == GENERATIONS {
            self.entries.fill((0, 0));
            self.generation = 1;
        }
    }
}

impl Execution {
    /// Whether an access says nothing new; remembers it.
    #[inline]
    pub(super) fn is_repeated(&mut self, touch: &Touch) -> bool {
        const { assert!(MOST_THREADS <= 1 << 10, "a thread has ten bits in a mark") };
        let &Touch { kind, mode, address, size } = touch;
        if mode != AccessMode::Plain || size > 16 || self.settings.every_access == Toggle::On {
            return false;
        }
        let thread = self.current;
        let time = u64::from(self.order.seen(thread).of(thread));
        let Recent { entries, generation } = &mut self.memory.recent;
        // Up to here every size is a power of two, but for short copies.
        if !size.is_power_of_two() {
            return false;
        }
        let log = u64::from(size.trailing_zeros());
        let mark = (time << 32) | (u64::from(thread.0) << 22) | (*generation << 4) | (log << 1);
        let entry = &mut entries[(address >> 3) % REMEMBERED];
        let mark = match kind {
            AccessKind::Read if *entry == (address, mark | WRITTEN) => return true,
            AccessKind::Read => mark,
            AccessKind::Write => mark | WRITTEN,
        };
        let same = *entry == (address, mark);
        *entry = (address, mark);
        same
    }
}
