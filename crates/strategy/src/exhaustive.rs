//! Exhaustive: every schedule, depth first.
//!
//! Source: plain stateless search, with the preemption bound of Musuvathi and Qadeer, *Iterative
//! context bounding* (PLDI 2007).
//!
//! Deviations: (1) which stops there are is the engine's business; a campaign searches first those
//! that can matter and then all of them, each time with a fresh search; (2) faults (timeouts, spurious
//! wake-ups, weak failures, those of polls) are bounded, one of each kind in an execution when rare, two when
//! eager, because a loop could otherwise meet them for ever.
//!
//! When the space is exhausted without a finding, there is none within these bounds, for the
//! memory model of sequential consistency and a thread that spins counted as one that waits.

use crate::exported::{from_bytes, to_bytes};
use selvedge_model::{Config, Fault, LeftOut, Pick, Progress, Rate, Strategy, ThreadId, View};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Depth-first search of all schedules.
#[derive(Debug)]
pub struct Exhaustive {
    preemptions: Option<u32>,
    /// The choices of the current execution from the first to the deepest.
    path: Vec<Branch>,
    /// How many of them have been taken in the current execution.
    depth: usize,
    preempted: u32,
    faults: [u32; Fault::KINDS],
    /// What the bounds have kept it from trying.
    left_out: BTreeSet<LeftOut>,
    /// Whether any execution has been run.
    state: SearchState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchState {
    Fresh,
    Running,
    Exhausted,
}

/// A choice: which alternative is being explored, and which remain.
#[derive(Debug, Serialize, Deserialize)]
struct Branch {
    taken: u32,
    remaining: Vec<u32>,
}

impl Exhaustive {
    /// A search of all schedules, or of those with at most so many preemptions.
    pub fn new(preemptions: Option<u32>) -> Self {
        Self {
            preemptions,
            path: Vec::new(),
            depth: 0,
            preempted: 0,
            faults: [0; Fault::KINDS],
            left_out: BTreeSet::new(),
            state: SearchState::Fresh,
        }
    }

    /// Takes the choice that the current path says; beyond its end the first of `alternatives`.
    fn choose(&mut self, alternatives: impl FnOnce() -> Vec<u32>) -> u32 {
        let depth = self.depth;
        self.depth += 1;
        if let Some(branch) = self.path.get(depth) {
            return branch.taken;
        }
        let mut remaining = alternatives();
        // Taken from the end later on.
        remaining.reverse();
        let taken = remaining.pop().expect("there is always a way on");
        self.path.push(Branch { taken, remaining });
        taken
    }

    /// Steps to the next path that has not been explored.
    fn advance(&mut self) -> Progress {
        while let Some(branch) = self.path.last_mut() {
            if let Some(next) = branch.remaining.pop() {
                branch.taken = next;
                return Progress::Continue;
            }
            self.path.pop();
        }
        Progress::Exhausted
    }
}

pub(crate) fn make(config: &Config) -> Box<dyn Strategy> {
    Box::new(Exhaustive::new(config.preemptions))
}

impl Strategy for Exhaustive {
    fn name(&self) -> String {
        match self.preemptions {
            None => "exhaustive".to_owned(),
            Some(bound) => format!("exhaustive, at most {bound} preemptions"),
        }
    }

    fn begin(&mut self) -> Progress {
        self.depth = 0;
        self.preempted = 0;
        self.faults = [0; Fault::KINDS];
        let progress = match self.state {
            SearchState::Fresh => Progress::Continue,
            SearchState::Running => self.advance(),
            SearchState::Exhausted => Progress::Exhausted,
        };
        self.state = match progress {
            Progress::Continue => SearchState::Running,
            Progress::Exhausted => SearchState::Exhausted,
        };
        progress
    }

    fn next_thread(&mut self, view: &View<'_>) -> ThreadId {
        if let Some(bound) = self.preemptions
            && self.preempted >= bound
            && view.could_continue()
        {
            if view.enabled.iter().any(|thread| thread != view.current) {
                self.left_out.insert(LeftOut::Preemptions(bound));
            }
            return view.current;
        }
        let chosen = self.choose(|| {
            let first = view.undisturbed();
            let others = view.enabled.iter().filter(|&thread| thread != first);
            std::iter::once(first).chain(others).map(|thread| thread.0).collect()
        });
        if view.could_continue() && chosen != view.current.0 {
            self.preempted += 1;
        }
        ThreadId(chosen)
    }

    fn pick(&mut self, _: &View<'_>, pick: Pick<'_>, of: usize) -> usize {
        match pick {
            Pick::Waiter | Pick::Delay(_) | Pick::Value(_) | Pick::Place(_) => {
                self.choose(|| (0..of as u32).collect()) as usize
            }
            // All schedules are those of the same random bytes: whether it is asked depends on earlier
            // executions, and the tree of all schedules must not.
            Pick::RandomBytes => 0,
        }
    }

    fn fault(&mut self, _: &View<'_>, fault: Fault, rate: Rate) -> bool {
        let kind = fault as usize;
        let most = match (rate, fault) {
            (Rate::Off, _) => 0,
            // Its rate depends on earlier executions, and the tree of all schedules must not.
            (_, Fault::SpinOn) | (Rate::Rare, _) => 1,
            (Rate::Eager, _) => 2,
        };
        if self.faults[kind] >= most {
            self.left_out.insert(LeftOut::Faults { fault, most });
            return false;
        }
        let happens = self.choose(|| vec![0, 1]) == 1;
        self.faults[kind] += u32::from(happens);
        happens
    }

    fn left_out(&self) -> BTreeSet<LeftOut> {
        self.left_out.clone()
    }

    fn export(&self) -> Vec<u8> {
        to_bytes(&(&self.path, &self.left_out))
    }

    fn import(&mut self, exported: &[u8]) {
        (self.path, self.left_out) = from_bytes(exported);
    }
}
