//! The loop of a harness: tests are made, run and judged until the budget is used up.

use crate::calibrate::{Calibrated, calibrate};
use crate::conflicts::Conflicts;
use crate::oracle::{Subject, Verdict, judge};
use crate::orders::Orders;
use crate::outcome::{Came, Outcome, Texts};
use crate::pairs::{self, Pairs};
use crate::runner::Runner;
use crate::shrink::{fewest_decisions, shrink};
use crate::steer::{Complete, Steer};
use crate::table::Table;
use crate::wall_clock::now;
use rustc_hash::FxHashSet;
use selvedge_harness::{
    Access, CallId, Called, Counts, GenerateOrder, GenerateSummary, GeneratedTest, Judging, Level,
    Steering, Told, Violation, WireError, Wrong,
};
use std::time::{Duration, Instant};

/// Orders of the calls of one test, at most.
const ORDERS: u64 = 3_000;
/// So often the command hears that we are at work.
const SIGN_OF_LIFE: Duration = Duration::from_millis(100);

/// Is told of findings, and that we are at work.
pub(crate) type Listener<'a> = dyn FnMut(Told) -> Result<(), WireError> + 'a;

/// What was found so far.
#[derive(Default)]
struct Found {
    findings: usize,
    /// Findings and notes by what is wrong and which calls took part.
    kinds: FxHashSet<(Wrong, Vec<CallId>)>,
}

struct Drive<'a> {
    table: &'static Table,
    order: &'a GenerateOrder,
    listener: &'a mut Listener<'a>,
    runner: Runner,
    pairs: Pairs,
    steer: Steer,
    counts: Counts,
    begun: Instant,
    told: Instant,
    /// Whether some order of calls has left values behind.
    leaves: bool,
    found: Found,
    curve: Vec<(u64, u64)>,
}

/// A test that does nothing.
pub(crate) fn nothing() -> GeneratedTest {
    GeneratedTest {
        constructor: Called { call: CallId(0), arguments: Vec::new() },
        access: Access::Shared,
        prefix: Vec::new(),
        threads: Vec::new(),
        end: Vec::new(),
    }
}

/// Does what was ordered.
pub(crate) fn drive<'a>(
    table: &'static Table,
    order: &'a GenerateOrder,
    listener: &'a mut Listener<'a>,
) -> Result<(), WireError> {
    let usable = (0..table.calls.len()).map(|at| CallId(at as u16));
    let usable: Vec<_> = usable.filter(|call| !order.without.contains(call)).collect();
    let mut runner = Runner::new(table, order.seed);
    let mut steer = Steer::new(table, (order.steering, order.length), order.seed, usable.clone());
    let Calibrated { alone, leaves, broken } =
        calibrate(&mut runner, &mut steer, &usable, listener)?;
    let not_in_prefixes: Vec<_> = alone.iter().map(|(call, _)| *call).collect();
    steer.learn(&not_in_prefixes, &broken);
    if order.steering == Steering::Covering {
        let conflicts = Conflicts::find(&mut runner, &mut steer, &usable, table.calls.len());
        steer.look_first_at(conflicts);
    }
    let begun = now();
    let pairs = Pairs::new(table, &usable);
    let counts = Counts { pairs: pairs.possible.len() as u64, ..Counts::default() };
    let mut drive = Drive {
        table,
        order,
        listener,
        runner,
        pairs,
        steer,
        counts,
        begun,
        told: begun,
        leaves,
        found: Found::default(),
        curve: Vec::new(),
    };
    if !drive.pairs.possible.is_empty() && !drive.steer.constructors().is_empty() {
        drive.run()?;
    }
    drive.counts.time = begun.elapsed();
    drive.counts.covered = drive.pairs.distinct;
    let summary = GenerateSummary {
        counts: drive.counts.clone(),
        pairs: drive.pairs.seen(),
        alone,
        curve: drive.curve,
    };
    (drive.listener)(Told::Done(Box::new(summary)))
}

