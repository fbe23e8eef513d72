//! The values of one atomic that somebody may still see, and who may see which.
//!
//! Source: the memory model of C++20 (ISO/IEC 14882:2020, [atomics.order] and [intro.races]) with the repaired `SeqCst` of
//! O. Lahav, V. Vafeiadis, J. Kang, C.-K. Hur and D. Dreyer, *Repairing sequential consistency in C/C++11* (PLDI 2017),
//! without cycles of program order and reads-from. Candidates by clocks as in P. Ou and B. Demsky, *C11Tester*
//! (ASPLOS 2021).
//!
//! Deviations: (1) A store need not come last in the order of modification: it may come right below values that its
//! thread does not know of. (2) The order of all `SeqCst` operations is that in which they are carried out, unless
//! [`sequential`](super::sequential) judges. (3) The oldest values are forgotten when there are too many.
//!
//! May miss: values that were forgotten and, in executions with many operations, outcomes that need `SeqCst` operations in
//! another order than any execution can have them. Never shows a value that the model forbids.

use selvedge_model::{Age, Clock, Fenced, Instant, Order, ThreadId, Written};
use std::collections::VecDeque;

/// A value that an atomic has, or had.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    /// As it lies in memory.
    pub(crate) bits: u64,
    /// Which one it is of all that there were; 0 for the first.
    number: u32,
    /// Who wrote it.
    by: Instant,
    /// Which event that was.
    written: Written,
    maker: Maker,
    /// If a `SeqCst` operation wrote it, how many `SeqCst` fences there were before.
    sequential: Option<u32>,
    /// The first time that each thread has read it, but for the one that wrote it.
    reads: Vec<Instant>,
}

/// What wrote a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Maker {
    /// A store, or what came before the first operation.
    Store,
    /// A read-modify-write, which saw the value right below: no other may come between them.
    Update,
}

/// The values of an atomic, in the order of modification, the newest first. Never empty.
#[derive(Clone, Debug)]
pub(crate) struct History {
    values: VecDeque<Value>,
    /// How many bytes the atomic has.
    size: usize,
    /// How many values were written.
    written: u32,
}

/// By which rule `SeqCst` operations are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// As they are carried out.
    AsCarriedOut,
    /// Not at all: somebody else judges.
    None,
}

/// What decides which values an operation may see.
#[derive(Clone, Copy)]
pub(crate) struct Knowledge<'a> {
    pub(crate) rule: Rule,
    /// What its thread has seen.
    pub(crate) seen: &'a Clock,
    /// What it sees by way of `SeqCst` fences.
    pub(crate) fenced: Option<&'a Fenced>,
    /// What came before all `SeqCst` fences.
    pub(crate) fences: &'a Fenced,
}

impl Knowledge<'_> {
    /// Whether an operation with this order can not see, or write, a value that is older.
    #[inline]
    fn ends_at(&self, value: &Value, order: Order) -> bool {
        value.by.is_seen_by(self.seen)
            || value.reads.iter().any(|read| read.is_seen_by(self.seen))
            || self.rule == Rule::AsCarriedOut && self.ends_by_order(value, order)
    }

    /// Whether it can not because of the order of `SeqCst` operations.
    fn ends_by_order(&self, value: &Value, order: Order) -> bool {
        self.fenced.is_some_and(|fenced| {
            value.by.is_seen_by(&fenced.clock)
                || value.reads.iter().any(|read| read.is_seen_by(&fenced.clock))
                || value.sequential.is_some_and(|fences| fences < fenced.fences)
        }) || order == Order::SeqCst
            && (value.sequential.is_some() || value.by.is_seen_by(&self.fences.clock))
    }
}

/// What an operation is about to do to an atomic.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Intent {
    /// It reads.
    Load(Order),
    /// It writes.
    Store(Order),
    /// It reads and writes.
    Update(Order),
    /// It reads, and writes if it finds what it expects.
    Exchange { expected: u64, success: Order, failure: Order },
}

