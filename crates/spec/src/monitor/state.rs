//! What is remembered of an execution, and what holds at a position of it.

use super::conditions::{Compiled, Condition, Event, EventAt, Moment, written};
use super::promise::Promise;
use super::{Action, Happened, Last, Letter, Place, ThreadKey};
use crate::{Occurrence, ThreadName};

/// So much of what happened is kept for explanations.
const KEPT: usize = 16_384;

/// An occurrence of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurred {
    pub(super) thread: ThreadKey,
    /// How much of the history came before.
    pub(super) position: usize,
}

/// What is remembered.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// For each event, its occurrences.
    pub(super) occurred: Vec<Vec<Occurred>>,
    /// The threads that are blocked, with their names.
    blocked: Vec<(ThreadKey, Option<String>)>,
    /// Which moments have come.
    come: Vec<bool>,
    /// For each nested ordering, whether its second part has held, and whether it has held with the
    /// first one satisfied.
    nested: Vec<(bool, bool)>,
    /// What rules whose event has happened rely on.
    promises: Vec<Promise>,
    /// The beginning of what happened.
    pub(super) history: Vec<Happened>,
    /// How much happened.
    pub(super) length: usize,
}

impl State {
    pub(super) fn new(rules: &Compiled) -> Self {
        Self {
            occurred: vec![Vec::new(); rules.events.len()],
            blocked: Vec::new(),
            come: vec![false; rules.moments.len()],
            nested: vec![(false, false); rules.nested.len()],
            promises: Vec::new(),
            history: Vec::new(),
            length: 0,
        }
    }

    /// What of it matters for what comes.
    pub(super) fn key(&self) -> impl Ord + use<> {
        let threads = |occurred: &Vec<Occurred>| occurred.iter().map(|at| at.thread).collect();
        let occurred: Vec<Vec<ThreadKey>> = self.occurred.iter().map(threads).collect();
        let promises = self.promises.clone();
        (occurred, self.blocked.clone(), self.come.clone(), self.nested.clone(), promises)
    }

    /// The position that the execution comes to when the letter happens.
    pub(super) fn at<'a>(&'a self, rules: &'a Compiled, letter: &'a Letter<'a>) -> Position<'a> {
        Position { state: self, rules, letter }
    }

    /// The rules that rely on there being no such letter.
    pub(super) fn broken_promises(&self, rules: &Compiled, letter: &Letter<'_>) -> Vec<usize> {
        let broken = self.promises.iter().filter(|promise| promise.is_broken(rules, letter));
        broken.map(|promise| promise.rule).collect()
    }

    /// The occurrence, if it has been; the last one, if every one is meant.
    pub(super) fn occurred(&self, at: &EventAt) -> Option<Occurred> {
        let occurred = &self.occurred[at.event];
        match at.occurrence {
            Occurrence::Every => occurred.last().copied(),
            Occurrence::Nth(n) => occurred.get(n.get() as usize - 1).copied(),
        }
    }

    pub(super) fn step(&mut self, rules: &Compiled, letter: &Letter<'_>, place: Option<Place>) {
        let position = self.at(rules, letter);
        let come: Vec<_> = (0..rules.moments.len()).map(|index| position.has_come(index)).collect();
        let nested: Vec<_> = (0..rules.nested.len()).map(|index| position.nested(index)).collect();
        let promises: Vec<_> = position.new_promises();
        self.come = come;
        self.nested = nested;
        self.promises.retain(|promise| !promise.is_broken(rules, letter));
        self.promises.iter_mut().for_each(|promise| promise.step(rules, letter));
        self.promises.extend(promises);
        let mut is_mentioned = matches!(letter.action, Action::Block | Action::Unblock);
        for (event, occurred) in rules.events.iter().zip(&mut self.occurred) {
            if event.is_letter(letter) {
                occurred.push(Occurred { thread: letter.thread, position: self.length });
                is_mentioned = true;
            }
        }
        match letter.action {
            Action::Block => {
                self.blocked.push((letter.thread, letter.name.map(str::to_owned)));
            }
            Action::Unblock | Action::End => {
                self.blocked.retain(|(thread, _)| *thread != letter.thread);
            }
            Action::Event(_) | Action::Start => {}
        }
        if !is_mentioned {
            return;
        }
        self.length += 1;
        if self.history.len() < KEPT {
            self.history.push(Happened {
                event: written(letter),
                thread: letter.thread,
                name: letter.name.map(str::to_owned),
                place,
            });
        }
    }
}

