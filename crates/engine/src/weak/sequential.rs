//! Whether an operation agrees with an order of all `SeqCst` operations, whatever that order is.
//!
//! Histories take the order of `SeqCst` operations to be that in which they are carried out, which costs next to nothing and
//! forbids a little too much: C++20 asks for *some* order. Here is the exact rule, for executions with few
//! operations.
//!
//! Source: the relation `psc` of O. Lahav, V. Vafeiadis, J. Kang, C.-K. Hur and D. Dreyer, *Repairing sequential consistency in
//! C/C++11* (PLDI 2017), which must have no cycle. As in C++20, what is between two steps of program order may be about one
//! atomic. A read-modify-write is one operation.
//!
//! May miss: nothing up to [`MOST`] operations on shared atomics; beyond that it has no opinion.

use selvedge_model::{Clock, ObjectId, Order, ThreadId};

/// Executions with more operations than this are not judged.
const MOST: usize = 64;

/// An operation on an atomic of which older values are kept, or a fence.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) thread: ThreadId,
    /// Which one of its thread's events it is.
    pub(crate) time: u32,
    pub(crate) order: Order,
    /// Nothing for a fence.
    pub(crate) atomic: ObjectId,
    /// The numbers of the values that it has read and written.
    pub(crate) reads: Option<u32>,
    pub(crate) writes: Option<u32>,
    /// What happened before it, and itself.
    pub(crate) clock: Clock,
}

impl Node {
    fn is_fence(&self) -> bool {
        self.atomic == ObjectId::NONE
    }

    fn is_sequential(&self) -> bool {
        self.order == Order::SeqCst
    }
}

/// The operations so far.
#[derive(Debug, Default)]
pub(crate) struct Past {
    nodes: Vec<Node>,
    extent: Extent,
}

/// Whether all that happened is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Extent {
    #[default]
    Whole,
    TooMuch,
}

/// The operations that each operation comes before, as bits.
type Relation = Vec<u64>;

impl Past {
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.extent = Extent::Whole;
    }

    /// Something has happened that can not be judged.
    pub(crate) fn gives_up(&mut self) {
        self.nodes.clear();
        self.extent = Extent::TooMuch;
    }

    /// Whether an operation can be judged.
    #[inline]
    pub(crate) fn is_whole(&self) -> bool {
        self.extent == Extent::Whole
    }

    /// An operation was carried out.
    pub(crate) fn push(&mut self, node: Node) {
        match self.extent {
            // One more is to be judged.
            Extent::Whole if self.nodes.len() + 1 < MOST => self.nodes.push(node),
            Extent::Whole | Extent::TooMuch => self.gives_up(),
        }
    }

    /// Whether there is an order of all `SeqCst` operations that the next operation agrees with. `position` says how many
    /// values of an atomic are newer than the one with this number, the next operation's included.
    pub(crate) fn allows(&self, next: &Node, position: impl Fn(ObjectId, u32) -> usize) -> bool {
        let all: Vec<&Node> = self.nodes.iter().chain([next]).collect();
        let relation = |holds: &dyn Fn(&Node, &Node) -> bool| -> Relation {
            all.iter().map(|first| set(&all, |second| holds(first, second))).collect()
        };
        let here = |a: &Node, b: &Node| !a.is_fence() && a.atomic == b.atomic;
        let is_same = |a: &Node, b: &Node| (a.thread, a.time) == (b.thread, b.time);
        let is_newer =
            |of: ObjectId, value: u32, than: u32| position(of, value) < position(of, than);
        let comes_before = |a: &Node, b: &Node| !is_same(a, b) && b.clock.of(a.thread) >= a.time;
        let po = relation(&|a, b| a.thread == b.thread && a.time < b.time);
        let hb = relation(&comes_before);
        let mo = relation(&|a, b| {
            let values = a.writes.zip(b.writes);
            here(a, b) && values.is_some_and(|(mine, theirs)| is_newer(a.atomic, theirs, mine))
        });
        let fr = relation(&|a, b| {
            let values = a.reads.zip(b.writes);
            here(a, b)
                && !is_same(a, b)
                && values.is_some_and(|(mine, theirs)| is_newer(a.atomic, theirs, mine))
        });
        let rf = relation(&|a, b| {
            here(a, b) && !is_same(a, b) && a.writes.is_some() && a.writes == b.reads
        });
        let eco = closure(union(&rf, &union(&mo, &fr)));
        let hb_here = relation(&|a, b| here(a, b) && comes_before(a, b));
        let detour = compose(&compose(&po, &hb), &po);
        let scb = union(&union(&po, &detour), &union(&hb_here, &union(&mo, &fr)));
        let access = |node: &Node| node.is_sequential() && !node.is_fence();
        let fence = |node: &Node| node.is_sequential() && node.is_fence();
        let enter = relation(&|a, b| {
            access(a) && is_same(a, b) || fence(a) && (is_same(a, b) || comes_before(a, b))
        });
        let leave = relation(&|a, b| {
            access(a) && is_same(a, b) || fence(b) && (is_same(a, b) || comes_before(a, b))
        });
        let base = compose(&compose(&enter, &scb), &leave);
        let through = union(&hb, &compose(&compose(&hb, &eco), &hb));
        let fences: Relation = all
            .iter()
            .zip(&through)
            .map(|(first, after)| if fence(first) { after & set(&all, fence) } else { 0 })
            .collect();
        let psc = closure(union(&base, &fences));
        psc.iter().enumerate().all(|(node, after)| after & 1 << node == 0)
    }
}

fn set(all: &[&Node], holds: impl Fn(&Node) -> bool) -> u64 {
    all.iter().enumerate().filter(|(_, node)| holds(node)).fold(0, |set, (bit, _)| set | 1 << bit)
}

fn union(a: &Relation, b: &Relation) -> Relation {
    a.iter().zip(b).map(|(a, b)| a | b).collect()
}

fn compose(a: &Relation, b: &Relation) -> Relation {
    a.iter().map(|&middle| after(middle, b)).collect()
}

/// What comes after any of these.
fn after(mut these: u64, all: &Relation) -> u64 {
    let mut after = 0;
    while these != 0 {
        after |= all[these.trailing_zeros() as usize];
        these &= these - 1;
    }
    after
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
