//! Which tests are made.
//!
//! The modes `covcon` and `naive` are those of Choudhary, Lu and Pradel (ICSE 2017): Definition 2, Algorithm 2, two
//! prefixes for each pair (without calls, and with up to five), suffixes that alternate between the two methods of
//! the pair, of two calls in the first five tests of a pair and of five later, and batches of pairs of equal
//! score. The mode `random` takes methods as ConTeGe does.
//!
//! Deviations: under a controlled scheduler a test is run under several schedules; only the first of them counts for C
//! in these modes, as there is only one in the original.
//!
//! The default, `covering`, is our own: it begins with a pair that was tried least, those that conflict first, and adds the calls
//! that meet most methods of the other thread which they have not met before. When all pairs are covered, every other test is one of
//! alternating suffixes. Some of its tests have three threads.

use crate::conflicts::Conflicts;
use crate::pairs::{Pair, Pairs, accesses, is_allowed};
use crate::table::{Receiver, Table};
use selvedge_harness::{Access, CallId, Called, GeneratedTest, Role, Steering};
use selvedge_strategy::Rng;

/// Calls of a prefix, at most.
const PREFIX: u64 = 5;
/// Tests of a pair with short suffixes.
const SHORT_TESTS: u32 = 5;
/// Calls of a short suffix, and of a long one.
const SHORT: usize = 2;
const LONG: usize = 5;
/// Calls that are considered for a place in a covering suffix.
const CONSIDERED: u64 = 24;
/// Calls after the threads.
const END: usize = 3;
/// One in so many covering tests has three threads.
const THREE_THREADS: u64 = 6;

/// Pairs that do not conflict are tried so many times less often.
const APART: u64 = 12;
/// So many tests are judged for each that can not be.
const JUDGED: i32 = 30;
/// Tests become shorter if that is missed by so much.
const PATIENCE: i32 = 90;

/// Whether all orders of a test could be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Complete {
    Yes,
    No,
}

/// Makes tests.
pub(crate) struct Steer {
    table: &'static Table,
    steering: Steering,
    length: Option<usize>,
    rng: Rng,
    batch: Vec<Pair>,
    /// Calls that may be made at all.
    usable: Vec<CallId>,
    /// Calls that come back on a new object, in prefixes and at the end.
    safe: Vec<CallId>,
    constructors: Vec<CallId>,
    next_value: u64,
    made: u64,
    /// Calls of a long suffix, as long as its orders can be run.
    long: usize,
    /// Tests of which not all orders could be run, less those of which they could.
    too_long: i32,
    conflicts: Option<Conflicts>,
}

/// How suffixes are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Suffixes {
    Alternating,
    Covering,
    Random,
}

impl Steer {
    pub(crate) fn new(
        table: &'static Table,
        (steering, length): (Steering, Option<usize>),
        seed: u64,
        usable: Vec<CallId>,
    ) -> Self {
        let constructors = (0..table.constructors.len()).map(|at| CallId(at as u16)).collect();
        let safe = usable.clone();
        let rng = Rng::new(seed);
        Self {
            table,
            steering,
            length,
            rng,
            batch: Vec::new(),
            usable,
            safe,
            constructors,
            next_value: 0,
            made: 0,
            long: LONG,
            too_long: 0,
            conflicts: None,
        }
    }

    /// Learns whether all orders of a test could be run. Tests become shorter until nearly all can be judged: what is not judged
    /// finds nothing.
    pub(crate) fn judged(&mut self, complete: Complete) {
        match complete {
            Complete::Yes => self.too_long = (self.too_long - 1).max(0),
            Complete::No => self.too_long += JUDGED,
        }
        if self.too_long > PATIENCE {
            (self.too_long, self.long) = (0, (self.long - 1).max(1));
        }
    }

    /// Calls that do not come back on a new object stay out of prefixes; constructors that fail are not used.
    pub(crate) fn learn(&mut self, unsafe_calls: &[CallId], broken: &[CallId]) {
        self.safe.retain(|call| !unsafe_calls.contains(call));
        self.constructors.retain(|one| !broken.contains(one));
    }

    pub(crate) fn constructors(&self) -> &[CallId] {
        &self.constructors
    }

    fn below(&mut self, bound: usize) -> usize {
        self.rng.below(bound as u64) as usize
    }

    fn one_of(&mut self, calls: &[CallId]) -> CallId {
        calls[self.rng.below(calls.len() as u64) as usize]
    }

