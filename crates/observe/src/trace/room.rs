//! How much a trace may make its readers keep.
//!
//! A few bytes of a trace can stand for much memory: a clock has an entry for each thread before the
//! last one that it knows, and whoever watches memory keeps a page of state for each page that was
//! accessed. A trace that was made for it could ask for any amount; one of an execution that fits
//! into the memory of a test stays far below.

use super::format::Nonsense;
use rustc_hash::FxHashSet;
use selvedge_model::ThreadId;

/// No execution has more threads.
pub(super) const MOST_THREADS: usize = 2048;

/// All clocks of an execution have no more entries together.
const ENTRIES: usize = 4 << 20;

/// Memory is counted in pages of this size.
const PAGE: usize = 1024;

/// No more pages are accessed in all executions together: 8 MiB.
const PAGES: usize = 6 << 10;

/// What has been used.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// How many entries the clock of each thread has.
    widths: Vec<usize>,
    entries: usize,
    pages: FxHashSet<usize>,
    last: Option<usize>,
}

impl Room {
    /// Another execution begins. What was kept of memory is kept on.
    pub(super) fn begin(&mut self) {
        self.widths.clear();
        self.entries = 0;
    }

    /// The clock of a thread has an entry for another one.
    #[inline]
    pub(super) fn widen(&mut self, clock: ThreadId, entry: ThreadId) -> Result<(), Nonsense> {
        if self.widths.len() <= clock.index() {
            self.widths.resize(clock.index() + 1, 0);
        }
        let width = &mut self.widths[clock.index()];
        if *width <= entry.index() {
            self.entries += entry.index() + 1 - *width;
            *width = entry.index() + 1;
        }
        match self.entries <= ENTRIES {
            true => Ok(()),
            false => Err(Nonsense("its clocks are larger than this program reads")),
        }
    }

    /// Memory was accessed.
    #[inline]
    pub(super) fn touch(&mut self, address: usize, size: usize) -> Result<(), Nonsense> {
        let (first, last) = (address / PAGE, (address + size.max(1) - 1) / PAGE);
        if first == last && self.last == Some(first) {
            return Ok(());
        }
        let fits = last - first < PAGES && {
            self.pages.extend(first..=last);
            self.pages.len() <= PAGES
        };
        self.last = Some(last);
        match fits {
            true => Ok(()),
            false => Err(Nonsense("it accesses more memory than this program reads")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_pages_end_somewhere() {
        let mut room = Room::default();
        let last = ThreadId(MOST_THREADS as u32 - 1);
        assert!((0..MOST_THREADS as u32).all(|thread| room.widen(ThreadId(thread), last).is_ok()));
        let mut room = Room::default();
        assert!(room.touch(usize::MAX - 8, 8).is_ok());
        assert!(room.touch(0, usize::MAX).is_err());
        let mut room = Room::default();
        assert!((0..PAGES).all(|page| room.touch(page * PAGE, 8).is_ok()));
        assert!((0..PAGES).all(|page| room.touch(page * PAGE, 8).is_ok()), "no page counts twice");
        assert!(room.touch(PAGES * PAGE, 1).is_err());
    }
}
