//! Which outcomes a program has, by the axioms: a brute force that knows nothing of the engine.
//!
//! Source: O. Lahav, V. Vafeiadis, J. Kang, C.-K. Hur and D. Dreyer, *Repairing sequential consistency in C/C++11*
//! (PLDI 2017): coherence, atomicity, no cycle of `psc`, no cycle of program order and reads-from. As in C++20, a
//! release sequence is a store and the read-modify-writes that follow on it, and what is between two steps of program
//! order in `psc` may be about one atomic. A read-modify-write is one event.
//!
//! All ways are tried in which reads can see writes and writes to one atomic can be ordered.

use crate::program::{Location, Op, Program};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// What each thread has read, and then the values that are left.
pub(crate) type Outcome = Vec<Vec<u32>>;

/// By which rules a program may behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    Sequential,
    Cpp20,
}

/// All outcomes that the model allows.
pub(crate) fn outcomes(program: &Program, model: Model) -> BTreeSet<Outcome> {
    let mut graph = Graph::new(program);
    let mut found = BTreeSet::new();
    graph.choose_reads(0, model, &mut found);
    found
}

/// A set of events, as bits.
type Set = u32;
/// The events that each event comes before.
type Relation = Vec<Set>;

#[derive(Clone, Copy, Debug)]
struct Event {
    thread: Option<usize>,
    op: Op,
}

#[derive(Debug)]
struct Graph {
    events: Vec<Event>,
    threads: usize,
    locations: usize,
    /// What each event reads from, if it reads.
    reads: Vec<Option<usize>>,
    /// What each event has read, and written, if it has.
    read: Vec<Option<u32>>,
    written: Vec<Option<u32>>,
}

impl Op {
    fn location(self) -> Option<Location> {
        match self {
            Self::Load(at, _)
            | Self::Store(at, ..)
            | Self::Add(at, ..)
            | Self::Swap(at, ..)
            | Self::Exchange { at, .. } => Some(at),
            Self::Fence(_) => None,
        }
    }

    fn reads(self) -> bool {
        !matches!(self, Self::Store(..) | Self::Fence(_))
    }
}

impl Graph {
    fn new(program: &Program) -> Self {
        let initial = |at| Event { thread: None, op: Op::Store(at, 0, Ordering::Relaxed) };
        let mut events: Vec<_> = (0..program.locations).map(initial).collect();
        for (thread, ops) in program.threads.iter().enumerate() {
            events.extend(ops.iter().map(|&op| Event { thread: Some(thread), op }));
        }
        let count = events.len();
        assert!(count <= Set::BITS as usize, "the program is small");
        let (threads, locations) = (program.threads.len(), program.locations);
        let (reads, read, written) = (vec![None; count], vec![None; count], vec![None; count]);
        Self { events, threads, locations, reads, read, written }
    }

    fn len(&self) -> usize {
        self.events.len()
    }

    /// Tries all writes for each read from this one on.
    fn choose_reads(&mut self, from: usize, model: Model, found: &mut BTreeSet<Outcome>) {
        let Some(reader) = (from..self.len()).find(|&event| self.events[event].op.reads()) else {
            if self.compute_values() {
                let orders = vec![Vec::new(); self.locations];
                self.choose_orders(0, orders, model, found);
            }
            return;
        };
        for writer in 0..self.len() {
            let op = self.events[writer].op;
            let writes = !matches!(op, Op::Load(..) | Op::Fence(_));
            if writer != reader && writes && op.location() == self.events[reader].op.location() {
                self.reads[reader] = Some(writer);
                self.choose_reads(reader + 1, model, found);
            }
        }
        self.reads[reader] = None;
    }

    /// What is read and written, if that is possible: without a cycle, and from events that write.
    fn compute_values(&mut self) -> bool {
        let mut before = self.program_order();
        for (reader, writer) in self.reads.iter().enumerate() {
            if let Some(writer) = writer {
                before[*writer] |= 1 << reader;
            }
        }
        let before = closure(before);
        if has_cycle(&before) {
            return false;
        }
        let mut order: Vec<usize> = (0..self.len()).collect();
        let earlier = |event: usize| before.iter().filter(|after| *after & 1 << event != 0).count();
        order.sort_by_key(|&event| earlier(event));
        for event in order {
            let source = match self.reads[event] {
                Some(writer) => match self.written[writer] {
                    Some(value) => Some(value),
                    None => return false,
                },
                None => None,
            };
            self.read[event] = source;
            self.written[event] = match (self.events[event].op, source) {
                (Op::Store(_, value, _) | Op::Swap(_, value, _), _) => Some(value),
                (Op::Add(_, value, _), Some(read)) => Some(read.wrapping_add(value)),
                (Op::Exchange { from, to, .. }, Some(read)) if read == from => Some(to),
                _ => None,
            };
        }
        true
    }

