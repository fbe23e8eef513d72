//! Traces: everything that observers are told of the executions of a test, as bytes.
//!
//! A [`TraceWriter`] is an observer like any other; what it was told, a [`Trace`] tells other
//! observers again, call by call, with the same arguments. So what they say of a stored trace is what
//! they would have said at once. Clocks are stored and not computed anew.
//!
//! Not in a trace: values of the program beyond those in effects, decisions, and what was tried after
//! the exploration to confirm a finding or to bring a prediction about.

mod format;
mod player;
mod reader;
mod room;
mod writer;

pub use player::{Judged, Played, Player};
pub use reader::Trace;
pub use writer::{TraceWriter, Written};

use crate::Watchers;
use crate::detect::Detectors;
use selvedge_model::{Event, Moment, Observer, Race};

/// Whoever reads a trace from elsewhere sets `own_memory` to this, in bytes.
pub const MEMORY: usize = 256 << 20;

/// What a trace is of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The test.
    pub test: String,
    /// The program that it is in, whose debug information knows the lines of instructions.
    pub program: String,
    /// The settings with which it was watched, by name.
    pub settings: Vec<(String, String)>,
}

/// A trace can not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The file is something else.
    #[error("it is no trace: traces are written by `cargo selvedge test --trace`")]
    Foreign,
    /// Another version wrote it.
    #[error(
        "it has version {0} of the format, and this program reads version {VERSION}; read it with \
         the version that wrote it, or write it again",
        VERSION = format::VERSION
    )]
    Version(u8),
    /// Its end is missing.
    #[error("it is cut off after {whole} whole executions; write it again")]
    CutOff {
        /// So many are there.
        whole: usize,
    },
    /// Metrics or detectors would find more in it than fits into memory.
    #[error(
        "there is more in it than this program keeps: ask for fewer metrics or detectors, or write a \
         shorter one"
    )]
    Large,
    /// Something in it was changed, or was never right.
    #[error("it is damaged: {chunk} can not be read ({what}); write it again")]
    Damaged {
        /// Where.
        chunk: String,
        /// What is wrong.
        what: &'static str,
    },
}

/// What came of showing a trace to those who watch, beside what they keep themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysed {
    /// How many executions there were.
    pub executions: u64,
    /// How many events and accesses they had together.
    pub records: u64,
    /// The first data race of each execution that had one, with the number of the execution.
    pub races: Vec<(u64, Race)>,
}

/// No more requirements of a trace are kept: each names several places in words.
const REQUIREMENTS: usize = 100_000;

/// No more suspicions of a trace are kept; nobody reads as many.
const SUSPICIONS: usize = 2000;

/// Shows a trace to those who watch, as the exploration would have.
pub fn analyse(trace: &Trace<'_>, watchers: &mut Watchers) -> Result<Analysed, TraceError> {
    let mut analysed = Analysed::default();
    if let Some(coverage) = &mut watchers.coverage {
        coverage.limit();
    }
    if let Some(detectors) = &mut watchers.detectors {
        detectors.limit(SUSPICIONS);
    }
    let mut player = trace.player();
    loop {
        let nobody: &mut dyn Observer = &mut Nobody;
        let Some(played) = player.play(watchers.observer().unwrap_or(nobody))? else {
            return Ok(analysed);
        };
        if watchers.coverage.as_ref().is_some_and(|one| one.had_more(REQUIREMENTS))
            || watchers.detectors.as_ref().is_some_and(Detectors::had_more)
        {
            return Err(TraceError::Large);
        }
        analysed.executions += 1;
        analysed.records += played.records;
        analysed.races.extend(played.race.map(|race| (played.execution, race)));
        if let Some(Judged { verdict, threads }) = played.judged {
            watchers.judge(verdict, || threads.clone());
        }
    }
}

/// Watches executions that nobody wants to.
struct Nobody;

impl Observer for Nobody {
    fn event(&mut self, _event: &Event, _moment: &Moment<'_>) {}
}