impl Event {
    pub(super) fn is_letter(&self, letter: &Letter<'_>) -> bool {
        self.is(letter.action, letter.name)
    }
}

/// A position of an execution: what was, and the letter that happens there.
#[derive(Clone, Copy)]
pub(super) struct Position<'a> {
    state: &'a State,
    rules: &'a Compiled,
    letter: &'a Letter<'a>,
}

impl Position<'_> {
    /// Whether this occurrence of the event happens here.
    pub(super) fn is_now(self, at: &EventAt) -> bool {
        self.rules.events[at.event].is_letter(self.letter)
            && match at.occurrence {
                Occurrence::Every => true,
                Occurrence::Nth(n) => self.state.occurred[at.event].len() + 1 == n.get() as usize,
            }
    }

    /// The thread that the occurrence happened to, here or before.
    fn performer(self, at: &EventAt) -> Option<ThreadKey> {
        if self.is_now(at) {
            return Some(self.letter.thread);
        }
        self.state.occurred(at).map(|occurred| occurred.thread)
    }

    fn is_blocked(self, thread: ThreadKey) -> bool {
        match self.letter.action {
            Action::Block if self.letter.thread == thread => true,
            Action::Unblock | Action::End if self.letter.thread == thread => false,
            _ => self.state.blocked.iter().any(|(blocked, _)| *blocked == thread),
        }
    }

    fn is_any_blocked(self, ThreadName(name): &ThreadName) -> bool {
        let named = |other: Option<&str>| other == Some(name);
        (self.letter.action == Action::Block && named(self.letter.name))
            || self
                .state
                .blocked
                .iter()
                .any(|(thread, blocked)| named(blocked.as_deref()) && self.is_blocked(*thread))
    }

    /// Whether the thread of the event has performed it and is blocked.
    pub(super) fn blocks_after(self, at: &EventAt) -> bool {
        self.performer(at).is_some_and(|thread| self.is_blocked(thread))
    }

    /// Whether the occurrence has happened, here or before.
    pub(super) fn has_occurred(self, at: &EventAt) -> bool {
        self.performer(at).is_some()
    }

    fn holds(self, moment: &Moment) -> bool {
        match moment {
            Moment::Event(at) => self.is_now(at),
            Moment::BlockAfter(at) => self.blocks_after(at),
            Moment::Blocked(thread) => self.is_any_blocked(thread),
            Moment::Not(moment) => !self.holds(moment),
            Moment::All(parts) => parts.iter().all(|part| self.holds(part)),
            Moment::Any(parts) => parts.iter().any(|part| self.holds(part)),
            Moment::Ordered(index) => {
                let (second, both) = self.nested(*index);
                !second || both
            }
        }
    }

    /// What a nested ordering remembers after this position.
    fn nested(self, index: usize) -> (bool, bool) {
        let nested = &self.rules.nested[index];
        let (second, both) = self.state.nested[index];
        let now = self.holds(&nested.moment);
        (second || now, both || (now && self.satisfies(&nested.condition, Last::Yes)))
    }

    /// Whether the moment has come, here or before.
    pub(super) fn has_come(self, moment: usize) -> bool {
        self.state.come[moment] || self.holds_now(moment)
    }

    /// Whether the formula with this index holds here.
    pub(super) fn holds_now(self, moment: usize) -> bool {
        self.holds(&self.rules.moments[moment].moment)
    }

    pub(super) fn satisfies(self, condition: &Condition, last: Last) -> bool {
        match condition {
            Condition::All(parts) => parts.iter().all(|part| self.satisfies(part, last)),
            Condition::Any(parts) => parts.iter().any(|part| self.satisfies(part, last)),
            Condition::Past(moment) => self.has_come(*moment),
            Condition::BlockAfter(at) => self.blocks_after(at),
            Condition::Now(moment) => self.holds_now(*moment),
            Condition::AllOf(_) => last == Last::Yes,
        }
    }

    /// What the rules whose event happens here rely on.
    fn new_promises(self) -> Vec<Promise> {
        let mut promises = Vec::new();
        for (rule, of) in self.rules.rules.iter().enumerate() {
            if self.is_now(&of.event)
                && !self.satisfies(&of.condition, Last::No)
                && self.satisfies(&of.condition, Last::Yes)
            {
                promises.push(Promise::new(rule, self, &of.condition));
            }
        }
        promises
    }
}
