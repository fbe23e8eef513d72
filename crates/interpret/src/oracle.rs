//! Whether what came of a test shows that the type is not thread-safe.
//!
//! After Pradel and Gross, *Fully automatic and precise detection of thread safety violations* (PLDI 2012), and
//! Burckhardt, Dern, Musuvathi and Tan, *Line-Up: a complete and automatic linearizability checker* (PLDI 2010): a
//! failure or a set of results counts only if no order of the calls has it. Orders are run on the engine, on
//! the same threads ([`crate::coarse`]), so that waiting, panics and drops are seen in the same way.
//!
//! Deviations: 1. Orders keep the order of calls within each thread, not real time: more of them explain, so less is
//! reported. 2. A call may let others in where user code runs in it, so a call is more than one step. 3. Calls that
//! may fail because of contention, results of a moment that never was, and effects that are not atomic are given
//! the benefit of the doubt, as the rules below say.
//!
//! May miss: whatever an order of the calls explains. Reports falsely: types whose documentation promises less
//! than linearisability in a way that no rule knows.

use crate::orders::{Explained, Orders, Wanted};
use crate::outcome::{Outcome, Texts};
use crate::runner::{Changed, Executed, Runner};
use crate::table::{Effect, Failing, Polling, Receiver, Table};
use selvedge_harness::{CallId, EndedAs, GeneratedTest, Level, Results, Span, Stand, Wrong};

/// At most so many calls that may have failed for no reason are left out in all combinations.
const MAY_FAIL: usize = 5;

/// What is thought of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is as it should be.
    Fine,
    /// It is a failure, but not one of concurrency: an order of the calls has it.
    Sequential,
    /// There were more orders than may be run.
    TooManyOrders,
    /// It took too many steps.
    TooLong,
    /// The type is not thread-safe.
    Violates(Level, Wrong),
}

/// A test with its calls in the order of their slots.
pub(crate) struct Subject<'a> {
    table: &'static Table,
    calls: Vec<(Stand, CallId)>,
    spans: &'a [Span],
}

impl<'a> Subject<'a> {
    pub(crate) fn new(table: &'static Table, test: &GeneratedTest, spans: &'a [Span]) -> Self {
        let calls = test.calls().map(|(stand, called)| (stand, called.call)).collect();
        Self { table, calls, spans }
    }

    /// Whether a call of another thread ran at the same time.
    fn is_overlapped(&self, slot: usize) -> bool {
        (0..self.calls.len()).any(|other| self.overlap(slot, other))
    }

    fn overlap(&self, one: usize, other: usize) -> bool {
        match (self.calls[one].0, self.calls[other].0) {
            (Stand::Thread(a), Stand::Thread(b)) => {
                a != b && self.spans[one].overlaps(self.spans[other])
            }
            (Stand::Prefix | Stand::Thread(_) | Stand::End, _) => false,
        }
    }

    /// A bit for each call that is overlapped and for which `is` holds.
    fn overlapped(&self, is: impl Fn(usize, &crate::table::Call) -> bool) -> u64 {
        let slots = (0..self.calls.len()).filter(|&slot| {
            is(slot, &self.table.calls[self.calls[slot].1.index()]) && self.is_overlapped(slot)
        });
        slots.fold(0, |bits, slot| bits | 1 << slot)
    }
}

/// Failures that need no other order to be wrong.
fn hard(outcome: &Outcome) -> Option<Wrong> {
    match outcome.ended {
        EndedAs::Crashed => Some(Wrong::Crash),
        EndedAs::Memory => Some(Wrong::Memory),
        EndedAs::Panicked => Some(Wrong::Panic),
        EndedAs::Passed | EndedAs::Blocked | EndedAs::TooLong | EndedAs::Other => {
            match (outcome.twice, outcome.after) {
                (0, 0) => None,
                (0, _) => Some(Wrong::UsedAfterDrop),
                (_, _) => Some(Wrong::DroppedTwice),
            }
        }
    }
}

