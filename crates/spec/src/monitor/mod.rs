//! Whether an execution is as its written schedule says.
//!
//! Source: the semantics of Jagannath et al., "Improved Multithreaded Unit Testing", ESEC/FSE 2011,
//! §3.3, a fragment of past-time linear temporal logic. Each operator's past is kept as one or two
//! bits, so a step costs time in the size of the schedule, whatever the length of the execution.
//!
//! Deviations: (1) events may occur repeatedly: an event without a number is its first occurrence, which is
//! the seed's meaning where events occur once; (2) conjunctions of several events mean that each has
//! occurred, as in the seed's concrete language (its logic would have them occur at one moment, which
//! nothing satisfies); see [`crate::moments`] for which conjunctions these are; (3) `e#* -> f` looks ahead:
//! that no `e` comes later can only be promised when nobody else can go on.
//!
//! May miss: nothing that is a letter. What blocks unnoticed by who reports letters is not seen.

mod conditions;
mod explain;
mod feasible;
mod promise;
mod state;
mod tell;
mod verdict;

use self::conditions::{Compiled, Condition, Rule};
use self::state::State;
use self::tell::Wrong;
use crate::Spec;
use std::borrow::Cow;
use std::fmt;

pub use self::explain::{Held, Seen};
pub(crate) use self::feasible::{Feasible, feasible};
pub use self::tell::{Need, Unmet, Violation};

/// A thread of one execution. Who reports letters numbers the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadKey(pub u32);

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'a> {
    /// A named event.
    Event(&'a str),
    /// The thread begins.
    Start,
    /// The thread ends.
    End,
    /// The thread becomes blocked.
    Block,
    /// The thread ceases to be blocked.
    Unblock,
}

/// What happens, and to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letter<'a> {
    /// What happens.
    pub action: Action<'a>,
    /// The thread that it happens to.
    pub thread: ThreadKey,
    /// The thread's name now, if it has one.
    pub name: Option<&'a str>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as the compiler names it.
    pub file: Cow<'static, str>,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A letter that the schedule mentions, kept for those who tell about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// The event as a schedule would write it, without a number.
    pub event: String,
    /// The thread that it happened to.
    pub thread: ThreadKey,
    /// The thread's name, if it had one.
    pub name: Option<String>,
    /// Where, if it is known.
    pub place: Option<Place>,
}

/// Whether something may happen now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// Not before something else has happened.
    NotYet,
    /// If nobody else can go on, and no time can pass.
    WhenQuiet,
    /// Yes.
    Now,
}

/// Reads one execution.
#[derive(Clone, Debug)]
pub struct Monitor {
    rules: Compiled,
    state: State,
}

impl Monitor {
    /// For an execution that has not begun. The schedule has been checked.
    pub fn new(spec: &Spec) -> Self {
        let rules = Compiled::new(spec);
        let state = State::new(&rules);
        Self { rules, state }
    }

    /// Whether the schedule says anything of such a letter. Others need not be reported.
    pub fn mentions(&self, action: Action<'_>, name: Option<&str>) -> bool {
        match action {
            Action::Block | Action::Unblock => self.rules.watches_blocking,
            // It ends a wait, too.
            Action::End if self.rules.watches_blocking => true,
            _ if self.rules.sees_all => true,
            _ => self.rules.events.iter().any(|event| event.is(action, name)),
        }
    }

    /// Whether it matters which threads are blocked.
    pub fn watches_blocking(&self) -> bool {
        self.rules.watches_blocking
    }

    /// Whether the letter may happen now.
    pub fn permission(&self, letter: &Letter<'_>) -> Permission {
        if !self.state.broken_promises(&self.rules, letter).is_empty() {
            return Permission::NotYet;
        }
        let due = self.due(letter).map(|rule| self.permits(rule, letter));
        due.min().unwrap_or(Permission::Now)
    }

    fn permits(&self, rule: &Rule, letter: &Letter<'_>) -> Permission {
        let holds = |condition: &Condition, last| {
            self.state.at(&self.rules, letter).satisfies(condition, last)
        };
        match (holds(&rule.condition, Last::No), holds(&rule.condition, Last::Yes)) {
            (true, _) => Permission::Now,
            (false, true) => Permission::WhenQuiet,
            (false, false) => Permission::NotYet,
        }
    }

    /// The rules that the letter has to satisfy.
    fn due<'a>(&'a self, letter: &'a Letter<'_>) -> impl Iterator<Item = &'a Rule> {
        let position = self.state.at(&self.rules, letter);
        self.rules.rules.iter().filter(move |rule| position.is_now(&rule.event))
    }

    /// The letter happens. Says which orderings that violates.
    pub fn step(&mut self, letter: &Letter<'_>, place: Option<Place>) -> Vec<Violation> {
        let mut violations = Vec::new();
        for rule in self.state.broken_promises(&self.rules, letter) {
            let rule = &self.rules.rules[rule];
            violations.push(self.violation(rule, Wrong::Promise, letter, place.as_ref()));
        }
        for rule in self.due(letter) {
            if self.permits(rule, letter) == Permission::NotYet {
                violations.push(self.violation(rule, Wrong::Condition, letter, place.as_ref()));
            }
        }
        self.state.step(&self.rules, letter, place);
        violations
    }

    /// What has happened of what the schedule mentions, in order; the beginning of it, if that is
    /// very much.
    pub fn history(&self) -> &[Happened] {
        &self.state.history
    }
}

/// Whether events that are to come before something may be taken to have all occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Yes,
    No,
}