    /// The pair that the next tests are for.
    pub(crate) fn pick(&mut self, pairs: &mut Pairs) -> Pair {
        if self.steering == Steering::Random {
            let at = self.below(pairs.possible.len());
            pairs.try_pair(pairs.possible[at]);
            return pairs.possible[at];
        }
        if self.batch.is_empty() {
            let score = |pair: Pair| {
                let (tried, covered) = (pairs.tried(pair), pairs.covered(pair));
                match self.steering {
                    Steering::Naive => u64::from(tried),
                    Steering::CovCon | Steering::Random => score(tried, covered),
                    Steering::Covering => match self.conflict(pair.0, pair.1) {
                        true => u64::from(tried),
                        false => APART * u64::from(tried) + 1,
                    },
                }
            };
            let scores: Vec<_> = pairs.possible.iter().map(|&pair| (score(pair), pair)).collect();
            let lowest = scores.iter().map(|(score, _)| *score).min().unwrap_or_default();
            self.batch = scores.iter().filter(|one| one.0 == lowest).map(|one| one.1).collect();
        }
        let at = self.below(self.batch.len());
        let pair = self.batch.swap_remove(at);
        pairs.try_pair(pair);
        pair
    }

    /// The tests for a pair: on a new object, and in some state.
    pub(crate) fn tests(&mut self, pair: Pair, pairs: &Pairs) -> [GeneratedTest; 2] {
        let length = self.rng.below(PREFIX + 1) as usize;
        [self.test(pair, pairs, 0), self.test(pair, pairs, length)]
    }

    /// A test of one call alone, on a new object.
    pub(crate) fn alone(&mut self, constructor: CallId, call: CallId) -> GeneratedTest {
        self.next_value = 0;
        let constructor = self.construct(constructor);
        let prefix = Vec::new();
        let end = vec![self.call(call)];
        GeneratedTest { constructor, access: Access::Shared, prefix, threads: Vec::new(), end }
    }

    /// A test of two calls on one thread.
    pub(crate) fn one_after_the_other(
        &mut self,
        constructor: CallId,
        one: CallId,
        other: CallId,
    ) -> GeneratedTest {
        let mut test = self.alone(constructor, other);
        test.prefix.push(self.call(one));
        test
    }

    /// Learns which calls have to do with each other.
    pub(crate) fn look_first_at(&mut self, conflicts: Conflicts) {
        self.conflicts = Some(conflicts);
    }

    /// Whether calls may have to do with each other.
    fn conflict(&self, one: CallId, other: CallId) -> bool {
        self.conflicts.as_ref().is_none_or(|conflicts| conflicts.are(one, other))
    }

    fn test(&mut self, pair: Pair, pairs: &Pairs, prefix: usize) -> GeneratedTest {
        self.made += 1;
        self.next_value = 0;
        let constructors = self.constructors.clone();
        let constructor = self.one_of(&constructors);
        let constructor = self.construct(constructor);
        let ways: Vec<_> = accesses(self.table, pair.0, pair.1).collect();
        let access = ways[self.below(ways.len())];
        let suffixes = match self.steering {
            Steering::CovCon | Steering::Naive => Suffixes::Alternating,
            Steering::Random => Suffixes::Random,
            Steering::Covering => {
                let saturated = pairs.distinct >= pairs.possible.len() as u64;
                match saturated && self.made.is_multiple_of(2) {
                    true => Suffixes::Alternating,
                    false => Suffixes::Covering,
                }
            }
        };
        let calls = match suffixes {
            Suffixes::Alternating => self.alternating(pair, access, pairs),
            Suffixes::Random => self.random(access),
            Suffixes::Covering => self.covering(pair, access, pairs),
        };
        let table = self.table;
        let met: Vec<_> = calls.iter().flatten().copied().collect();
        let stays = |call: CallId| table.calls[call.index()].receiver != Receiver::Consumed;
        let prefix = self.safe_calls(prefix, &met, stays);
        let threads = calls.into_iter().map(|calls| self.calls(&calls)).collect();
        let end = self.safe_calls(END, &met, |_| true);
        GeneratedTest { constructor, access, prefix, threads, end }
    }

    /// Calls that come back alone. Most have to do with calls of the threads, which see what these leave behind, and bring about
    /// what these find.
    fn safe_calls(
        &mut self,
        length: usize,
        met: &[CallId],
        may: impl Fn(CallId) -> bool,
    ) -> Vec<Called> {
        let all: Vec<_> = self.safe.iter().copied().filter(|&call| may(call)).collect();
        let related = |call: &CallId| met.iter().any(|other| self.conflict(*call, *other));
        let met: Vec<_> = all.iter().copied().filter(related).collect();
        if all.is_empty() {
            return Vec::new();
        }
        let biased = self.steering == Steering::Covering && !met.is_empty();
        (0..length)
            .map(|_| {
                let from = if biased && self.rng.chance(3, 4) { &met } else { &all };
                let call = self.one_of(from);
                self.call(call)
            })
            .collect()
    }

    fn calls(&mut self, calls: &[CallId]) -> Vec<Called> {
        calls.iter().map(|&call| self.call(call)).collect()
    }

    /// How many calls the suffixes of a pair have.
    fn suffix_length(&mut self, pair: Pair, pairs: &Pairs) -> usize {
        match self.length {
            Some(length) => length,
            // Two tests are made each time.
            None if pairs.tried(pair) * 2 <= SHORT_TESTS => SHORT.min(self.long),
            None => self.long,
        }
    }

