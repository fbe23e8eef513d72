//! How much memory we take for a test, beside what is its own.
//!
//! Each part of us that keeps what happened has a limit and says when it leaves something out. This
//! is for what they do not see: whoever watches an exploration looks at the whole process every now
//! and then, asks the exploration to stop when we take too much, and gives it up when that does not
//! help. The machine is never the one to pay.
//!
//! What is ours is what the C library has allocated: tests with an arena have their data there. So
//! nothing is known, and nothing done, where tests have no arena.

use selvedge_engine::{Watch, footprint, heap};
use selvedge_model::{Config, Isolation};

/// How much we take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Not too much.
    Fine,
    /// So much that the exploration should come to its end.
    TooMuch,
    /// So much that nobody can wait for that.
    FarTooMuch,
    /// Not we but the test takes too much, in bytes: it touches what it has allocated without
    /// allocating any more, where nobody else would notice.
    OfTest(usize),
}

/// What may be taken.
pub(crate) struct Limits {
    /// By us, in bytes; nothing if it is not known what is ours.
    own: Option<usize>,
    /// By the test with all that belongs to its blocks, in bytes.
    test: usize,
}

impl Limits {
    pub(crate) fn of_config(config: &Config) -> Self {
        let own = match config.isolation {
            Isolation::On | Isolation::Fork => heap::is_asked().then_some(config.own_memory),
            Isolation::Off => None,
        };
        // What was freed is kept for a while, and each block has a head.
        let test = config.memory.saturating_mul(2).saturating_add(config.quarantine);
        Self { own, test }
    }

    /// Looks at the process. Nobody may fork meanwhile.
    pub(crate) fn look(&self, watch: &Watch) -> Verdict {
        let Some(own) = self.own else { return Verdict::Fine };
        let resident = footprint::resident();
        // Mostly the process as a whole takes less than we may.
        if resident <= own {
            return Verdict::Fine;
        }
        let touched = heap::touched();
        if touched > self.test {
            return Verdict::OfTest(touched);
        }
        match footprint::allocated() {
            taken if taken > own.saturating_mul(2) => Verdict::FarTooMuch,
            taken if taken > own => {
                watch.has_no_memory();
                Verdict::TooMuch
            }
            _ => Verdict::Fine,
        }
    }
}

/// So much may be left in the C library's heap when an exploration is over.
const LEFT: usize = 64 << 20;

/// Gives memory back that nobody uses, when an exploration is over.
pub(crate) fn give_back() {
    if footprint::resident() > LEFT {
        footprint::give_back();
    }
}
