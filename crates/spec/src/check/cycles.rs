//! Orderings that contradict each other: events that would have to come before themselves.
//!
//! An event *can occur* if everything that must come before it can. The least set of events with that
//! property is found by adding one event after the other; the order in which they are added is an
//! order in which they may happen. What can never be added waits for itself.
//!
//! May miss: contradictions between states (`[@t]`, `!f`, nested orderings), which are taken
//! to hold at some time; [`crate::Spec::feasible`] looks for these. May falsely report: nothing, if threads that are named alike are told apart
//! where the schedule says that there are several (`start@t#2`).

use super::never::is_name_of_several;
use crate::{Error, EventName, EventRef, Formula, FormulaKind, Occurrence, Ordering, Span};

pub(super) fn check(orderings: &[Ordering], errors: &mut Vec<Error>) {
    let mut graph = Graph::new(orderings);
    loop {
        graph.grow();
        let Some(stuck) = graph.stuck() else { return };
        let cycle = graph.cycle(stuck);
        errors.push(graph.tell(&cycle));
        // Others may not be part of it.
        cycle.iter().for_each(|step| graph.can_occur[step.event] = true);
    }
}

/// An occurrence of an event.
#[derive(Debug)]
struct Node {
    event: EventRef,
    number: u32,
    /// Whether the schedule is not met without it.
    must_occur: bool,
    /// What must come before it, all of it.
    before: Vec<Requirement>,
}

#[derive(Clone, Debug)]
enum Requirement {
    All(Vec<Requirement>),
    Any(Vec<Requirement>),
    /// It has happened, or happens at the same moment.
    Event {
        node: usize,
        why: Why,
    },
    /// It has happened before.
    Earlier {
        node: usize,
        why: Why,
    },
}

#[derive(Clone, Copy, Debug)]
enum Why {
    /// It is written there.
    Written(Span),
    /// It is written there that the thread is blocked.
    Blocked(Span),
    /// An occurrence comes after the one before.
    Count,
    /// A thread does nothing before it starts.
    Started,
    /// A thread does nothing after it ends.
    Ended,
    /// A thread that ceases to be blocked was.
    Waited,
    /// What happens for the first time to some thread has happened.
    Anybody,
}

/// `event` has to wait for the next step's event.
#[derive(Debug)]
struct Step {
    event: usize,
    why: Why,
}

#[derive(Debug)]
struct Graph {
    nodes: Vec<Node>,
    can_occur: Vec<bool>,
}

impl Graph {
    fn new(orderings: &[Ordering]) -> Self {
        let mut graph = Self { nodes: Vec::new(), can_occur: Vec::new() };
        for ordering in orderings {
            graph.nodes_of(&ordering.condition, true);
            graph.node(&ordering.event, true);
        }
        for index in 0..graph.nodes.len() {
            graph.nodes[index].before = graph.before(index, orderings);
        }
        graph.can_occur = vec![false; graph.nodes.len()];
        graph
    }

    /// The node of an occurrence; of the first one, if every one is meant.
    fn node(&mut self, event: &EventRef, must_occur: bool) {
        let number = match event.occurrence {
            Occurrence::Nth(n) => n.get(),
            Occurrence::Every => 1,
        };
        let must_occur = must_occur && event.occurrence != Occurrence::Every;
        match self.find(event, number) {
            Some(known) => self.nodes[known].must_occur |= must_occur,
            None => {
                let occurrence = match event.occurrence {
                    Occurrence::Every => Occurrence::FIRST,
                    nth => nth,
                };
                let event = EventRef { occurrence, ..event.clone() };
                self.nodes.push(Node { event, number, must_occur, before: Vec::new() });
            }
        }
    }

    fn find(&self, event: &EventRef, number: u32) -> Option<usize> {
        self.nodes.iter().position(|node| is_same(&node.event, event) && node.number == number)
    }