impl History {
    /// The history of an atomic that has this value, of which nobody knows where it comes from.
    pub(crate) fn new(bits: u64, size: usize) -> Self {
        let initial = Value {
            bits,
            number: 0,
            by: Instant { thread: ThreadId::MAIN, time: 0 },
            written: Written(None),
            maker: Maker::Store,
            sequential: None,
            reads: Vec::new(),
        };
        Self { values: VecDeque::from([initial]), size, written: 0 }
    }

    /// Whether the newest value is what lies in memory. If not, somebody has written it by other means.
    #[inline]
    pub(crate) fn is_of(&self, bits: u64, size: usize) -> bool {
        self.size == size && self.values[0].bits == bits
    }

    /// The value of this age.
    #[inline]
    pub(crate) fn bits(&self, newer: usize) -> u64 {
        self.values[newer].bits
    }

    /// Who wrote the values of these ages.
    pub(crate) fn written(&self, ages: impl Iterator<Item = usize>) -> Vec<Written> {
        ages.map(|newer| self.values[newer].written).collect()
    }

    /// How many of the values an operation with this order may see: the newest ones.
    #[inline]
    fn visible(&self, knowledge: &Knowledge<'_>, order: Order) -> usize {
        let end = self.values.iter().position(|value| knowledge.ends_at(value, order));
        end.map_or(self.values.len(), |end| end + 1)
    }

    /// Whether another value may come right above the one of this age.
    #[inline]
    fn has_room_above(&self, newer: usize) -> bool {
        newer == 0 || self.values[newer - 1].maker == Maker::Store
    }

    /// The ages of the values that the operation may see, or right above which it may store; the newest is always
    /// among them.
    pub(crate) fn candidates(
        &self,
        knowledge: &Knowledge<'_>,
        intent: Intent,
        found: &mut Vec<usize>,
    ) {
        found.clear();
        match intent {
            Intent::Load(order) => found.extend(0..self.visible(knowledge, order)),
            Intent::Store(order) | Intent::Update(order) => {
                let visible = 0..self.visible(knowledge, order);
                found.extend(visible.filter(|&newer| self.has_room_above(newer)));
            }
            Intent::Exchange { expected, success, failure } => {
                let success = self.visible(knowledge, success);
                let failure = self.visible(knowledge, failure);
                found.extend((0..success.max(failure)).filter(
                    |&newer| match self.values[newer].bits == expected {
                        true => newer < success && self.has_room_above(newer),
                        false => newer < failure,
                    },
                ));
            }
        }
    }

    /// A thread has read the value of this age.
    #[inline]
    pub(crate) fn read(&mut self, newer: usize, reader: Instant) {
        let value = &mut self.values[newer];
        if value.by.thread != reader.thread || value.by.time == 0 {
            let known = value.reads.iter().any(|read| read.thread == reader.thread);
            if !known {
                value.reads.push(reader);
            }
        }
    }

    /// A value was written below so many newer ones.
    pub(crate) fn write(&mut self, newer: usize, mut value: Value) {
        self.written += 1;
        value.number = self.written;
        self.values.insert(newer, value);
        if self.values.len() > Age::KEPT {
            self.values.pop_back();
        }
    }

    /// The number of the value of this age.
    pub(crate) fn number(&self, newer: usize) -> u32 {
        self.values[newer].number
    }

    /// The number that the next value will have.
    pub(crate) fn next_number(&self) -> u32 {
        self.written + 1
    }

    /// How many values are newer than the one with this number; all of them if it is forgotten.
    pub(crate) fn position(&self, number: u32) -> usize {
        let found = self.values.iter().position(|value| value.number == number);
        found.unwrap_or(self.values.len())
    }

    /// Whether all values are still there.
    pub(crate) fn is_whole(&self) -> bool {
        self.values.len() == self.written as usize + 1
    }
}

