//! Fest: an execution that has shown something new is run again, with some choices changed.
//!
//! Source: the feedback-guided scheduler of Fray (Li et al., *Fray*, OOPSLA 2025, and *Fest*, NSDI
//! 2026): streams of choices are kept when coverage grows, and mutated.
//!
//! Deviations: (1) what counts as coverage are the pairs of [`crate::pairs`] and their
//! combinations; (2) a choice is the thread that was chosen, and where that thread can not run the
//! running one goes on; (3) besides changing single choices, everything after a random moment is
//! drawn anew; (4) the corpus is that of the whole portfolio.
//!
//! May miss: what no step towards it makes look new.

use crate::exported::{from_bytes, to_bytes};
use crate::shared::{Knowledge, is_continuation};
use crate::{Portfolio, Rng};
use selvedge_model::{Config, Fault, Pick, Progress, Rate, Strategy, ThreadId, View};

/// Mutated streams of choices.
#[derive(Debug)]
pub struct Fest {
    rng: Rng,
    shared: Knowledge,
    /// The choices to repeat.
    parent: Vec<ThreadId>,
    /// At these positions of them something else is chosen; in descending order.
    changes: Vec<usize>,
    /// From here on nothing is repeated.
    end: usize,
    /// How many choices were made.
    at: usize,
}

/// At most so many choices are changed.
const MOST_CHANGES: u64 = 5;

impl Fest {
    pub(crate) fn new(seed: u64, shared: &Knowledge) -> Self {
        Self {
            rng: Rng::new(seed),
            shared: Knowledge::clone(shared),
            parent: Vec::new(),
            changes: Vec::new(),
            end: 0,
            at: 0,
        }
    }
}

pub(crate) fn make(config: &Config) -> Box<dyn Strategy> {
    Box::new(Portfolio::of_one(|known| Fest::new(config.seed, known)))
}

impl Strategy for Fest {
    fn name(&self) -> String {
        "fest".to_owned()
    }

    fn begin(&mut self) -> Progress {
        self.at = 0;
        self.parent.clear();
        self.changes.clear();
        let mut shared = self.shared.borrow_mut();
        if let Some(entry) = shared.corpus.pick(&mut self.rng) {
            self.parent.extend_from_slice(&entry.chosen);
        }
        let length = self.parent.len();
        self.end = length;
        if length > 0 {
            if self.rng.coin() {
                self.end = self.rng.below(length as u64) as usize;
            } else {
                for _ in 0..=self.rng.below(MOST_CHANGES) {
                    self.changes.push(self.rng.below(length as u64) as usize);
                }
                self.changes.sort_unstable_by(|a, b| b.cmp(a));
                self.changes.dedup();
            }
        }
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        // A switch at a continuation is repeated at the operation that comes next.
        if is_continuation(view) {
            return match self.at < self.end {
                true => view.current,
                false => self.rng.pick(view.enabled),
            };
        }
        let at = self.at;
        self.at += 1;
        if self.changes.last() == Some(&at) {
            self.changes.pop();
            return self.rng.pick(view.enabled);
        }
        match self.parent.get(at) {
            Some(&thread) if at < self.end => {
                if view.enabled.contains(thread) {
                    thread
                } else {
                    view.undisturbed()
                }
            }
            _ => self.rng.pick(view.enabled),
        }
    }

    fn continuations(&mut self) -> u32 {
        self.rng.continuations()
    }

    fn pick(&mut self, _: &View<'_>, pick: Pick, of: usize) -> usize {
        self.rng.one_of(pick, of)
    }

    fn fault(&mut self, _: &View<'_>, _: Fault, rate: Rate) -> bool {
        self.rng.fault(rate)
    }

    fn export(&self) -> Vec<u8> {
        to_bytes(&self.rng)
    }

    fn import(&mut self, exported: &[u8]) {
        self.rng = from_bytes(exported);
    }
}