    /// `m1, m2, m1 …` beside `m2, m1, m2 …`.
    fn alternating(&mut self, pair: Pair, access: Access, pairs: &Pairs) -> Vec<Vec<CallId>> {
        let length = self.suffix_length(pair, pairs);
        let suffix = |thread: usize| {
            let calls = (0..length).map(|at| {
                let [first, second] = match (at + thread).is_multiple_of(2) {
                    true => [pair.0, pair.1],
                    false => [pair.1, pair.0],
                };
                match is_allowed(self.table, first, thread, access) {
                    true => first,
                    false => second,
                }
            });
            calls.collect()
        };
        (0..2).map(suffix).collect()
    }

    fn random(&mut self, access: Access) -> Vec<Vec<CallId>> {
        let length = self.length.unwrap_or_else(|| 1 + self.below(self.long));
        (0..2)
            .map(|thread| {
                let may: Vec<_> = self.allowed(thread, access);
                (0..length).map(|_| self.one_of(&may)).collect()
            })
            .collect()
    }

    fn allowed(&self, thread: usize, access: Access) -> Vec<CallId> {
        let may = |call: &CallId| is_allowed(self.table, *call, thread, access);
        self.usable.iter().copied().filter(may).collect()
    }

    fn covering(&mut self, pair: Pair, access: Access, pairs: &Pairs) -> Vec<Vec<CallId>> {
        let fits =
            is_allowed(self.table, pair.0, 0, access) && is_allowed(self.table, pair.1, 1, access);
        let mut threads = match fits {
            true => vec![vec![pair.0], vec![pair.1]],
            false => vec![vec![pair.1], vec![pair.0]],
        };
        let room = self.long > 2 && self.length.is_none();
        let three = access == Access::Shared && room && self.rng.chance(1, THREE_THREADS);
        if three {
            let may = self.allowed(2, access);
            let third = self.one_of(&may);
            threads.push(vec![third]);
        }
        let length = match self.length {
            Some(length) => length,
            None if three => 1 + self.below(self.long.min(2)),
            None if pairs.tried(pair) <= 1 => self.long.min(3),
            None => 1 + self.below(self.long),
        };
        let may: Vec<_> = (0..threads.len()).map(|thread| self.allowed(thread, access)).collect();
        for _ in 1..length {
            for thread in 0..threads.len() {
                let mut best = (0, threads[thread][0]);
                for _ in 0..CONSIDERED {
                    let call = self.one_of(&may[thread]);
                    let others = threads.iter().enumerate().filter(|(other, _)| *other != thread);
                    let new = others
                        .flat_map(|(_, calls)| calls)
                        .filter(|&&other| pairs.covered(Pair::new(call, other)) == 0)
                        .count();
                    let repeats = threads[thread].contains(&call);
                    let others = threads.iter().enumerate().filter(|(other, _)| *other != thread);
                    let conflicts = others
                        .flat_map(|(_, calls)| calls)
                        .filter(|&&other| self.conflict(call, other))
                        .count();
                    let gain = (1 + 100 * new + 10 * conflicts) / if repeats { 2 } else { 1 };
                    if gain > best.0 {
                        best = (gain, call);
                    }
                }
                threads[thread].push(best.1);
            }
        }
        threads
    }

    fn construct(&mut self, constructor: CallId) -> Called {
        let roles = self.table.constructors[constructor.index()].arguments;
        Called { call: constructor, arguments: self.arguments(roles) }
    }

    fn call(&mut self, call: CallId) -> Called {
        let roles = self.table.calls[call.index()].arguments;
        Called { call, arguments: self.arguments(roles) }
    }

    fn arguments(&mut self, roles: &[Role]) -> Vec<u64> {
        let argument = |role: &Role| match role {
            Role::Key => self.rng.below(2),
            Role::Value => {
                self.next_value += 1;
                100 + self.next_value
            }
            Role::Number => [1, 0, 2, 1, 3][self.rng.below(5) as usize],
            Role::Capacity => [1, 2, 1, 3][self.rng.below(4) as usize],
        };
        roles.iter().map(argument).collect()
    }
}

/// Definition 2: untried pairs come first; then those whose counts agree, the less often tried the better.
fn score(tried: u32, covered: u32) -> u64 {
    match tried {
        0 => 0,
        _ => u64::from(tried.abs_diff(covered).max(1)) * u64::from(tried.max(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn the_score_is_that_of_table_1() {
        assert_eq!([0, 1, 5].map(|covered| score(0, covered)), [0, 0, 0]);
        assert_eq!([0, 1, 2, 3, 10].map(|covered| score(1, covered)), [1, 1, 1, 2, 9]);
        assert_eq!([0, 4, 5, 6, 10].map(|covered| score(5, covered)), [25, 5, 5, 5, 25]);
        assert_eq!([0, 9, 10].map(|covered| score(10, covered)), [100, 10, 10]);
    }
}
