//! What controlled threads get when they ask the system for random bytes.
//!
//! The bytes are the same in every execution, or else a program that uses them could not be
//! replayed. Each thread has a stream of its own, so that what it gets does not depend on who asks
//! first.
//!
//! Source: SplitMix64 (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*,
//! OOPSLA 2014). The bytes are well mixed and no secret at all.

use crate::context::Controlled;

/// The stream of one thread.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RandomBytes {
    drawn: u64,
}

impl RandomBytes {
    /// The next word of the stream of the thread with the given key.
    fn next(&mut self, key: u64) -> u64 {
        self.drawn += 1;
        let mut mixed = key.wrapping_add(self.drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Controlled {
    /// Fills the buffer with what the running thread gets for random bytes. No operation: nobody
    /// else can tell.
    pub fn fill_random(self, buffer: &mut [u8]) {
        let mut execution = self.execution();
        let me = execution.current.index();
        // The test's own thread has the key 0.
        let key = execution.info[me].key ^ 0x5e1f_ed6e_5e1f_ed6e;
        let stream = &mut execution.threads[me].random;
        for chunk in buffer.chunks_mut(size_of::<u64>()) {
            let word = stream.next(key).to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}
