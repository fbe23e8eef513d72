//! What came of an execution, in a form that can be compared.

use crate::table::Table;
use crate::world::{Phase, SlotState, State, world};
use rustc_hash::FxHashMap;
use selvedge_engine::Ending;
use selvedge_harness::{EndedAs, Results, Seen};

/// What a call returned: a hash of it. What is not compared has the same for all.
const ANYTHING: u64 = 1;

/// What came of an execution. Calls are bits of numbers, by their slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    pub(crate) ended: EndedAs,
    pub(crate) results: Vec<Option<u64>>,
    pub(crate) panicked: u64,
    pub(crate) leaked: u32,
    pub(crate) twice: u32,
    pub(crate) after: u32,
}

/// What came of an execution, or that it does not count.
pub(crate) enum Came {
    Of(Outcome),
    /// The constructor or the prefix failed.
    Void,
}

/// Texts of results, by their hashes.
pub(crate) type Texts = FxHashMap<u64, String>;

/// What came of the execution that has just ended.
pub(crate) fn read(table: &Table, ending: &Ending, texts: &mut Texts) -> Came {
    let state = world();
    if state.phase == Phase::Before {
        return Came::Void;
    }
    let ended = class(ending);
    let mut outcome = Outcome {
        ended,
        results: Vec::with_capacity(state.test.len()),
        panicked: 0,
        leaked: 0,
        twice: state.drops.twice,
        after: state.drops.after,
    };
    for (slot, (_, called)) in state.test.calls().enumerate() {
        let result = state.result(slot).map(|(returned, text, hash)| {
            let panicked = returned == SlotState::Panicked;
            if panicked {
                outcome.panicked |= 1 << slot;
            }
            if table.calls[called.call.index()].results == Results::Layout && !panicked {
                return ANYTHING;
            }
            texts.entry(hash).or_insert_with(|| text.to_owned());
            hash
        });
        outcome.results.push(result);
    }
    outcome.leaked = left(&state, &outcome);
    Came::Of(outcome)
}

/// How many values are left where none should be.
fn left(state: &State, outcome: &Outcome) -> u32 {
    match (state.phase, outcome.panicked) {
        (Phase::Over, 0) => state.drops.alive,
        (Phase::Before | Phase::Threads | Phase::After | Phase::Over, _) => 0,
    }
}

fn class(ending: &Ending) -> EndedAs {
    match ending {
        Ending::Passed => EndedAs::Passed,
        Ending::Deadlock { .. } | Ending::Stuck => EndedAs::Blocked,
        Ending::StepLimit | Ending::CutOff | Ending::GivenUp => EndedAs::TooLong,
        Ending::Memory { .. } => EndedAs::Memory,
        Ending::Crashed { .. } => EndedAs::Crashed,
        Ending::Panicked { .. } => EndedAs::Panicked,
        Ending::Infeasible
        | Ending::Leaked
        | Ending::Shared { .. }
        | Ending::NeedsProcess
        | Ending::WentWrong => EndedAs::Other,
    }
}

impl Outcome {
    /// The same, with some results that are not compared, and without what is left.
    pub(crate) fn without(&self, not_compared: u64) -> Self {
        let mut outcome = self.clone();
        outcome.leaked = 0;
        for (slot, result) in outcome.results.iter_mut().enumerate() {
            if not_compared >> slot & 1 == 1 && result.is_some() && self.panicked >> slot & 1 == 0 {
                *result = Some(ANYTHING);
            }
        }
        outcome
    }

    /// As people read it.
    pub(crate) fn seen(&self, texts: &Texts) -> Seen {
        let text = |hash: &u64| texts.get(hash).cloned().unwrap_or_else(|| "…".to_owned());
        Seen {
            ended: self.ended,
            results: self.results.iter().map(|result| result.as_ref().map(text)).collect(),
            leaked: self.leaked,
            dropped_twice: self.twice,
            used_after_drop: self.after,
        }
    }
}
