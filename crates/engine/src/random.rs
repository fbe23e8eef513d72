//! What controlled threads get when they ask the system for random bytes.
//!
//! The bytes come from one of some streams, which the strategy picks for the whole execution, so that a program
//! that uses them can be replayed. Hash maps get their seeds from it, too (see [`crate::hash_keys`]). Each
//! thread has a part of its own, so that what it gets does not depend on who asks first.
//!
//! Most tests see no randomness at all, and it would be a waste to try all streams on them. So it is asked only
//! when an earlier execution has drawn some. Of a hash map's seed nobody is told when it is drawn; that is seen
//! afterwards.
//!
//! Source: SplitMix64 (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*,
//! OOPSLA 2014). The bytes are well mixed and no secret at all.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::hash_keys;
use crate::log::Logged;
use selvedge_model::Pick;

/// So many streams there are.
pub const RANDOM_STREAMS: usize = 16;

/// When it is asked which stream an execution sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskRandom {
    /// Never: it is the first.
    Never,
    /// If an earlier execution has drawn any bytes.
    IfDrawn,
    /// In each execution: a schedule says which.
    Always,
}

/// What the running execution sees of the system's randomness.
#[derive(Debug, Default)]
pub(crate) struct Randomness {
    /// The stream, from 0.
    stream: u32,
    /// Whether this execution has drawn from it.
    drawn: bool,
    /// Whether an earlier one has.
    drawn_before: bool,
}

impl Randomness {
    /// The next execution begins.
    pub(crate) fn reset(&mut self) {
        *self = Self { stream: 0, drawn: false, drawn_before: self.drawn_before || self.drawn };
    }

    /// Some bytes were drawn, here or in a process of its own.
    pub(crate) fn draw(&mut self) {
        self.drawn = true;
    }

    /// Whether this execution has drawn any.
    pub(crate) fn was_drawn(&self) -> bool {
        self.drawn
    }
}

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
        let stream = salt(execution.world.randomness.stream);
        let key = execution.info[me].key ^ 0x5e1f_ed6e_5e1f_ed6e ^ stream;
        execution.world.randomness.draw();
        let stream = &mut execution.threads[me].random;
        for chunk in buffer.chunks_mut(size_of::<u64>()) {
            let word = stream.next(key).to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

impl Execution {
    /// Lets the strategy say which random bytes there are, when the test's own thread is about to begin.
    pub(crate) fn choose_random_bytes(&mut self) {
        let asks = match self.settings.ask_random {
            AskRandom::Never => false,
            AskRandom::IfDrawn => self.world.randomness.drawn_before,
            AskRandom::Always => true,
        };
        if asks {
            let stream = self.ask_pick(Pick::RandomBytes, RANDOM_STREAMS) as u32;
            if stream != 0 {
                self.log(Logged::RandomBytes(stream));
            }
            self.world.randomness.stream = stream;
        }
        hash_keys::fix(salt(self.world.randomness.stream));
    }

    /// Notes whether a hash map has drawn a seed, after the last of the test's steps.
    pub(crate) fn look_at_hash_keys(&mut self) {
        if hash_keys::were_drawn() {
            self.world.randomness.draw();
        }
    }
}

/// What makes a stream another one; nothing for the first.
fn salt(stream: u32) -> u64 {
    u64::from(stream).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