impl Drive<'_> {
    fn is_over(&self) -> bool {
        self.counts.tests >= self.order.tests
            || self.begun.elapsed() >= self.order.time
            || self.found.findings >= self.order.findings
    }

    fn run(&mut self) -> Result<(), WireError> {
        while !self.is_over() {
            let pair = self.steer.pick(&mut self.pairs);
            for test in self.steer.tests(pair, &self.pairs) {
                self.counts.tests += 1;
                // Whoever waits for us has to know which test we do not come back from.
                (self.listener)(Told::Testing(test.clone()))?;
                self.run_test(&test)?;
                if self.is_over() {
                    break;
                }
            }
            if self.told.elapsed() >= SIGN_OF_LIFE {
                self.told = now();
                self.counts.time = self.begun.elapsed();
                self.counts.covered = self.pairs.distinct;
                (self.listener)(Told::Alive(self.counts.clone()))?;
            }
        }
        Ok(())
    }

    fn run_test(&mut self, test: &GeneratedTest) -> Result<(), WireError> {
        self.runner.take(test);
        let mut texts = Texts::default();
        let mut orders = Orders::new(ORDERS);
        orders.leaves = self.leaves;
        let mut fine: FxHashSet<Outcome> = FxHashSet::default();
        let (mut violation, mut complete) = (None, Complete::Yes);
        let before = self.pairs.distinct;
        for schedule in 0..self.order.schedules {
            let begun = now();
            let executed = self.runner.explore(&mut texts);
            self.counts.executing += begun.elapsed();
            self.counts.executions += 1;
            let counts = match self.order.steering {
                Steering::CovCon | Steering::Naive if schedule > 0 => pairs::Counts::No,
                Steering::Covering | Steering::Random | Steering::CovCon | Steering::Naive => {
                    pairs::Counts::ForC
                }
            };
            self.pairs.cover(test, &executed.spans, counts);
            let Came::Of(outcome) = &executed.came else {
                self.counts.unjudged.void += 1;
                break;
            };
            if self.order.judging == Judging::Off || fine.contains(outcome) {
                continue;
            }
            let begun = now();
            let subject = Subject::new(self.table, test, &executed.spans);
            let parts = (&executed, outcome);
            let verdict = judge(&mut self.runner, &subject, &mut orders, parts, &mut texts);
            self.counts.judging += begun.elapsed();
            match verdict {
                Verdict::Fine => {
                    fine.insert(outcome.clone());
                }
                Verdict::Sequential => {
                    self.counts.sequential += 1;
                    fine.insert(outcome.clone());
                }
                Verdict::TooManyOrders => {
                    complete = Complete::No;
                    self.counts.unjudged.orders += 1;
                }
                Verdict::TooLong => self.counts.unjudged.too_long += 1,
                Verdict::Violates(level, wrong) => {
                    violation = Some((level, wrong));
                    break;
                }
            }
        }
        self.leaves |= orders.leaves;
        self.counts.orders += orders.runs();
        self.steer.judged(complete);
        if self.pairs.distinct > before {
            self.curve.push((self.counts.tests, self.pairs.distinct));
        }
        match violation {
            Some(what) => self.found(test, what),
            None => Ok(()),
        }
    }

    fn found(&mut self, test: &GeneratedTest, what: (Level, Wrong)) -> Result<(), WireError> {
        let after = self.begun.elapsed();
        let Some(small) = shrink(&mut self.runner, self.table, test, what, self.leaves) else {
            return Ok(());
        };
        let mut calls: Vec<_> = small.test.threads.iter().flatten().map(|one| one.call).collect();
        calls.sort();
        calls.dedup();
        if !self.found.kinds.insert((what.1, calls)) {
            return Ok(());
        }
        let (small, schedule) = fewest_decisions(&mut self.runner, self.table, small, what);
        if what.0 == Level::Finding {
            self.found.findings += 1;
        }
        let violation = Violation {
            level: what.0,
            wrong: what.1,
            seen: small.outcome.seen(&small.texts),
            spans: small.executed.spans.clone(),
            possible: small.orders.outcomes().map(|one| one.seen(&small.texts)).collect(),
            orders: small.orders.runs(),
            schedule,
            tests: self.counts.tests,
            after,
            test: small.test,
        };
        (self.listener)(Told::Found(Box::new(violation)))
    }
}
