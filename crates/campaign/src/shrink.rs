//! Makes the schedule of a finding shorter while the same problem still shows.
//!
//! Source: the minimisation of Zeller and Hildebrandt, *Simplifying and isolating
//! failure-inducing input* (TSE 2002), over the decisions of a schedule.
//!
//! What counts is first how often control goes from one thread to another, then how many old values of atomics
//! are seen, then how many decisions there are, then how long delays are. Leaving a decision out is leaving it to the undisturbed course; what the
//! run then did becomes the next schedule to improve, so that decisions which no longer matter
//! fall away by themselves. Delays become as short as they can be. In the end, single switches are tried wherever the execution went.

use crate::Test;
use crate::clock::wall_clock;
use crate::replay::{Replayed, Replayer, replay};
use selvedge_model::{Choice, Decision, Finding, Schedule, ThreadPath};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// At most this many executions are spent on making a schedule shorter.
const MOST_RUNS: usize = 3_000;
/// And at most this many steps, so that long executions do not take for ever.
const MOST_STEPS: u64 = 20_000_000;
/// And at most so much time: an execution of few steps may compute for long in between.
const MOST_TIME: Duration = Duration::from_secs(60);

struct Shrinker<'a, 'e> {
    replayer: &'e mut Replayer,
    test: Test<'a>,
    finding: &'a Finding,
    runs: usize,
    steps: u64,
    began: Instant,
    best: Schedule,
    cost: Cost,
}

/// What a schedule costs: how often control goes from one thread to another, how many old values of atomics are seen, how
/// many decisions there are, and how many milliseconds of delay.
type Cost = (usize, usize, usize, u64);

fn cost(run: &Replayed) -> Cost {
    let schedule = &run.schedule;
    (run.switches, schedule.old_values(), schedule.decisions.len(), schedule.delay())
}

/// The shortest schedule that was found to show the same problem.
pub(crate) fn shrink(
    replayer: &mut Replayer,
    test: Test<'_>,
    finding: &Finding,
    seen: Replayed,
) -> Schedule {
    let cost = cost(&seen);
    let (best, began) = (seen.schedule, wall_clock());
    let mut shrinker = Shrinker { replayer, test, finding, runs: 0, steps: 0, began, best, cost };
    while shrinker.pass() {}
    shrinker.shorten_delays();
    shrinker.try_single_switches();
    shrinker.best
}

impl Shrinker<'_, '_> {
    /// Tries to leave out ever smaller parts; says whether that helped.
    fn pass(&mut self) -> bool {
        let before = self.cost;
        let mut chunk = self.best.decisions.len().div_ceil(2);
        while chunk > 0 {
            let mut start = 0;
            while start < self.best.decisions.len() {
                if !self.has_budget() {
                    return false;
                }
                let mut candidate = self.best.clone();
                let end = (start + chunk).min(candidate.decisions.len());
                candidate.decisions.drain(start..end);
                if !self.try_out(&candidate) {
                    start += chunk;
                }
            }
            chunk /= 2;
        }
        self.cost < before
    }

    /// Halves the space in which the shortest delay lies that still shows the problem, for each of them.
    fn shorten_delays(&mut self) {
        for index in 0..self.best.decisions.len() {
            let mut too_short = 0;
            while let Some(Choice::Delay(enough)) =
                self.best.decisions.get(index).map(|d| &d.choice)
                && enough - too_short > 1
                && self.has_budget()
            {
                let middle = too_short + (enough - too_short) / 2;
                let mut candidate = self.best.clone();
                candidate.decisions[index].choice = Choice::Delay(middle);
                if !self.try_out(&candidate) {
                    too_short = middle;
                }
            }
        }
    }

    /// Leaving decisions out can end where two are left and one elsewhere would do. In a short
    /// execution every schedule with a single switch is tried.
    fn try_single_switches(&mut self) {
        if self.best.decisions.len() < 2 {
            return;
        }
        let run = replay(self.replayer, &self.best, self.test);
        let threads: BTreeSet<ThreadPath> = run.points.iter().map(|p| p.thread.clone()).collect();
        for at in &run.points {
            for thread in threads.iter().filter(|thread| **thread != at.thread) {
                if !self.has_budget() {
                    return;
                }
                let choice = Choice::Switch(thread.clone());
                let decisions = vec![Decision { at: at.clone(), choice }];
                if self.try_out(&Schedule { decisions }) {
                    return;
                }
            }
        }
    }

    /// Takes the candidate if it shows the same problem at less cost.
    fn try_out(&mut self, candidate: &Schedule) -> bool {
        self.runs += 1;
        let run = replay(self.replayer, candidate, self.test);
        self.steps += run.length;
        let cost = cost(&run);
        let same = run.kind.is_some_and(|kind| kind.same_problem(&self.finding.kind));
        if same && cost < self.cost {
            self.best = run.schedule;
            self.cost = cost;
            return true;
        }
        false
    }

    fn has_budget(&self) -> bool {
        self.runs < MOST_RUNS && self.steps < MOST_STEPS && self.began.elapsed() < MOST_TIME
    }
}
