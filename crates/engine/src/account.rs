//! What is left of an execution besides its events.

use crate::log::LogEntry;
use crate::output::Output;
use crate::panic::Panics;
use crate::progress::Moment;
use crate::statics::StaticTrace;
use selvedge_model::{Access, NotKept, Race};

/// What was noted of an execution.
#[derive(Default)]
pub(crate) struct Account {
    /// The decisions, as they were taken.
    pub(crate) log: Vec<LogEntry>,
    /// Accesses to data behind locks, each with the number of events before it; only if they are
    /// wanted.
    pub(crate) accesses: Vec<(usize, Access)>,
    pub(crate) panics: Panics,
    /// What the test has printed.
    pub(crate) output: Output,
    /// How often the strategy was asked.
    pub(crate) choices: u64,
    /// How often it was asked something that matters to a single thread, too.
    pub(crate) lone_choices: u64,
    /// How many polls of wrapped futures there were.
    pub(crate) wrapped_polls: u64,
    /// The number of steps that all executions before this one had.
    pub(crate) first_step: u64,
    /// The data race that was seen, if there was one.
    pub(crate) race: Option<Race>,
    /// What was not kept in full of the execution.
    pub(crate) not_kept: Vec<NotKept>,
    /// Where the execution is to end, if it is run again for what came before its end.
    pub(crate) last_moment: Option<Moment>,
    /// What was found when static state was put back last.
    pub(crate) static_trace: StaticTrace,
}

impl Account {
    /// Forgets the last execution, which had so many steps, and keeps its memory.
    pub(crate) fn reset(&mut self, steps: u64) {
        self.log.clear();
        self.accesses.clear();
        self.panics.reset();
        self.output.clear();
        self.choices = 0;
        self.lone_choices = 0;
        self.wrapped_polls = 0;
        self.first_step += steps;
        self.race = None;
        self.not_kept.clear();
    }
}
