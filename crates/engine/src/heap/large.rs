//! Large blocks, which the test may have asked for and never touched.
//!
//! They begin as fresh pages of the system, and a page that nobody has touched takes no memory:
//! `vec![0; 1 << 30]` costs nothing until it is used. Which pages were touched, the system knows. It
//! is asked only when all that is allocated would be more than the limit, and not at every
//! allocation from then on.

use super::span;

/// So much more must be allocated before the system is asked again, at least.
const LEAST: usize = 1 << 20;

/// The large blocks that are allocated.
#[derive(Default)]
pub(super) struct Large {
    /// Where they begin, and how many bytes were asked for.
    blocks: Vec<(usize, usize)>,
    /// How many bytes of them had not been touched when the system was last asked.
    untouched: usize,
    /// When so much is allocated, it is asked again.
    again: usize,
}

impl Large {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        (self.untouched, self.again) = (0, 0);
    }

    pub(super) fn add(&mut self, block: usize, size: usize) {
        self.blocks.push((block, size));
    }

    pub(super) fn remove(&mut self, block: usize) {
        if let Some(position) = self.blocks.iter().rposition(|(start, _)| *start == block) {
            self.blocks.swap_remove(position);
            (self.untouched, self.again) = (0, 0);
        }
    }

    pub(super) fn shrink(&mut self, block: usize, size: usize) {
        if let Some(known) = self.blocks.iter_mut().find(|(start, _)| *start == block) {
            known.1 = size;
            (self.untouched, self.again) = (0, 0);
        }
    }

    /// How much is in use, if that is more than the limit and so much is allocated.
    #[cold]
    pub(super) fn exceeds(&mut self, allocated: usize, limit: usize) -> Option<usize> {
        if allocated < self.again {
            return None;
        }
        let untouched = |&(block, size): &(usize, usize)| {
            size.saturating_sub(span::resident(block..block + size))
        };
        self.untouched = self.blocks.iter().map(untouched).sum();
        let used = allocated.saturating_sub(self.untouched);
        if used > limit {
            self.again = 0;
            return Some(used);
        }
        self.again = allocated + ((limit - used) / 2).max(LEAST);
        None
    }
}
