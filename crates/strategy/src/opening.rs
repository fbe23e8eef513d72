//! Opening: the plainest schedules first.
//!
//! What is wrong in nearly every interleaving, or in the most extreme ones, should be found at once
//! and not by luck. So a campaign begins with four schedules that need no knowledge of the test
//! ([`Style`]). Which of the first two comes first depends on the seed, so that campaigns with
//! consecutive seeds, such as shards, begin differently.
//!
//! Source: our own; taking turns is the round robin that Thomson et al. (TOPC 2016) have as a
//! baseline, upside down, since in most tests the thread that was spawned last uses what the others
//! make.
//!
//! May miss: nearly everything. It has only four schedules.

use crate::Rng;
use crate::exported::{from_bytes, to_bytes};
use selvedge_model::{Fault, OperationKind, Pick, Progress, Rate, Strategy, ThreadId, View};

/// The schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// All begin, one operation each, from the first to the last; then they run to their ends, the
    /// last one first.
    AllBegin,
    /// All take turns, so many operations each, from the last thread down to the first.
    InTurn(u32),
    /// One after the other to its end, from the last but one down to the first, and the last one
    /// last.
    OneByOne,
}

/// The opening.
#[derive(Debug)]
pub(crate) struct Opening {
    rng: Rng,
    /// Those that are left.
    styles: Vec<Style>,
    style: Style,
    /// For how many more operations the running thread has its turn.
    left: u32,
}

impl Opening {
    pub(crate) fn new(seed: u64) -> Self {
        let mut styles = vec![Style::AllBegin, Style::InTurn(2), Style::OneByOne, Style::InTurn(1)];
        if seed % 2 == 1 {
            styles.swap(0, 1);
        }
        styles.reverse();
        Self { rng: Rng::new(seed), styles, style: Style::OneByOne, left: 0 }
    }
}

/// The thread after this one, going down and around.
fn below(view: &View<'_>, thread: ThreadId) -> Option<ThreadId> {
    let lower = view.enabled.iter().take_while(|&other| other < thread).last();
    lower.or_else(|| view.enabled.iter().last())
}

impl Strategy for Opening {
    fn name(&self) -> String {
        "opening".to_owned()
    }

    fn begin(&mut self) -> Progress {
        let Some(style) = self.styles.pop() else { return Progress::Exhausted };
        self.style = style;
        self.left = match style {
            Style::InTurn(operations) => operations,
            Style::AllBegin | Style::OneByOne => 0,
        };
        Progress::Continue
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        let current = view.current;
        let goes_on = view.could_continue();
        let next = match self.style {
            Style::AllBegin => {
                let is_fresh =
                    |thread: &ThreadId| view.pending(*thread).kind == OperationKind::ThreadStart;
                let fresh = view.enabled.iter().find(is_fresh);
                fresh.or(Some(view.undisturbed()))
            }
            Style::InTurn(_) if self.left > 0 && goes_on => {
                self.left -= 1;
                Some(current)
            }
            Style::InTurn(operations) => {
                self.left = operations - 1;
                below(view, current)
            }
            Style::OneByOne if goes_on && current != ThreadId::MAIN => Some(current),
            Style::OneByOne => {
                let last = ThreadId(view.threads.len() as u32 - 1);
                below(view, last).or(Some(last))
            }
        };
        next.unwrap_or(current)
    }

    fn continuations(&mut self) -> u32 {
        u32::MAX
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
