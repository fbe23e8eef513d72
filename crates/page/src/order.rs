//! What comes before what in an execution, and why: the arrows of the diagram.
//!
//! Source: the happens-before relation of L. Lamport, *Time, clocks, and the ordering of events in a
//! distributed system* (1978), as far as the steps of a finding show it. Deviations:
//!
//! 1. Only the last edge into a step is given for each reason: who reads a value or takes a lock is
//!    connected to the last one who wrote it or gave it back.
//! 2. A read is connected to the write that it reads whatever memory order the program asked for:
//!    the arrow says where the value comes from, not that everything before it is visible.
//! 3. Order within a thread is not given; it is the lane.
//!
//! May miss: orders through plain memory and through objects that are not under control. May give
//! too much: see 2.

use crate::data::Order;
use selvedge_model::{
    Act, Edge, Edges, Element, Finding, ObjectId, ObjectKind, ObjectName, Order as MemoryOrder,
    Relation, Step, ThreadId,
};
use std::collections::BTreeMap;

/// The steps of which the first comes before the second, by position.
pub(crate) fn edges(finding: &Finding) -> Vec<(usize, usize, Order)> {
    let mut past = Past::default();
    let mut found = Vec::new();
    for (index, step) in finding.steps.iter().enumerate() {
        let thread = finding.threads.iter().position(|thread| thread.path == step.thread);
        let Some(thread) = thread else { continue };
        for (from, order) in past.before(index, step, ThreadId(thread as u32)) {
            if finding.steps[from].thread != step.thread {
                found.push((from, index, order));
            }
        }
    }
    found
}

/// The last steps that a later one may come after.
#[derive(Default)]
struct Past {
    edges: Edges,
    /// Who has left each element last.
    left: BTreeMap<Element, usize>,
    /// Who has started each thread, until its first step.
    started: BTreeMap<ThreadId, usize>,
    objects: BTreeMap<(ObjectKind, u32), ObjectId>,
}

impl Past {
    /// What a step comes after. Later ones may come after it.
    fn before(&mut self, index: usize, step: &Step, thread: ThreadId) -> Vec<(usize, Order)> {
        // A finding may come from anywhere.
        if step.kind.has_object() && step.object.is_none() {
            return Vec::new();
        }
        let act = Act {
            thread,
            object: self.object(step.object.as_ref()),
            second: self.object(step.second.as_ref()),
            other: Act::other(step.effect),
            order: MemoryOrder::Implied,
            age: step.age,
            meaning: step.kind.meaning(step.effect.outcome()),
        };
        let started = self.started.remove(&thread).map(|from| (from, Order::Spawn));
        let mut found: Vec<_> = started.into_iter().collect();
        let Self { edges, left, started, .. } = self;
        edges.of(&act, Relation::Influence, |edge| match edge {
            Edge::Take(element) | Edge::Glimpse(element) => {
                found.extend(left.get(&element).copied().zip(kind(element)));
            }
            Edge::Carry(_, element)
            | Edge::Leave(element)
            | Edge::Join(element)
            | Edge::LeaveFenced(element)
            | Edge::JoinFenced(element) => {
                left.insert(element, index);
            }
            Edge::Forget(element) => {
                left.remove(&element);
            }
            Edge::Start(child) => {
                started.insert(child, index);
            }
            Edge::Fence(_) => {}
        });
        found
    }

    /// A number for an object. Threads are objects as well, of which steps say nothing else.
    fn object(&mut self, name: Option<&ObjectName>) -> ObjectId {
        let Some(name) = name else { return ObjectId::NONE };
        let next = ObjectId(self.objects.len() as u32);
        *self.objects.entry((name.kind, name.number)).or_insert(next)
    }
}

/// What an arrow by way of an element says; nothing if there is none.
fn kind(element: Element) -> Option<Order> {
    match element {
        Element::Lock(_) | Element::Readers(_) => Some(Order::Lock),
        Element::Initialised(_) | Element::Barrier(_) => Some(Order::Done),
        Element::Atomic(..) => Some(Order::Value),
        Element::End(_) => Some(Order::Join),
        Element::Token(_) | Element::Signal(_) | Element::Futex(_) => Some(Order::Wake),
        Element::Message(..)
        | Element::Receipt(_)
        | Element::Senders(_)
        | Element::Departed(_)
        | Element::Receiver(_) => Some(Order::Message),
        // Which file it was is not known; of the rest no step tells.
        Element::Files(_) | Element::Told | Element::Closed | Element::Word(_) => None,
    }
}
