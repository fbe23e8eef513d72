//! Accesses that say nothing new.
//!
//! An access of a thread to the same bytes as before, with no operation of the thread in between, is
//! ordered with the accesses of others exactly as the one before was. Loops make many of these. Who
//! wants all accesses gets these as well.

use super::Touch;
use crate::execution::Execution;
use selvedge_model::{AccessKind, AccessMode, Toggle};

/// How many accesses are remembered. Two to the same place in this table push each other out.
const REMEMBERED: usize = 1 << 9;

/// The last accesses.
pub(super) struct Recent {
    entries: Box<[Entry; REMEMBERED]>,
    /// What is older than this does not count any more.
    generation: u32,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Entry {
    address: usize,
    size: usize,
    thread: u32,
    time: u32,
    generation: u32,
    written: bool,
}

impl Default for Recent {
    fn default() -> Self {
        Self { entries: Box::new([Entry::default(); REMEMBERED]), generation: 1 }
    }
}

impl Recent {
    /// Whatever was accessed may be something else from now on.
    pub(super) fn forget(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.fill(Entry::default());
            self.generation = 1;
        }
    }
}

impl Execution {
    /// Whether an access says nothing new; remembers it.
    #[inline]
    pub(super) fn is_repeated(&mut self, touch: &Touch) -> bool {
        let &Touch { kind, mode, address, size } = touch;
        if mode != AccessMode::Plain || self.settings.accesses == Toggle::On {
            return false;
        }
        let thread = self.current;
        let time = self.clocks[thread.index()].seen.of(thread);
        let Recent { entries, generation } = &mut self.memory.recent;
        let entry = &mut entries[(address >> 3) % REMEMBERED];
        let written = kind == AccessKind::Write;
        let same =
            Entry { address, size, thread: thread.0, time, generation: *generation, written };
        if *entry == same || (entry.written && *entry == Entry { written: true, ..same }) {
            return true;
        }
        *entry = same;
        false
    }
}