    /// Tries all orders of the writes to each atomic from this one on.
    fn choose_orders(
        &self,
        at: Location,
        mut orders: Vec<Vec<usize>>,
        model: Model,
        found: &mut BTreeSet<Outcome>,
    ) {
        if at == self.locations {
            if self.is_consistent(&orders, model) {
                found.insert(self.outcome(&orders));
            }
            return;
        }
        let is_write = |&event: &usize| {
            self.written[event].is_some()
                && self.events[event].op.location() == Some(at)
                && self.events[event].thread.is_some()
        };
        let mut rest: Vec<usize> = (0..self.len()).filter(is_write).collect();
        permutations(&mut rest, 0, &mut |order| {
            orders[at] = std::iter::once(at).chain(order.iter().copied()).collect();
            self.choose_orders(at + 1, orders.clone(), model, found);
        });
    }

    fn outcome(&self, orders: &[Vec<usize>]) -> Outcome {
        let mut outcome: Outcome = (0..self.threads)
            .map(|thread| {
                let mine =
                    (0..self.len()).filter(|&event| self.events[event].thread == Some(thread));
                mine.filter_map(|event| self.read[event]).collect()
            })
            .collect();
        let last = orders.iter().map(|order| {
            self.written[*order.last().expect("the initial value")].expect("it is a write")
        });
        outcome.push(last.collect());
        outcome
    }

    fn program_order(&self) -> Relation {
        let comes_before = |first: usize, second: usize| match (
            self.events[first].thread,
            self.events[second].thread,
        ) {
            (None, Some(_)) => true,
            (Some(a), Some(b)) => a == b && first < second,
            (_, None) => false,
        };
        relation(self.len(), comes_before)
    }

    fn order(&self, event: usize) -> Ordering {
        match self.events[event].op {
            Op::Load(_, order)
            | Op::Store(_, _, order)
            | Op::Add(_, _, order)
            | Op::Swap(_, _, order)
            | Op::Fence(order) => order,
            Op::Exchange { success, failure, .. } => match self.written[event] {
                Some(_) => success,
                None => failure,
            },
        }
    }

    fn is_fence(&self, event: usize) -> bool {
        matches!(self.events[event].op, Op::Fence(_))
    }

    fn same_location(&self, a: usize, b: usize) -> bool {
        let at = self.events[a].op.location();
        at.is_some() && at == self.events[b].op.location()
    }

    fn is_consistent(&self, orders: &[Vec<usize>], model: Model) -> bool {
        let count = self.len();
        let po = self.program_order();
        let rf = relation(count, |writer, reader| self.reads[reader] == Some(writer));
        let mut mo = vec![0; count];
        for order in orders {
            for (index, &first) in order.iter().enumerate() {
                mo[first] = order[index + 1..].iter().fold(0, |set, &second| set | 1 << second);
            }
        }
        // A read comes before what overwrites its value; not before itself, if it overwrites it.
        let fr = relation(count, |reader, writer| {
            reader != writer
                && self.reads[reader].is_some_and(|source| mo[source] & 1 << writer != 0)
        });
        let is_atomic = (0..count).all(|event| match (self.reads[event], self.written[event]) {
            (Some(source), Some(_)) => {
                let above = mo[source] & !(1 << event);
                mo[source] & 1 << event != 0
                    && (0..count)
                        .all(|other| above & 1 << other == 0 || mo[other] & 1 << event == 0)
            }
            _ => true,
        });
        if !is_atomic {
            return false;
        }
        match model {
            Model::Sequential => {
                let all = union(&union(&po, &rf), &union(&mo, &fr));
                !has_cycle(&closure(all))
            }
            Model::Cpp20 => {
                let eco = closure(union(&rf, &union(&mo, &fr)));
                let hb = self.happens_before(&po, &rf);
                let is_coherent = !has_cycle(&hb) && !has_cycle(&compose(&hb, &eco));
                is_coherent && !has_cycle(&closure(self.psc(&po, &hb, &mo, &fr, &eco)))
            }
        }
    }