    /// The nodes of the events that a condition asks for. What it does not ask for (in a
    /// negation) does not matter.
    fn nodes_of(&mut self, formula: &Formula, must_occur: bool) {
        match &formula.kind {
            FormulaKind::Event(event) if event.occurrence == Occurrence::Every => {}
            FormulaKind::Event(event) | FormulaKind::BlockEvent(event) => {
                self.node(event, must_occur);
            }
            FormulaKind::All(parts) => {
                parts.iter().for_each(|part| self.nodes_of(part, must_occur));
            }
            FormulaKind::Any(parts) => parts.iter().for_each(|part| self.nodes_of(part, false)),
            FormulaKind::Blocked(_) | FormulaKind::Not(_) | FormulaKind::Ordered(..) => {}
        }
    }

    fn before(&self, index: usize, orderings: &[Ordering]) -> Vec<Requirement> {
        let node = &self.nodes[index];
        let mut before = Vec::new();
        for (other, earlier) in self.nodes.iter().enumerate() {
            if other != index
                && let Some(why) = implied(earlier, node, orderings)
            {
                before.push(Requirement::Event { node: other, why });
            }
        }
        for ordering in orderings {
            if applies(&ordering.event, node) {
                before.push(self.requirement(&ordering.condition, index));
            }
        }
        before
    }

    fn requirement(&self, formula: &Formula, of: usize) -> Requirement {
        let event = |node| Requirement::Event { node, why: Why::Written(formula.span) };
        match &formula.kind {
            FormulaKind::Event(every) if every.occurrence == Occurrence::Every => {
                let all = self.nodes.iter().enumerate().filter(|(index, node)| {
                    *index != of && node.must_occur && applies(every, node)
                });
                Requirement::All(all.map(|(index, _)| event(index)).collect())
            }
            FormulaKind::Event(named) | FormulaKind::BlockEvent(named) => {
                let number = match named.occurrence {
                    Occurrence::Nth(n) => n.get(),
                    Occurrence::Every => 1,
                };
                Requirement::All(self.find(named, number).into_iter().map(event).collect())
            }
            FormulaKind::Blocked(thread) => {
                let start = self.nodes.iter().position(|node| {
                    node.event.name == EventName::Start
                        && node.event.thread.as_ref() == Some(thread)
                        && node.number == 1
                });
                let why = Why::Blocked(formula.span);
                let earlier = |node| Requirement::Earlier { node, why };
                Requirement::All(start.into_iter().map(earlier).collect())
            }
            FormulaKind::Not(_) | FormulaKind::Ordered(..) => Requirement::All(Vec::new()),
            FormulaKind::All(parts) => {
                Requirement::All(parts.iter().map(|part| self.requirement(part, of)).collect())
            }
            FormulaKind::Any(parts) => {
                Requirement::Any(parts.iter().map(|part| self.requirement(part, of)).collect())
            }
        }
    }

    /// Adds what can occur.
    fn grow(&mut self) {
        loop {
            let next = (0..self.nodes.len())
                .find(|index| !self.can_occur[*index] && self.first_missing(*index).is_none());
            let Some(next) = next else { return };
            self.can_occur[next] = true;
        }
    }

    fn stuck(&self) -> Option<usize> {
        (0..self.nodes.len()).find(|index| self.nodes[*index].must_occur && !self.can_occur[*index])
    }

    /// Something that an event waits for and that can not occur.
    fn first_missing(&self, index: usize) -> Option<(usize, Why)> {
        let before = &self.nodes[index].before;
        before.iter().find_map(|requirement| self.missing(requirement, index))
    }

    fn missing(&self, requirement: &Requirement, of: usize) -> Option<(usize, Why)> {
        match requirement {
            Requirement::Event { node, why } => {
                // What happens at the same moment has happened by then.
                (*node != of && !self.can_occur[*node]).then_some((*node, *why))
            }
            Requirement::Earlier { node, why } => (!self.can_occur[*node]).then_some((*node, *why)),
            Requirement::All(parts) => parts.iter().find_map(|part| self.missing(part, of)),
            Requirement::Any(parts) => {
                let mut first = None;
                for part in parts {
                    first = first.or(Some(self.missing(part, of)?));
                }
                first
            }
        }
    }

