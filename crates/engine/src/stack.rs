//! Stacks for fibers: mapped once, guarded, coloured.

use corosensei::stack::{DefaultStack, Stack, StackPointer};
use std::io;

/// A mapped stack with a guard page at its end.
///
/// Mappings begin at page boundaries, so the same frame of every fiber would fall into the same
/// few cache sets and a program with many threads would run from memory. Each stack therefore
/// begins at another offset (its colour).
pub(crate) struct ColouredStack {
    stack: DefaultStack,
    offset: usize,
}

/// Stacks with colours this far apart share no cache line of the busiest frames.
const COLOUR_STEP: usize = 320;
/// After this many colours they repeat; the offsets stay below one page.
const COLOURS: usize = 12;

impl ColouredStack {
    /// Maps a stack of at least `size` bytes; `number` chooses the colour.
    pub(crate) fn map(size: usize, number: usize) -> io::Result<Self> {
        let offset = (number % COLOURS) * COLOUR_STEP / 16 * 16;
        Ok(Self { stack: DefaultStack::new(size + COLOURS * COLOUR_STEP)?, offset })
    }
}

// SAFETY: The inner stack upholds the contract; starting below its base only makes the usable
// part smaller. The offset is a multiple of 16, so the base keeps the alignment that is asked.
unsafe impl Stack for ColouredStack {
    #[inline]
    fn base(&self) -> StackPointer {
        StackPointer::new(self.stack.base().get() - self.offset)
            .expect("a stack does not lie at address zero")
    }

    #[inline]
    fn limit(&self) -> StackPointer {
        self.stack.limit()
    }
}
