//! Conditions in the form in which they are evaluated.

use super::{Action, Letter};
use crate::moments::{About, about};
use crate::{EventName, EventRef, Formula, FormulaKind, Occurrence, Spec, ThreadName};

/// An event of the schedule, without the number of its occurrence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) name: EventName,
    pub(super) thread: Option<ThreadName>,
}

impl Event {
    /// Whether an action of a thread with this name is the event.
    pub(super) fn is(&self, action: Action<'_>, thread: Option<&str>) -> bool {
        let same_name = match (&self.name, action) {
            (EventName::Named(name), Action::Event(happened)) => name == happened,
            (EventName::Start, Action::Start)
            | (EventName::End, Action::End)
            | (EventName::Block, Action::Block)
            | (EventName::Unblock, Action::Unblock) => true,
            _ => false,
        };
        same_name && self.thread.as_ref().is_none_or(|ThreadName(name)| thread == Some(name))
    }
}

/// An occurrence of the event with this index.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventAt {
    pub(super) event: usize,
    pub(super) occurrence: Occurrence,
}

/// What must hold when a rule's event happens.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// The moment with this index has come.
    Past(usize),
    /// The event has happened, and its thread is blocked.
    BlockAfter(EventAt),
    /// This holds at the moment of the rule's event.
    Now(Moment),
    /// All occurrences of the event with this index have been.
    AllOf(usize),
}

/// A formula that is looked at at one moment.
#[derive(Clone, Debug)]
pub(super) enum Moment {
    Event(EventAt),
    BlockAfter(EventAt),
    Blocked(ThreadName),
    Not(Box<Moment>),
    All(Vec<Moment>),
    Any(Vec<Moment>),
    /// The nested ordering with this index holds.
    Ordered(usize),
}

/// `(condition -> moment)` inside of a condition.
#[derive(Clone, Debug)]
pub(super) struct Nested {
    pub(super) condition: Condition,
    pub(super) moment: Moment,
}

/// An ordering.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// As it was written.
    pub(super) text: String,
    pub(super) condition: Condition,
    pub(super) event: EventAt,
}

/// A schedule in the form in which it is evaluated.
#[derive(Clone, Debug, Default)]
pub(super) struct Compiled {
    pub(super) events: Vec<Event>,
    pub(super) moments: Vec<Moment>,
    /// A nested ordering's own parts come before it.
    pub(super) nested: Vec<Nested>,
    pub(super) rules: Vec<Rule>,
    pub(super) watches_blocking: bool,
}

impl Compiled {
    pub(super) fn new(spec: &Spec) -> Self {
        let mut compiled = Self::default();
        for ordering in &spec.orderings {
            let condition = compiled.condition(&ordering.condition);
            let event = compiled.event(&ordering.event);
            compiled.rules.push(Rule { text: ordering.to_string(), condition, event });
        }
        compiled
    }

    fn event(&mut self, event: &EventRef) -> EventAt {
        if matches!(event.name, EventName::Block | EventName::Unblock) {
            self.watches_blocking = true;
        }
        let wanted = Event { name: event.name.clone(), thread: event.thread.clone() };
        let known = self.events.iter().position(|event| *event == wanted);
        let index = known.unwrap_or_else(|| {
            self.events.push(wanted);
            self.events.len() - 1
        });
        EventAt { event: index, occurrence: event.occurrence }
    }

    fn condition(&mut self, formula: &Formula) -> Condition {
        match &formula.kind {
            FormulaKind::Event(event) if event.occurrence == Occurrence::Every => {
                Condition::AllOf(self.event(event).event)
            }
            FormulaKind::BlockEvent(event) => {
                self.watches_blocking = true;
                Condition::BlockAfter(self.event(event))
            }
            FormulaKind::Any(parts) => {
                Condition::Any(parts.iter().map(|part| self.condition(part)).collect())
            }
            FormulaKind::All(parts) if matches!(about(formula), Ok(About::Several)) => {
                Condition::All(parts.iter().map(|part| self.condition(part)).collect())
            }
            _ => {
                let moment = self.moment(formula);
                if matches!(about(formula), Ok(About::Now)) {
                    return Condition::Now(moment);
                }
                self.moments.push(moment);
                Condition::Past(self.moments.len() - 1)
            }
        }
    }

    fn moment(&mut self, formula: &Formula) -> Moment {
        match &formula.kind {
            FormulaKind::Event(event) => Moment::Event(self.event(event)),
            FormulaKind::BlockEvent(event) => {
                self.watches_blocking = true;
                Moment::BlockAfter(self.event(event))
            }
            FormulaKind::Blocked(thread) => {
                self.watches_blocking = true;
                Moment::Blocked(thread.clone())
            }
            FormulaKind::Not(formula) => Moment::Not(Box::new(self.moment(formula))),
            FormulaKind::All(parts) => {
                Moment::All(parts.iter().map(|part| self.moment(part)).collect())
            }
            FormulaKind::Any(parts) => {
                Moment::Any(parts.iter().map(|part| self.moment(part)).collect())
            }
            FormulaKind::Ordered(first, second) => {
                let condition = self.condition(first);
                let moment = self.moment(second);
                self.nested.push(Nested { condition, moment });
                Moment::Ordered(self.nested.len() - 1)
            }
        }
    }
}

/// The event as it is written, without a number.
pub(super) fn written(letter: &Letter<'_>) -> String {
    match letter.action {
        Action::Event(name) => name.to_owned(),
        Action::Start => "start".to_owned(),
        Action::End => "end".to_owned(),
        Action::Block => "block".to_owned(),
        Action::Unblock => "unblock".to_owned(),
    }
}
