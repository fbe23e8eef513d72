//! All that can come of a test if its calls run one after the other.

use crate::coarse::{Chooser, Left, Tree};
use crate::guess::Guesses;
use crate::outcome::{Came, Outcome, Texts};
use crate::runner::{Changed, Runner};
use crate::world::Passage;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_harness::EndedAs;

/// What is known of the orders of one test, as far as they were run.
#[derive(Default)]
struct Known {
    tree: Tree,
    left: Option<Left>,
    outcomes: Vec<Outcome>,
    set: FxHashSet<Outcome>,
    runs: u64,
    /// Whether an order did not come to its end.
    cut_short: bool,
}

/// The orders of one test, with all its calls and without some of them.
#[derive(Default)]
pub(crate) struct Orders {
    known: FxHashMap<Changed, Known>,
    /// How many orders may still be run.
    budget: u64,
    /// Outcomes of sequential runs leave values behind.
    pub(crate) leaves: bool,
}

/// Whether an order explains an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Explained {
    Yes,
    /// No order does.
    No,
    /// None of those that could be run.
    Unknown,
}

/// An outcome that is looked for among the orders.
pub(crate) struct Wanted<'a> {
    pub(crate) outcome: &'a Outcome,
    /// How the calls of the orders differ.
    pub(crate) changed: Changed,
    /// A bit for each call whose result is not compared.
    pub(crate) not_compared: u64,
    /// When its calls ran.
    pub(crate) passages: &'a [Passage],
}

impl Orders {
    pub(crate) fn new(budget: u64) -> Self {
        Self { budget, ..Self::default() }
    }

    /// How many orders were run.
    pub(crate) fn runs(&self) -> u64 {
        self.known.values().map(|known| known.runs).sum()
    }

    /// What came of all orders, as far as they were run.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.known.get(&Changed::default()).into_iter().flat_map(|known| &known.outcomes)
    }

    /// Looks for an order that explains the outcome, until one does.
    pub(crate) fn explain(
        &mut self,
        runner: &mut Runner,
        wanted: &Wanted<'_>,
        texts: &mut Texts,
    ) -> Explained {
        let mut want = wanted.outcome.without(wanted.not_compared);
        for (slot, result) in want.results.iter_mut().enumerate() {
            if wanted.changed.left_out >> slot & 1 == 1 {
                *result = None;
            }
        }
        want.panicked &= !wanted.changed.left_out;
        let known = self.known.entry(wanted.changed).or_default();
        let compare = |outcome: &Outcome| match wanted.not_compared {
            0 => *outcome == want,
            not_compared => outcome.without(not_compared) == want,
        };
        let is_known = match wanted.not_compared {
            0 => known.set.contains(&want),
            _ => known.outcomes.iter().any(compare),
        };
        if is_known {
            return Explained::Yes;
        }
        let mut guesses = Guesses::new(wanted.passages);
        while known.left != Some(Left::Nothing) {
            if self.budget == 0 {
                return Explained::Unknown;
            }
            self.budget -= 1;
            known.runs += 1;
            let came = match guesses.next() {
                Some(guess) => runner.order(Chooser::Follow(&guess), wanted.changed, texts),
                None => {
                    let came = runner.order(Chooser::Tree(&mut known.tree), wanted.changed, texts);
                    known.left = Some(known.tree.advance());
                    came
                }
            };
            let Came::Of(mut outcome) = came else { continue };
            if matches!(outcome.ended, EndedAs::TooLong | EndedAs::Other) {
                known.cut_short = true;
                continue;
            }
            self.leaves |= outcome.leaked > 0;
            outcome.leaked = 0;
            let explains = compare(&outcome);
            if known.set.insert(outcome.clone()) {
                known.outcomes.push(outcome);
            }
            if explains {
                return Explained::Yes;
            }
        }
        // An order that did not come to its end might have been the one.
        if known.cut_short { Explained::Unknown } else { Explained::No }
    }
}
