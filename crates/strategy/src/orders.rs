//! Orders: which executions differ in what came before what.
//!
//! The *order* of an execution is that of its operations on each object, as far as it can matter:
//! operations on different objects commute, and so do two reads of one object. Two executions with
//! the same order show the same behaviour, whichever thread was chosen when.
//!
//! Source: these are the traces of A. Mazurkiewicz, *Trace theory* (1986), each known by one number
//! that is made of the past of every operation, as in M. Musuvathi and S. Qadeer, *Partial-order
//! reduction for context-bounded state exploration* (MSR-TR-2007-12).
//!
//! Deviations: (1) an operation that fails counts as one that changes something, so two orders may
//! mean the same; (2) plain memory is left out: who accesses it in an order that matters has a race,
//! which is found in either order; (3) two orders may share a number, one pair in 2^64.

use rustc_hash::FxHashMap;
use selvedge_model::{Effect, Link, ObjectId, OperationKind, Record};

/// Orders beyond this many are not remembered.
const MOST: usize = 1 << 20;

/// The orders that were seen so far.
#[derive(Debug, Default)]
pub struct Orders {
    /// In how many executions each was seen.
    seen: FxHashMap<u64, u32>,
    /// How many were seen in exactly one execution.
    once: u64,
    /// How many were seen in exactly two.
    twice: u64,
    /// What the last write of each object, and the reads since, depend on; kept for its memory.
    objects: Vec<(u64, u64)>,
    /// What the last operation of each thread depends on; the same.
    threads: Vec<u64>,
}

/// Whether an order was seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// It was not.
    New,
    /// It was, or nobody can tell because there are too many.
    Known,
}

impl Orders {
    /// How many different ones there were.
    pub fn count(&self) -> u64 {
        self.seen.len() as u64
    }

    /// How many of them in exactly one execution, and how many in exactly two.
    pub fn rare(&self) -> (u64, u64) {
        (self.once, self.twice)
    }

    /// Whether all that were seen are remembered.
    pub fn are_all(&self) -> bool {
        self.seen.len() < MOST
    }

    /// Takes an execution into account.
    pub fn see(&mut self, record: &Record<'_>) -> Sight {
        let order = self.number(record);
        if self.seen.len() >= MOST {
            return Sight::Known;
        }
        let times = self.seen.entry(order).or_insert(0);
        *times = times.saturating_add(1);
        match *times {
            1 => self.once += 1,
            2 => {
                self.once -= 1;
                self.twice += 1;
            }
            3 => self.twice -= 1,
            _ => {}
        }
        if *times == 1 { Sight::New } else { Sight::Known }
    }

    /// The number of an execution's order.
    fn number(&mut self, record: &Record<'_>) -> u64 {
        let Self { objects, threads, .. } = self;
        objects.clear();
        threads.clear();
        threads.extend(record.threads.iter().map(|info| info.key | 1));
        for event in record.events {
            let (kind, object) = (event.operation.kind, event.operation.object);
            let past = &mut threads[event.thread.index()];
            if object == ObjectId::NONE || goes_without_saying(kind) {
                *past = mix(*past, kind as u64);
                continue;
            }
            if objects.len() <= object.index() {
                objects.resize(object.index() + 1, (0, 0));
            }
            let (written, read) = &mut objects[object.index()];
            let age = event.age.newer().map_or(0, |newer| newer as u64);
            let operation = kind as u64 | came_to(event.effect) << 32 | age << 40;
            *past = mix(*past, operation ^ *written);
            match kind.only_looks() {
                // Reads of the same value come in no order.
                true => *read = read.wrapping_add(*past),
                false => {
                    *past = mix(*past, *read);
                    (*written, *read) = (*past, 0);
                }
            }
        }
        threads.iter().fold(0_u64, |sum, past| sum.wrapping_add(*past))
    }
}

/// What became of an operation, where the order of the others does not say so: a lock that is given
/// back has no place in the order, and a deadline none at all.
fn came_to(effect: Effect) -> u64 {
    effect.outcome() as u64
}

/// Whether an operation comes in the same order in every execution, or makes none. That a lock is
/// given back follows from its having been taken.
pub(crate) fn goes_without_saying(kind: OperationKind) -> bool {
    kind.gives_back()
        || matches!(kind.link(), Link::Starts | Link::AfterEnd)
        || matches!(kind, OperationKind::ThreadStart | OperationKind::Continue)
}

pub(crate) fn mix(a: u64, b: u64) -> u64 {
    (a ^ b.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
