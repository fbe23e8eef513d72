//! What a monitor says about what is not as it should be.

use super::conditions::{Condition, EventAt, Moment, Rule, written};
use super::state::Position;
use super::{Happened, Last, Letter, Monitor, Place};
use crate::{EventName, Occurrence};
use std::fmt;

/// An event happened although its ordering did not permit it.
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

/// An event that had to happen and did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The event as it was written.
    pub event: String,
    /// How often it did happen: an event may have been too few times.
    pub times: usize,
    /// An ordering that names it, as it was written.
    pub ordering: String,
}

impl Monitor {
    /// What the letter waits for.
    pub fn needs(&self, letter: &Letter<'_>) -> Vec<Need> {
        let mut needs: Vec<_> = self
            .due(letter)
            .filter(|rule| self.permits(rule, letter) != super::Permission::Now)
            .map(|rule| Need { ordering: rule.text.clone(), missing: self.missing(rule, letter) })
            .collect();
        if let Some(rule) = self.state.broken_promise(&self.rules, letter) {
            let rule = &self.rules.rules[rule];
            needs.push(Need { ordering: rule.text.clone(), missing: self.missing(rule, letter) });
        }
        needs
    }

    /// The events that the schedule needs and that have not happened. Alternatives of which one has
    /// happened are not needed.
    pub fn unmet(&self) -> Vec<Unmet> {
        let mut unmet: Vec<Unmet> = Vec::new();
        for rule in &self.rules.rules {
            let mut needed = vec![rule.event];
            self.needed(&rule.condition, &mut needed);
            for at in needed {
                let times = self.state.occurred[at.event].len();
                let Occurrence::Nth(n) = at.occurrence else { continue };
                let event = self.name(&at);
                if times < n.get() as usize && unmet.iter().all(|known| known.event != event) {
                    unmet.push(Unmet { event, times, ordering: rule.text.clone() });
                }
            }
        }
        unmet
    }

    fn needed(&self, condition: &Condition, events: &mut Vec<EventAt>) {
        match condition {
            Condition::All(parts) => parts.iter().for_each(|part| self.needed(part, events)),
            Condition::Past(moment) => {
                if let Moment::Event(at) = &self.rules.moments[*moment] {
                    events.push(*at);
                }
            }
            Condition::BlockAfter(at) => events.push(*at),
            Condition::Any(_) | Condition::AllOf(_) | Condition::Now(_) => {}
        }
    }

    pub(super) fn violation(
        &self,
        rule: &Rule,
        letter: &Letter<'_>,
        place: Option<&Place>,
    ) -> Violation {
        Violation {
            ordering: rule.text.clone(),
            event: Happened {
                event: written(letter),
                thread: letter.thread,
                name: letter.name.map(str::to_owned),
                place: place.cloned(),
            },
            missing: self.missing(rule, letter),
            position: self.state.history.len(),
        }
    }

    fn missing(&self, rule: &Rule, letter: &Letter<'_>) -> String {
        let position = self.state.at(&self.rules, letter);
        match self.state.broken_promise(&self.rules, letter) {
            Some(_) => format!(
                "every `{}` was to come before `{}`, which has happened",
                written(letter),
                self.name(&rule.event)
            ),
            None => self.describe(position, &rule.condition),
        }
    }

    /// What is missing for a condition, in words.
    fn describe(&self, position: Position<'_>, condition: &Condition) -> String {
        match condition {
            Condition::All(parts) => {
                let open = parts.iter().filter(|part| !position.satisfies(part, Last::No));
                let open: Vec<_> = open.map(|part| self.describe(position, part)).collect();
                open.join(" and ")
            }
            Condition::Any(parts) => {
                let parts: Vec<_> =
                    parts.iter().map(|part| self.describe(position, part)).collect();
                format!("either {}", parts.join(" or "))
            }
            Condition::Past(moment) => match &self.rules.moments[*moment] {
                Moment::Event(at) => format!("`{}`, which has not happened", self.name(at)),
                _ => "a moment at which all of this holds, which has not come".to_owned(),
            },
            Condition::BlockAfter(at) if position.has_occurred(at) => {
                format!("the thread of `{}`, which is not blocked", self.name(at))
            }
            Condition::BlockAfter(at) => {
                format!("`{}`, which has not happened, and its thread to block", self.name(at))
            }
            Condition::Now(_) => "what does not hold now".to_owned(),
            Condition::AllOf(event) => {
                let at = EventAt { event: *event, occurrence: Occurrence::Every };
                format!("`{}`: others can still go on", self.name(&at))
            }
        }
    }

    /// The event as it is written.
    fn name(&self, at: &EventAt) -> String {
        let event = &self.rules.events[at.event];
        let name = match &event.name {
            EventName::Named(name) => name,
            EventName::Start => "start",
            EventName::End => "end",
            EventName::Block => "block",
            EventName::Unblock => "unblock",
        };
        let thread = event.thread.as_ref().map(|thread| format!("@{}", thread.0));
        let number = match at.occurrence {
            Occurrence::FIRST => String::new(),
            Occurrence::Nth(n) => format!("#{n}"),
            Occurrence::Every => "#*".to_owned(),
        };
        format!("{name}{}{number}", thread.unwrap_or_default())
    }
}
