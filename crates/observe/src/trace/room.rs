//! How much a trace may make its readers keep.
//!
//! A few bytes of a trace can stand for much: a clock has an entry for each thread before the last one
//! that it knows, and an access may be to any number of bytes. A trace that was made for it could ask
//! for any amount of memory or time; one of a real execution stays far below. What is kept of each byte
//! that was accessed is limited by those who keep it.

use super::format::Nonsense;
use selvedge_model::ThreadId;

/// No execution has more threads.
pub(super) const MOST_THREADS: usize = 2048;

/// All clocks of an execution have no more entries together.
const ENTRIES: usize = 4 << 20;

/// An access is one to so many bytes, or counts as several.
const BULK: usize = 1024;

/// Large accesses of an execution are to no more of these together: 16 GiB.
const BULKS: usize = 16 << 20;

/// The name of a file is no longer: every event may say it.
const LONGEST_NAME: usize = 512;

/// The name of a file.
pub(super) fn name(text: &str) -> Result<&str, Nonsense> {
    match text.len() <= LONGEST_NAME {
        true => Ok(text),
        false => Err(Nonsense("the name of a file is longer than this program reads")),
    }
}

/// What has been used.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// How many entries the clock of each thread has.
    widths: Vec<usize>,
    entries: usize,
    bulks: usize,
}

impl Room {
    /// Another execution begins.
    pub(super) fn begin(&mut self) {
        self.widths.clear();
        (self.entries, self.bulks) = (0, 0);
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

    /// So many bytes of memory were accessed.
    #[inline]
    pub(super) fn touch(&mut self, size: usize) -> Result<(), Nonsense> {
        self.bulks = self.bulks.saturating_add(size / BULK);
        match self.bulks <= BULKS {
            true => Ok(()),
            false => Err(Nonsense("it accesses more memory than this program reads")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_accesses_end_somewhere() {
        let mut room = Room::default();
        let last = ThreadId(MOST_THREADS as u32 - 1);
        assert!((0..MOST_THREADS as u32).all(|thread| room.widen(ThreadId(thread), last).is_ok()));
        assert!((0..BULKS).all(|_| room.touch(8).is_ok()), "small ones do not count");
        assert!(room.touch(BULK * BULKS).is_ok());
        assert!(room.touch(BULK).is_err());
        assert!(Room::default().touch(usize::MAX).is_err());
    }
}
