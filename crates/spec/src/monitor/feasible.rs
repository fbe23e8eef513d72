//! Whether any execution is as a schedule says.
//!
//! The checker knows events that wait for themselves. What states (`[@t]`, `!f`, orderings inside of
//! conditions) make impossible is found by looking for an execution: threads that may do whatever
//! the schedule mentions do it in all orders, until everything that it needs has happened.
//!
//! May miss: contradictions that take more looking than [`LIMIT`]. May falsely report: schedules that
//! need an event, a wait or a thread without a name more often than they name one; no such schedule
//! is known.

use super::{Action, Letter, Monitor, Permission, ThreadKey};
use crate::check::{each_event, each_thread, is_name_of_several};
use crate::{EventName, EventRef, Formula, FormulaKind, Occurrence, Spec, ThreadName};
use std::collections::BTreeSet;

/// So many states are looked at. Who finds nothing within them does not know.
const LIMIT: usize = 2_000;

/// What the looking says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feasible {
    /// No execution is as the schedule says.
    No,
    /// One is, or it is not known.
    Perhaps,
}

/// Looks for an execution.
pub(crate) fn feasible(spec: &Spec) -> Feasible {
    let mut monitor = Monitor::new(spec);
    // Of the mere order of events the checker knows everything.
    if !(monitor.rules.watches_blocking || monitor.rules.sees_all) {
        return Feasible::Perhaps;
    }
    let world = World::new(spec, &monitor);
    let mut seen = BTreeSet::new();
    let mut open = vec![(monitor.state.clone(), Doing::new(&world))];
    while let Some((state, doing)) = open.pop() {
        if !seen.insert((state.key(), doing.clone())) {
            continue;
        }
        if seen.len() > LIMIT {
            return Feasible::Perhaps;
        }
        monitor.state = state;
        if monitor.unmet().is_empty() {
            return Feasible::Perhaps;
        }
        for (letter, next) in doing.next(&world) {
            if monitor.permission(&letter) != Permission::NotYet {
                let mut state = monitor.state.clone();
                state.step(&monitor.rules, &letter, None);
                state.history.clear();
                open.push((state, next));
            }
        }
    }
    Feasible::No
}

/// A thread of the model.
#[derive(Debug)]
struct Thread {
    name: Option<String>,
    starts: bool,
    ends: bool,
    blocks: bool,
}

/// What there is.
#[derive(Debug)]
struct World {
    threads: Vec<Thread>,
    /// The named events, with how often they may happen, and to whom they are said to happen.
    events: Vec<(String, u32, Vec<Option<ThreadName>>)>,
    /// How often a thread may be blocked.
    blocks: u32,
}

impl World {
    fn new(spec: &Spec, monitor: &Monitor) -> Self {
        let mut events: Vec<&EventRef> = Vec::new();
        let mut names: Vec<&ThreadName> = Vec::new();
        for ordering in &spec.orderings {
            each_event(&ordering.condition, &mut |event| events.push(event));
            each_thread(&ordering.condition, &mut |thread, _| names.push(thread));
            events.push(&ordering.event);
        }
        names.extend(events.iter().filter_map(|event| event.thread.as_ref()));
        names.sort_unstable();
        names.dedup();
        let mut world = Self { threads: Vec::new(), events: Vec::new(), blocks: 0 };
        for name in names {
            let has = |what: EventName| {
                events.iter().any(|event| event.name == what && event.thread.as_ref() == Some(name))
            };
            let count = if is_name_of_several(name, &spec.orderings) { 2 } else { 1 };
            for _ in 0..count {
                let (starts, ends) = (has(EventName::Start), has(EventName::End));
                let blocks = has(EventName::Block) || has(EventName::Unblock);
                world.threads.push(Thread { name: Some(name.0.clone()), starts, ends, blocks });
            }
        }
        for event in &events {
            world.add(event);
        }
        // Who performs what others wait for to block, and one who goes on.
        let mut blocking = Vec::new();
        for ordering in &spec.orderings {
            each_block(&ordering.condition, &mut blocking);
        }
        let nameless = blocking.iter().filter(|block| block.is_none()).count();
        let blocks = |name| blocking.iter().any(|block| block.is_none() || *block == name);
        world.threads.iter_mut().for_each(|thread| thread.blocks |= blocks(thread.name.as_deref()));
        for index in 0..=nameless.min(2) {
            let blocks = index < nameless;
            world.threads.push(Thread { name: None, starts: false, ends: false, blocks });
        }
        // Something that the schedule does not mention.
        if monitor.rules.sees_all {
            world.events.push((String::new(), 1, vec![None]));
        }
        world.blocks += u32::try_from(blocking.len().min(2)).expect("at most two");
        world
    }

