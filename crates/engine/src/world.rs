//! What lies outside of an execution and has to do with it.

use crate::outside::Outside;
use crate::outside_threads::OutsideStart;
use crate::own_files::OwnFiles;
use crate::process_state::Journal;
use crate::random::Randomness;
use crate::timer::Timers;

/// What the execution waits for, has opened, has changed and has started in the world around it.
#[derive(Default)]
pub(crate) struct World {
    /// Who waits for what no thread of the execution may bring about.
    pub(crate) outside: Outside,
    /// The files that were opened and are not closed.
    pub(crate) own_files: OwnFiles,
    /// What of the process is to be put back.
    pub(crate) journal: Journal,
    /// What is seen of the system's randomness.
    pub(crate) randomness: Randomness,
    /// The timers that are files.
    pub(crate) timers: Timers,
    /// The threads that were started without being under control.
    pub(crate) outside_threads: Vec<OutsideStart>,
}

impl World {
    /// Forgets the last execution. What it has opened and changed was put right at its end.
    pub(crate) fn reset(&mut self) {
        self.outside.reset();
        self.randomness.reset();
        self.timers.reset();
        self.outside_threads.clear();
    }
}
