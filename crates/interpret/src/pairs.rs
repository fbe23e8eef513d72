//! Pairs of calls that can run at the same time, how often they were tried, and how often they did.
//!
//! After Choudhary, Lu and Pradel, *Efficient detection of thread safety violations via coverage-guided generation of
//! concurrent tests* (ICSE 2017): concurrent method pairs, Algorithm 1, and the counts C and R.
//!
//! Deviations: only calls that a test makes are known, not those that they make in turn; the set of pairs leaves out
//! those that the borrow checker keeps from running at the same time.

use crate::table::{Receiver, Sharing, Table};
use selvedge_harness::{Access, CallId, GeneratedTest, PairSeen, Span, Stand};

/// Two calls, the first one with the lower number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair(pub(crate) CallId, pub(crate) CallId);

impl Pair {
    pub(crate) fn new(one: CallId, other: CallId) -> Self {
        Self(one.min(other), one.max(other))
    }
}

/// Whether an execution counts for C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counts {
    ForC,
    /// The modes of CovCon count one execution of each test.
    No,
}

/// The counts of all pairs.
pub(crate) struct Pairs {
    calls: usize,
    /// Those that can run at the same time.
    pub(crate) possible: Vec<Pair>,
    covered: Vec<u32>,
    tried: Vec<u32>,
    /// Whether the two were ever seen at the same time.
    ever: Vec<bool>,
    /// How many were.
    pub(crate) distinct: u64,
}

impl Pairs {
    pub(crate) fn new(table: &Table, usable: &[CallId]) -> Self {
        let calls = table.calls.len();
        let mut possible = Vec::new();
        for (position, &one) in usable.iter().enumerate() {
            for &other in &usable[position..] {
                if accesses(table, one, other).next().is_some() {
                    possible.push(Pair::new(one, other));
                }
            }
        }
        let none = vec![0; calls * calls];
        let ever = vec![false; calls * calls];
        Self { calls, possible, covered: none.clone(), tried: none, ever, distinct: 0 }
    }

    fn at(&self, pair: Pair) -> usize {
        pair.0.index() * self.calls + pair.1.index()
    }

    /// R: how often a test was made for it.
    pub(crate) fn tried(&self, pair: Pair) -> u32 {
        self.tried[self.at(pair)]
    }

    /// C: how often the two were seen at the same time.
    pub(crate) fn covered(&self, pair: Pair) -> u32 {
        self.covered[self.at(pair)]
    }

    pub(crate) fn try_pair(&mut self, pair: Pair) {
        let at = self.at(pair);
        self.tried[at] += 1;
    }

    /// Algorithm 1: at the beginning of each call, it meets those that other threads are in.
    pub(crate) fn cover(&mut self, test: &GeneratedTest, spans: &[Span], counts: Counts) {
        let calls: Vec<_> = test.calls().zip(spans).collect();
        for ((stand, one), begun) in &calls {
            for ((other_stand, other), running) in &calls {
                let (Stand::Thread(here), Stand::Thread(there)) = (stand, other_stand) else {
                    continue;
                };
                let is_running =
                    running.begin < begun.begin && (running.end == 0 || begun.begin < running.end);
                if here != there && begun.begin != 0 && running.begin != 0 && is_running {
                    let at = self.at(Pair::new(one.call, other.call));
                    self.distinct += u64::from(!self.ever[at]);
                    self.ever[at] = true;
                    self.covered[at] += match counts {
                        Counts::ForC => 1,
                        Counts::No => 0,
                    };
                }
            }
        }
    }

    pub(crate) fn seen(&self) -> Vec<PairSeen> {
        let seen = self.possible.iter().map(|&pair| PairSeen {
            pair: (pair.0, pair.1),
            tried: self.tried(pair),
            covered: self.covered(pair).max(u32::from(self.ever[self.at(pair)])),
        });
        seen.collect()
    }
}

/// Whether a thread of a test may make a call.
pub(crate) fn is_allowed(table: &Table, call: CallId, thread: usize, access: Access) -> bool {
    let call = &table.calls[call.index()];
    match access {
        Access::Owned => call.part == thread && call.receiver != Receiver::None,
        Access::Shared => match call.receiver {
            Receiver::None => true,
            Receiver::Shared => table.parts[call.part].sharing == Sharing::Sync,
            Receiver::Exclusive | Receiver::Consumed => false,
        },
    }
}

/// The ways in which two calls can run at the same time.
pub(crate) fn accesses(table: &Table, one: CallId, other: CallId) -> impl Iterator<Item = Access> {
    [Access::Shared, Access::Owned].into_iter().filter(move |&access| {
        let both =
            |one, other| is_allowed(table, one, 0, access) && is_allowed(table, other, 1, access);
        (access == Access::Shared || table.parts.len() == 2)
            && (both(one, other) || both(other, one))
    })
}
