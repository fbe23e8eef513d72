//! What a monitor finds that is not as it should be.

use super::conditions::{Condition, EventAt, Moment, Rule, written};
use super::state::Position;
use super::{Happened, Last, Letter, Monitor, Permission, Place};
use crate::Occurrence;
use std::fmt;

/// An event happened although its ordering did not permit it.
/// [`Monitor::explain_violation`] tells the whole story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The ordering as it was written.
    pub ordering: String,
    /// What happened.
    pub event: Happened,
    /// What it should have waited for.
    pub missing: String,
    /// How much of [`Monitor::history`] came before.
    pub position: usize,
    pub(super) wrong: Wrong,
    /// The other events that the violation is about.
    pub(super) others: Vec<EventAt>,
}

/// What an event that is held waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The ordering as it was written.
    pub ordering: String,
    /// What is missing.
    pub missing: String,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (by `{}`)", self.missing, self.ordering)
    }
}

/// An event that had to happen and did not. [`Monitor::explain_unmet`] says what may have been meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The event as it was written.
    pub event: String,
    /// How often it did happen: an event may have been too few times.
    pub times: usize,
    /// An ordering that names it, as it was written.
    pub ordering: String,
    pub(super) at: EventAt,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { event, ordering, .. } = self;
        match self.times {
            0 => write!(f, "`{event}` never happened, but the schedule names it in `{ordering}`"),
            times => write!(
                f,
                "`{event}` never happened, but the schedule names it in `{ordering}`: it happened {}",
                so_often(times)
            ),
        }
    }
}

/// What is wrong when a letter happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The condition of its ordering does not hold.
    Condition,
    /// Another ordering relies on its not happening any more.
    Promise,
}

impl Monitor {
    /// What the letter waits for.
    pub fn needs(&self, letter: &Letter<'_>) -> Vec<Need> {
        let need = |rule: &Rule, wrong| Need {
            ordering: rule.text.clone(),
            missing: self.missing(rule, wrong, letter),
        };
        let due = self.due(letter).filter(|rule| self.permits(rule, letter) != Permission::Now);
        let broken = self.state.broken_promises(&self.rules, letter);
        due.map(|rule| need(rule, Wrong::Condition))
            .chain(broken.into_iter().map(|rule| need(&self.rules.rules[rule], Wrong::Promise)))
            .collect()
    }

    /// The events that the schedule needs and that have not happened. Alternatives are not needed.
    pub fn unmet(&self) -> Vec<Unmet> {
        let mut unmet: Vec<Unmet> = Vec::new();
        for rule in &self.rules.rules {
            let mut needed = Vec::new();
            self.needed(&rule.condition, &mut needed);
            needed.push(rule.event);
            for at in needed {
                let times = self.state.occurred[at.event].len();
                let Occurrence::Nth(n) = at.occurrence else { continue };
                if times < n.get() as usize && unmet.iter().all(|known| known.at != at) {
                    let event = self.rules.name(&at);
                    unmet.push(Unmet { event, times, ordering: rule.text.clone(), at });
                }
            }
        }
        unmet
    }

    fn needed(&self, condition: &Condition, events: &mut Vec<EventAt>) {
        match condition {
            Condition::All(parts) => parts.iter().for_each(|part| self.needed(part, events)),
            Condition::Past(index) | Condition::Now(index) => {
                self.rules.moments[*index].moment.anchors(events);
            }
            Condition::BlockAfter(at) => events.push(*at),
            Condition::Any(_) | Condition::AllOf(_) => {}
        }
    }

    pub(super) fn violation(
        &self,
        rule: &Rule,
        wrong: Wrong,
        letter: &Letter<'_>,
        place: Option<&Place>,
    ) -> Violation {
        let mut others = Vec::new();
        match wrong {
            Wrong::Condition => {
                self.open(self.state.at(&self.rules, letter), &rule.condition, &mut others)
            }
            Wrong::Promise => others.push(rule.event),
        }
        Violation {
            ordering: rule.text.clone(),
            event: Happened {
                event: written(letter),
                thread: letter.thread,
                name: letter.name.map(str::to_owned),
                place: place.cloned(),
            },
            missing: self.missing(rule, wrong, letter),
            position: self.state.length,
            wrong,
            others,
        }
    }

    /// The events that an unsatisfied condition is about.
    fn open(&self, position: Position<'_>, condition: &Condition, events: &mut Vec<EventAt>) {
        if position.satisfies(condition, Last::No) {
            return;
        }
        match condition {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().for_each(|part| self.open(position, part, events));
            }
            Condition::Past(index) | Condition::Now(index) => {
                self.rules.moments[*index].moment.anchors(events);
            }
            Condition::BlockAfter(at) => events.push(*at),
            Condition::AllOf(_) => {}
        }
    }

    fn missing(&self, rule: &Rule, wrong: Wrong, letter: &Letter<'_>) -> String {
        match wrong {
            Wrong::Promise => format!(
                "nothing any more: every `{}` was to come before `{}`, which has happened",
                written(letter),
                self.rules.name(&rule.event)
            ),
            Wrong::Condition => self.describe(self.state.at(&self.rules, letter), &rule.condition),
        }
    }

    /// What is missing for a condition, in words that go on from "waits for".
    fn describe(&self, position: Position<'_>, condition: &Condition) -> String {
        match condition {
            Condition::All(parts) => {
                let open = parts.iter().filter(|part| !position.satisfies(part, Last::No));
                let open: Vec<_> = open.map(|part| self.describe(position, part)).collect();
                open.join(", and ")
            }
            Condition::Any(parts) => {
                let parts: Vec<_> =
                    parts.iter().map(|part| self.describe(position, part)).collect();
                format!("either {}", parts.join(", or "))
            }
            Condition::Past(index) => {
                let looked = &self.rules.moments[*index];
                match &looked.moment {
                    Moment::Event(at) => self.describe_event(at),
                    moment => self.describe_moment(position, moment, &looked.text),
                }
            }
            Condition::Now(index) => {
                format!("`{}`, which does not hold at this moment", self.rules.moments[*index].text)
            }
            Condition::BlockAfter(at) if position.has_occurred(at) => {
                format!("the thread of `{}` to be blocked, which it is not", self.rules.name(at))
            }
            Condition::BlockAfter(at) => {
                format!("{}, and then for its thread to be blocked", self.describe_event(at))
            }
            Condition::AllOf(event) => {
                let at = EventAt { event: *event, occurrence: Occurrence::FIRST };
                format!("every `{}` to be over, while others can still go on", self.rules.name(&at))
            }
        }
    }

    fn describe_event(&self, at: &EventAt) -> String {
        let name = self.rules.name(at);
        match self.state.occurred[at.event].len() {
            0 => format!("`{name}`, which has not happened"),
            times => format!("`{name}`, which has happened only {}", so_often(times)),
        }
    }

    /// A formula that has not held at any moment.
    fn describe_moment(&self, position: Position<'_>, moment: &Moment, text: &str) -> String {
        let mut anchors = Vec::new();
        moment.anchors(&mut anchors);
        match anchors.first() {
            Some(at) if position.has_occurred(at) => {
                format!("`{text}`, which did not hold when `{}` happened", self.rules.name(at))
            }
            Some(at) => {
                format!("a moment of `{text}`: `{}` has not happened", self.rules.name(at))
            }
            None => format!("a moment at which `{text}` holds, which has not come"),
        }
    }
}

/// A number of times, in words.
pub(super) fn so_often(times: usize) -> String {
    match times {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    }
}