    fn happens_before(&self, po: &Relation, rf: &Relation) -> Relation {
        let count = self.len();
        let acquires = |event| {
            use Ordering::{AcqRel, Acquire, SeqCst};
            matches!(self.order(event), Acquire | AcqRel | SeqCst)
        };
        let releases = |event| {
            use Ordering::{AcqRel, Release, SeqCst};
            matches!(self.order(event), Release | AcqRel | SeqCst)
        };
        let mut synchronised = vec![0; count];
        for (reader, source) in self.reads.iter().enumerate() {
            // The release sequences that the value is part of begin at these.
            let mut head = *source;
            while let Some(write) = head {
                let releasers = (0..count).filter(|&event| {
                    releases(event)
                        && (event == write || self.is_fence(event) && po[event] & 1 << write != 0)
                });
                let acquirers: Set = (0..count)
                    .filter(|&event| {
                        acquires(event)
                            && (event == reader
                                || self.is_fence(event) && po[reader] & 1 << event != 0)
                    })
                    .fold(0, |set, event| set | 1 << event);
                for releaser in releasers {
                    synchronised[releaser] |= acquirers;
                }
                head = if self.written[write].is_some() { self.reads[write] } else { None };
            }
        }
        debug_assert_eq!(rf.len(), count);
        closure(union(po, &synchronised))
    }

    fn psc(
        &self,
        po: &Relation,
        hb: &Relation,
        mo: &Relation,
        fr: &Relation,
        eco: &Relation,
    ) -> Relation {
        let count = self.len();
        let is_sequential = |event: usize| self.order(event) == Ordering::SeqCst;
        let hb_here = relation(count, |first, second| {
            hb[first] & 1 << second != 0 && self.same_location(first, second)
        });
        let detour = compose(&compose(po, hb), po);
        let scb = union(&union(po, &detour), &union(&hb_here, &union(mo, fr)));
        let identity = relation(count, |first, second| first == second);
        let hb_maybe = union(hb, &identity);
        let fence = |event: usize| self.is_fence(event) && is_sequential(event);
        let access = |event: usize| !self.is_fence(event) && is_sequential(event);
        let enter = relation(count, |first, second| {
            access(first) && first == second || fence(first) && hb_maybe[first] & 1 << second != 0
        });
        let leave = relation(count, |first, second| {
            access(first) && first == second || fence(second) && hb_maybe[first] & 1 << second != 0
        });
        let base = compose(&compose(&enter, &scb), &leave);
        let through = union(hb, &compose(&compose(hb, eco), hb));
        let fences = relation(count, |first, second| {
            fence(first) && fence(second) && through[first] & 1 << second != 0
        });
        union(&base, &fences)
    }
}

fn relation(count: usize, holds: impl Fn(usize, usize) -> bool) -> Relation {
    let after = |first| {
        (0..count).filter(|&second| holds(first, second)).fold(0, |set, second| set | 1 << second)
    };
    (0..count).map(after).collect()
}

fn union(a: &Relation, b: &Relation) -> Relation {
    a.iter().zip(b).map(|(a, b)| a | b).collect()
}

fn compose(a: &Relation, b: &Relation) -> Relation {
    let after = |set: &Set| {
        (0..b.len()).filter(|middle| set & 1 << middle != 0).fold(0, |all, middle| all | b[middle])
    };
    a.iter().map(after).collect()
}

fn closure(mut all: Relation) -> Relation {
    for middle in 0..all.len() {
        for first in 0..all.len() {
            if all[first] & 1 << middle != 0 {
                all[first] |= all[middle];
            }
        }
    }
    all
}

/// Whether something comes before itself.
fn has_cycle(all: &Relation) -> bool {
    all.iter().enumerate().any(|(event, after)| after & 1 << event != 0)
}

fn permutations(items: &mut Vec<usize>, from: usize, visit: &mut dyn FnMut(&[usize])) {
    if from == items.len() {
        return visit(items);
    }
    for index in from..items.len() {
        items.swap(from, index);
        permutations(items, from + 1, visit);
        items.swap(from, index);
    }
}