    /// From what is stuck to what it waits for, until that is something met before.
    fn cycle(&self, stuck: usize) -> Vec<Step> {
        let mut path: Vec<Step> = Vec::new();
        let mut event = stuck;
        loop {
            if let Some(from) = path.iter().position(|step| step.event == event) {
                return path.split_off(from);
            }
            let Some((next, why)) = self.first_missing(event) else { return path };
            path.push(Step { event, why });
            event = next;
        }
    }

    fn tell(&self, cycle: &[Step]) -> Error {
        // Against the waiting, in the order in which they would have to happen.
        let name = |step: &Step| self.nodes[step.event].event.to_string();
        let mut path: Vec<_> = cycle.iter().rev().map(name).collect();
        path.insert(0, name(&cycle[0]));
        let message = format!("no execution can be like this: `{}`", path.join(" -> "));
        let following = |index: usize| &cycle[(index + 1) % cycle.len()];
        let mut labels = Vec::new();
        let mut known = Vec::new();
        for (index, step) in cycle.iter().enumerate().rev() {
            let (before, after) = (name(following(index)), name(step));
            match step.why {
                Why::Blocked(span) => {
                    labels.push((span, format!("`{before}` comes before its thread is blocked")));
                }
                Why::Written(span) => {
                    labels.push((span, format!("`{before}` comes before `{after}`")))
                }
                Why::Count => {
                    known.push(format!("`{before}` is before `{after}` by their numbers"))
                }
                Why::Started | Why::Waited => {
                    known.push(format!("`{before}` always comes before `{after}`"))
                }
                Why::Ended => known
                    .push(format!("`{after}` is the last that its thread does, after `{before}`")),
                Why::Anybody => known.push(format!(
                    "`{after}` is itself an occurrence of `{before}` or a later one"
                )),
            }
        }
        let (span, text) = match labels.is_empty() {
            true => (self.nodes[cycle[0].event].event.span, "this can not happen".to_owned()),
            false => labels.remove(0),
        };
        let mut error = Error::new(span, message).here(text);
        for (span, text) in labels {
            error = error.and(span, text);
        }
        match known.is_empty() {
            true => error,
            false => error.help(known.join("; ")),
        }
    }
}

fn is_same(a: &EventRef, b: &EventRef) -> bool {
    a.name == b.name && a.thread == b.thread
}

/// Whether what is said of an event is said of this occurrence.
fn applies(event: &EventRef, node: &Node) -> bool {
    match event.occurrence {
        Occurrence::Nth(n) => is_same(event, &node.event) && n.get() == node.number,
        Occurrence::Every => {
            event.name == node.event.name
                && (event.thread.is_none() || event.thread == node.event.thread)
        }
    }
}

/// Whether one comes before the other (or is the same) in every execution in which both occur.
fn implied(earlier: &Node, later: &Node, orderings: &[Ordering]) -> Option<Why> {
    if earlier.event.name == later.event.name {
        if earlier.event.thread == later.event.thread {
            return (earlier.number < later.number).then_some(Why::Count);
        }
        let is_wider = earlier.event.thread.is_none();
        return (is_wider && earlier.number <= later.number).then_some(Why::Anybody);
    }
    let thread = later.event.thread.as_ref()?;
    if earlier.event.thread.as_ref() != Some(thread) {
        return None;
    }
    match (&earlier.event.name, &later.event.name) {
        (EventName::Start, EventName::End) => {
            (earlier.number <= later.number).then_some(Why::Started)
        }
        (EventName::Start, _) => (earlier.number == 1).then_some(Why::Started),
        (EventName::Block, EventName::Unblock) => {
            (earlier.number <= later.number).then_some(Why::Waited)
        }
        (_, EventName::End) => {
            (earlier.must_occur && !is_name_of_several(thread, orderings)).then_some(Why::Ended)
        }
        _ => None,
    }
}