impl Value {
    /// A value that a thread writes now; `fences` is how many `SeqCst` fences there were.
    pub(crate) fn new(
        bits: u64,
        by: Instant,
        step: u64,
        maker: Maker,
        order: Order,
        fences: u32,
    ) -> Self {
        let sequential = (order == Order::SeqCst).then_some(fences);
        let (number, written, reads) = (0, Written(Some(step)), Vec::new());
        Self { bits, number, by, written, maker, sequential, reads }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Order::{Both, Relaxed, SeqCst};

    const ME: ThreadId = ThreadId(1);
    const OTHER: ThreadId = ThreadId(2);

    fn value(bits: u64, thread: ThreadId, time: u32, maker: Maker, order: Order) -> Value {
        Value::new(bits, Instant { thread, time }, u64::from(time), maker, order, 0)
    }

    /// An atomic that was 0 and to which the other thread has stored 1 and 2.
    fn stored() -> History {
        let mut history = History::new(0, 4);
        history.write(0, value(1, OTHER, 1, Maker::Store, Relaxed));
        history.write(0, value(2, OTHER, 2, Maker::Store, Relaxed));
        history
    }

    fn candidates(history: &History, seen: &[(ThreadId, u32)], intent: Intent) -> Vec<usize> {
        let (mut clock, fences) = (Clock::new(), Fenced::default());
        seen.iter().for_each(|&(thread, time)| clock.set(thread, time));
        let mut found = Vec::new();
        let rule = Rule::AsCarriedOut;
        let knowledge = Knowledge { rule, seen: &clock, fenced: None, fences: &fences };
        history.candidates(&knowledge, intent, &mut found);
        found
    }

    #[test]
    fn a_load_sees_nothing_older_than_what_its_thread_knows_of() {
        let load = Intent::Load(Relaxed);
        assert_eq!(candidates(&stored(), &[], load), [0, 1, 2]);
        assert_eq!(candidates(&stored(), &[(OTHER, 1)], load), [0, 1]);
        assert_eq!(candidates(&stored(), &[(OTHER, 2)], load), [0]);
        let mut history = stored();
        history.read(1, Instant { thread: ME, time: 3 });
        assert_eq!(candidates(&history, &[(ME, 3)], load), [0, 1]);
    }

    #[test]
    fn nothing_comes_between_an_update_and_what_it_saw() {
        let mut history = stored();
        history.write(1, value(7, OTHER, 3, Maker::Update, Relaxed));
        // From the newest: 2, 7 which replaced 1, 1, 0.
        assert_eq!(history.bits(1), 7);
        assert_eq!(candidates(&history, &[], Intent::Load(Relaxed)), [0, 1, 2, 3]);
        assert_eq!(candidates(&history, &[], Intent::Update(Relaxed)), [0, 1, 3]);
        assert_eq!(candidates(&history, &[], Intent::Store(Relaxed)), [0, 1, 3]);
    }

    #[test]
    fn an_exchange_that_fails_is_a_load() {
        let mut history = stored();
        history.write(0, value(3, OTHER, 3, Maker::Update, Relaxed));
        let exchange = |expected| Intent::Exchange { expected, success: Both, failure: Relaxed };
        // 3 has replaced 2, so that nobody else can.
        assert_eq!(candidates(&history, &[], exchange(2)), [0, 2, 3]);
        assert_eq!(candidates(&history, &[], exchange(9)), [0, 1, 2, 3]);
    }

    #[test]
    fn sequential_operations_agree_on_an_order() {
        let mut history = History::new(0, 4);
        history.write(0, value(1, OTHER, 1, Maker::Store, SeqCst));
        assert_eq!(candidates(&history, &[], Intent::Load(SeqCst)), [0]);
        assert_eq!(candidates(&history, &[], Intent::Load(Relaxed)), [0, 1]);
    }

    #[test]
    fn the_oldest_values_are_forgotten() {
        let mut history = History::new(0, 4);
        for time in 1..100 {
            history.write(0, value(u64::from(time), OTHER, time, Maker::Store, Relaxed));
        }
        assert_eq!(candidates(&history, &[], Intent::Load(Relaxed)).len(), Age::KEPT);
    }
}
