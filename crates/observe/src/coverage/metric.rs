//! The seam for metrics.

use super::fact::Facts;
use super::found::{Found, Tuple};
use super::sites::Sites;
use selvedge_model::{Event, Moment, Record};

/// Counts one kind of thing that executions do.
///
/// A metric is shown what happened and names what it sees as tuples of numbers. What the numbers
/// stand for is said by [`parts`](Self::parts), so that all else is done for it: tuples are counted
/// once, added up over executions, and shown to people with files and lines.
///
/// What a metric says of an execution must depend on that execution alone: one that repeats another
/// may be left out.
pub trait Metric {
    /// A short name.
    fn name(&self) -> String;

    /// What the tuples are made of.
    fn parts(&self) -> Vec<PartKind>;

    /// A new execution is about to begin: what is known of the last one is to be forgotten.
    fn begin(&mut self) {}

    /// A stretch of what happened in the execution, in order. Comes when the execution is over,
    /// again and again until all of it was shown.
    fn facts(&mut self, _facts: &Facts, _found: &mut Found) {}

    /// Whether [`event`](Self::event) is to be called, which makes executions slower.
    fn wants_events(&self) -> bool {
        false
    }

    /// An operation was just carried out, and this is what other threads are about to do.
    fn event(
        &mut self,
        _event: &Event,
        _moment: &Moment<'_>,
        _sites: &mut Sites,
        _found: &mut Found,
    ) {
    }

    /// The execution is over, and all of it was shown.
    fn end(&mut self, _record: &Record<'_>, _sites: &mut Sites, _found: &mut Found) {}

    /// Requirements that must be possible, given that these were covered in the campaign; those that
    /// are covered as well are sorted out by the caller.
    fn possible(&self, _covered: &[Tuple]) -> Vec<Tuple> {
        Vec::new()
    }

    /// What a covered requirement counts for, if they differ.
    fn weight(&self, _covered: &Tuple) -> Option<u64> {
        None
    }
}

/// What a part of a tuple stands for. The text is its role in the requirement, such as *then*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// A place in the program: a number that [`Sites`] gave out.
    Site(&'static str),
    /// An object or a variable, by its number in the execution.
    Object(&'static str),
    /// A thread, by its number in the execution.
    Thread(&'static str),
    /// A set that [`Found::set`] has numbered.
    Set(&'static str),
    /// One of several states, by its position.
    State(&'static str, &'static [&'static str]),
}
