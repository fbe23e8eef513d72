//! Atomicity violations: what is never interrupted unless something goes wrong.
//!
//! Source: Lu, Tucek, Qin and Zhou, *AVIO: detecting atomicity violations via access interleaving
//! invariants* (ASPLOS 2006).
//!
//! Two uses of a variable by one thread, one right after the other, with a use by another thread in
//! between, can not be told from some order without the interruption, except in four cases: the
//! other one writes between two reads, between a read and a write, between a write and a read, or
//! reads between two writes. Pairs that were never interrupted in one of these ways while executions
//! passed are taken to be meant to be atomic. If an execution fails and one of them was interrupted
//! in it, that is told.
//!
//! Deviations: (1) passing executions train until one fails, in one campaign, instead of in separate
//! runs, and only failing executions are checked, so that a passing test has no warnings; (2) a pair
//! must have been seen [`TRAINED`] times; (3) a read-modify-write counts as a write for the use after
//! it and as a read for the use before it; (4) variables are those of one origin.
//!
//! May miss: violations over several variables, with other uses in between, or that also happen
//! without harm. May falsely report: an unusual interruption that has nothing to do with the failure.

use super::scene::{Names, Scene};
use super::uses::{Use, origin};
use super::{Certainty, Detector, Suspicion, Verdict};
use rustc_hash::FxHashMap;
use selvedge_model::{
    Access, Confidence, DetectorName, Event, Record, Site, Spot, ThreadId, Treatment, Trouble,
    ValueUse, Variable, Warning,
};
use std::collections::{BTreeMap, BTreeSet};

/// A pair must have been seen so often while executions passed.
const TRAINED: u64 = 10;
/// At most so many violations of one execution are told, those before the failure.
const MOST: usize = 3;

/// Two uses of a thread, one right after the other.
type Pair = (Option<Site>, Spot, Spot);

/// Learns what is never interrupted.
#[derive(Default)]
pub(super) struct Avio {
    /// How often each pair was seen while executions passed.
    seen: BTreeMap<Pair, u64>,
    /// The pairs that were interrupted while executions passed.
    interrupted: BTreeSet<Pair>,
    /// The last use of each variable by each thread, and the last by another one since.
    last: FxHashMap<(Variable, ThreadId), (Use, Option<Use>)>,
    users: FxHashMap<Variable, Vec<ThreadId>>,
    now: Vec<Pair>,
    broken: Vec<(Pair, [Use; 3])>,
    told: Vec<(Pair, Suspicion)>,
}

/// Whether an interruption can be told from every order without it.
fn is_unserialisable(first: ValueUse, between: ValueUse, second: ValueUse) -> bool {
    let (wrote, reads) = (first.writes(), second != ValueUse::Writes);
    match between {
        ValueUse::Reads => wrote && second.writes(),
        ValueUse::Writes | ValueUse::Updates => !wrote || reads,
    }
}

impl Avio {
    fn uses(&mut self, now: Use, scene: &Scene<'_>) {
        if matches!(now.variable, Variable::Memory { .. }) {
            return;
        }
        let before = self.last.insert((now.variable, now.thread), (now, None));
        let users = self.users.entry(now.variable).or_default();
        if !users.contains(&now.thread) {
            users.push(now.thread);
        }
        for other in users.iter().filter(|other| **other != now.thread) {
            if let Some((_, between)) = self.last.get_mut(&(now.variable, *other)) {
                *between = Some(now);
            }
        }
        let Some((first, between)) = before else { return };
        let pair = (origin(now.variable, scene), first.spot, now.spot);
        self.now.push(pair);
        if let Some(between) = between
            && is_unserialisable(first.how, between.how, now.how)
            && !self.interrupted.contains(&pair)
        {
            self.broken.push((pair, [first, between, now]));
        }
    }
}

fn suspicion(uses: &[Use; 3], names: &Names<'_>) -> Suspicion {
    let [first, between, second] = uses;
    let witness = vec![
        first.role(first.does(), names),
        between.role(&format!("in between {}", between.does()), names),
        second.role(&format!("then {}", second.does()), names),
    ];
    Suspicion {
        warning: Warning {
            kind: Trouble::AtomicityViolation,
            detector: DetectorName::Avio,
            summary: "the failing execution interrupted what no passing one did".to_owned(),
            witness,
            confidence: Confidence::Happened,
            treatment: Treatment::Untried,
        },
        steering: None,
        certainty: Certainty::Told,
    }
}

pub(super) fn make(_: usize) -> Box<dyn Detector> {
    Box::new(Avio::default())
}

impl Detector for Avio {
    fn begin(&mut self) {
        self.last.clear();
        self.users.clear();
        self.now.clear();
        self.broken.clear();
        self.told.clear();
    }

    fn event(&mut self, event: &Event, scene: &Scene<'_>) {
        if let Some(used) = Use::of_event(event) {
            self.uses(used, scene);
        }
    }

    fn access(&mut self, access: &Access, scene: &Scene<'_>) {
        self.uses(Use::of_access(access), scene);
    }

    fn end(&mut self, record: &Record<'_>) -> Vec<Suspicion> {
        let names = Names { threads: record.threads, objects: record.objects };
        self.told =
            self.broken.iter().map(|(pair, uses)| (*pair, suspicion(uses, &names))).collect();
        Vec::new()
    }

    fn judged(&mut self, verdict: Verdict) -> Vec<Suspicion> {
        let told = std::mem::take(&mut self.told);
        match verdict {
            Verdict::Passed => {
                self.now.drain(..).for_each(|pair| *self.seen.entry(pair).or_default() += 1);
                self.interrupted.extend(told.into_iter().map(|(pair, _)| pair));
                Vec::new()
            }
            Verdict::Failed => {
                let trained = |pair: &Pair| self.seen.get(pair).is_some_and(|n| *n >= TRAINED);
                let told = told.into_iter().rev().filter(|(pair, _)| trained(pair));
                told.map(|(_, suspicion)| suspicion).take(MOST).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_unserialisable;
    use selvedge_model::ValueUse::{Reads as Read, Writes as Write};

    #[test]
    fn four_of_eight_interruptions_can_be_told() {
        let all = [Read, Write];
        let mut told = Vec::new();
        for first in all {
            for between in all {
                for second in all {
                    if is_unserialisable(first, between, second) {
                        told.push((first, between, second));
                    }
                }
            }
        }
        assert_eq!(
            told,
            [(Read, Write, Read), (Read, Write, Write), (Write, Read, Write), (Write, Write, Read)]
        );
    }
}