/// Judges an execution of a test.
pub(crate) fn judge(
    runner: &mut Runner,
    subject: &Subject<'_>,
    orders: &mut Orders,
    (executed, outcome): (&Executed, &Outcome),
    texts: &mut Texts,
) -> Verdict {
    match outcome.ended {
        EndedAs::TooLong | EndedAs::Other => return Verdict::TooLong,
        EndedAs::Passed
        | EndedAs::Blocked
        | EndedAs::Panicked
        | EndedAs::Crashed
        | EndedAs::Memory => {}
    }
    // Sizes and iterators may tell of a moment that never was.
    let weak = subject.overlapped(|_, call| call.results == Results::Weak);
    let (changed, passages) = (Changed::default(), &*executed.passages);
    let wanted = Wanted { outcome, changed, not_compared: weak, passages };
    let plainly = orders.explain(runner, &wanted, texts);
    if let Some(wrong) = hard(outcome) {
        // What an order has, concurrency is not to blame for.
        let same = |order: &Outcome| hard(order) == Some(wrong);
        return match plainly == Explained::Yes || orders.outcomes().any(same) {
            true => Verdict::Sequential,
            false => Verdict::Violates(Level::Finding, wrong),
        };
    }
    match plainly {
        Explained::Yes => leaks(orders, outcome),
        Explained::Unknown => Verdict::TooManyOrders,
        Explained::No => by_rules(runner, subject, orders, &wanted, texts),
    }
}

/// Values that are left count only if no order leaves any: many types put off what they free.
fn leaks(orders: &Orders, outcome: &Outcome) -> Verdict {
    match outcome.leaked > 0 && !orders.leaves {
        true => Verdict::Violates(Level::Finding, Wrong::Leak),
        false => Verdict::Fine,
    }
}

/// No order has this outcome. It may still be all that the calls promise.
fn by_rules(
    runner: &mut Runner,
    subject: &Subject<'_>,
    orders: &mut Orders,
    wanted: &Wanted<'_>,
    texts: &mut Texts,
) -> Verdict {
    let outcome = wanted.outcome;
    // What was ready at its only poll may have waited there for others, who were on their way.
    let text = |slot: usize| {
        outcome.results[slot].and_then(|hash| texts.get(&hash)).map_or("", String::as_str)
    };
    let patient = subject.overlapped(|slot, call| {
        call.polling == Polling::Once && !matches!(text(slot), "" | "None" | "false")
    });
    if patient != 0 {
        let wanted = Wanted { changed: Changed { left_out: 0, patient }, ..*wanted };
        match orders.explain(runner, &wanted, texts) {
            Explained::Yes => return leaks(orders, outcome),
            Explained::Unknown => return Verdict::TooManyOrders,
            Explained::No => {}
        }
    }
    // What may fail because of others, and did, may as well not have been called.
    let text = |slot: usize| {
        outcome.results[slot].and_then(|hash| texts.get(&hash)).map_or("", String::as_str)
    };
    let failed: Vec<usize> = {
        let may = subject.overlapped(|slot, call| {
            let result = text(slot);
            outcome.results[slot].is_some()
                && (names_contention(result)
                    || call.failing == Failing::UnderContention
                        && (is_failure(result) || call.name.contains('.')))
        });
        (0..outcome.results.len()).filter(|slot| may >> slot & 1 == 1).take(MAY_FAIL).collect()
    };
    for subset in 1u64..1 << failed.len() {
        let chosen = failed.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1);
        let left_out = chosen.fold(0, |bits, (_, slot)| bits | 1 << slot);
        let wanted = Wanted { changed: Changed { left_out, patient }, ..*wanted };
        match orders.explain(runner, &wanted, texts) {
            Explained::Yes => return leaks(orders, outcome),
            Explained::Unknown => return Verdict::TooManyOrders,
            Explained::No => {}
        }
    }
    let wrong = if outcome.ended == EndedAs::Blocked {
        Wrong::Blocked
    } else if outcome.panicked != 0 {
        Wrong::Panic
    } else {
        Wrong::Results
    };
    let loose = subject
        .overlapped(|_, call| call.effect == Effect::Bulk || call.receiver == Receiver::Consumed);
    // What works on one element after the other, and the end of a part, promise no order.
    let level = match (wrong, loose) {
        (Wrong::Results, 1..) => Level::Note,
        (
            Wrong::Results
            | Wrong::Crash
            | Wrong::Memory
            | Wrong::DroppedTwice
            | Wrong::UsedAfterDrop
            | Wrong::Panic
            | Wrong::Blocked
            | Wrong::Leak,
            _,
        ) => Level::Finding,
    };
    Verdict::Violates(level, wrong)
}

/// Results that say themselves that somebody else was in the way.
fn names_contention(result: &str) -> bool {
    const WORDS: [&str; 7] =
        ["Initializing", "WouldBlock", "Locked", "Busy", "Contended", "Timeout", "Elapsed"];
    WORDS.iter().any(|word| result.contains(word))
}

fn is_failure(result: &str) -> bool {
    result.is_empty() || ["None", "Err", "false", "_"].iter().any(|word| result.starts_with(word))
}
