//! Which calls have to do with each other.
//!
//! Two calls conflict if they do something to the same lock, atomic or channel, and not both only look. Each pair is run once,
//! one call after the other on a new object, and what each did is read off the record. Calls that do not conflict when they run
//! alone may do so in another state, so this says where to look first, not where to look at all.

use crate::runner::Runner;
use crate::steer::Steer;
use crate::wall_clock::now;
use selvedge_harness::CallId;
use selvedge_model::{Event, ObjectId, OperationKind};
use std::time::Duration;

/// For so long at most; what was not run by then counts as a conflict.
const TIME: Duration = Duration::from_millis(400);

/// What is known of all pairs.
pub(crate) struct Conflicts {
    calls: usize,
    /// Those that do not conflict.
    apart: Vec<bool>,
}

impl Conflicts {
    /// Whether two calls have to do with each other, as far as is known.
    pub(crate) fn are(&self, one: CallId, other: CallId) -> bool {
        !self.apart[one.index() * self.calls + other.index()]
    }

    /// Runs all pairs of these calls of a table.
    pub(crate) fn find(
        runner: &mut Runner,
        steer: &mut Steer,
        usable: &[CallId],
        calls: usize,
    ) -> Self {
        let mut conflicts = Self { calls, apart: vec![false; calls * calls] };
        let Some(&constructor) = steer.constructors().first() else { return conflicts };
        let begun = now();
        for (at, &one) in usable.iter().enumerate() {
            for &other in &usable[at..] {
                if begun.elapsed() > TIME {
                    return conflicts;
                }
                let test = steer.one_after_the_other(constructor, one, other);
                runner.take(&test);
                if runner.marked(are_apart) {
                    conflicts.apart[one.index() * calls + other.index()] = true;
                    conflicts.apart[other.index() * calls + one.index()] = true;
                }
            }
        }
        conflicts
    }
}

/// Whether two calls are known not to conflict. Between them, before and after them is an operation on the gate, and
/// another one before everything else.
fn are_apart(events: &[Event]) -> bool {
    let first = events.iter().find(|event| event.operation.kind == OperationKind::AtomicRmw);
    let Some(gate) = first.map(|event| event.operation.object) else { return false };
    let marks: Vec<_> =
        (0..events.len()).filter(|&at| events[at].operation.object == gate).collect();
    let [_, before, between, after] = marks[..] else { return false };
    let did = |from: usize, to: usize| {
        let operations = events[from + 1..to].iter().map(|event| &event.operation);
        operations.filter(|operation| operation.object != ObjectId::NONE)
    };
    !did(before, between).any(|one| did(between, after).any(|other| one.conflicts_with(other)))
}