    fn add(&mut self, event: &EventRef) {
        let number = match event.occurrence {
            Occurrence::Nth(n) => n.get(),
            Occurrence::Every => 1,
        };
        match &event.name {
            EventName::Named(name) => {
                match self.events.iter_mut().find(|(known, ..)| known == name) {
                    Some((_, times, whose)) => {
                        *times = match whose.contains(&event.thread) {
                            true => number.max(*times),
                            false => number.saturating_add(*times),
                        };
                        whose.push(event.thread.clone());
                    }
                    None => self.events.push((name.clone(), number, vec![event.thread.clone()])),
                }
            }
            EventName::Block | EventName::Unblock => self.blocks = self.blocks.max(number),
            EventName::Start | EventName::End => {}
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Life {
    Before,
    Running,
    Blocked,
    After,
}

/// Where everybody is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Doing {
    lives: Vec<Life>,
    blocked: Vec<u32>,
    happened: Vec<u32>,
}

impl Doing {
    fn new(world: &World) -> Self {
        let life = |thread: &Thread| if thread.starts { Life::Before } else { Life::Running };
        Self {
            lives: world.threads.iter().map(life).collect(),
            blocked: vec![0; world.threads.len()],
            happened: vec![0; world.events.len()],
        }
    }

    /// All that can happen next. What is tried first stands last.
    fn next<'a>(&self, world: &'a World) -> Vec<(Letter<'a>, Self)> {
        let mut next = Vec::new();
        for (index, thread) in world.threads.iter().enumerate() {
            let mut add = |action, change: &dyn Fn(&mut Self)| {
                let key = ThreadKey(u32::try_from(index).expect("few threads"));
                let mut doing = self.clone();
                change(&mut doing);
                let name = thread.name.as_deref();
                next.push((Letter { action, thread: key, name }, doing));
            };
            match self.lives[index] {
                Life::Before => add(Action::Start, &|doing| doing.lives[index] = Life::Running),
                Life::Blocked => add(Action::Unblock, &|doing| doing.lives[index] = Life::Running),
                Life::After => {}
                Life::Running => {
                    if thread.ends {
                        add(Action::End, &|doing| doing.lives[index] = Life::After);
                    }
                    for (event, (name, times, whose)) in world.events.iter().enumerate() {
                        let is_whose = |whose: &Option<ThreadName>| match whose {
                            Some(ThreadName(whose)) => thread.name.as_ref() == Some(whose),
                            None => true,
                        };
                        if self.happened[event] < *times && whose.iter().any(is_whose) {
                            add(Action::Event(name), &|doing| doing.happened[event] += 1);
                        }
                    }
                    if thread.blocks && self.blocked[index] < world.blocks {
                        add(Action::Block, &|doing| {
                            doing.lives[index] = Life::Blocked;
                            doing.blocked[index] += 1;
                        });
                    }
                }
            }
        }
        next
    }
}

/// The names of the threads that are to be blocked for a formula to hold or not.
fn each_block<'a>(formula: &'a Formula, names: &mut Vec<Option<&'a str>>) {
    match &formula.kind {
        FormulaKind::Event(_) => {}
        FormulaKind::BlockEvent(event) => {
            names.push(event.thread.as_ref().map(|thread| thread.0.as_str()));
        }
        FormulaKind::Blocked(thread) => names.push(Some(&thread.0)),
        FormulaKind::Not(formula) => each_block(formula, names),
        FormulaKind::All(parts) | FormulaKind::Any(parts) => {
            parts.iter().for_each(|part| each_block(part, names));
        }
        FormulaKind::Ordered(first, second) => {
            each_block(first, names);
            each_block(second, names);
        }
    }
}
