//! Conditions in the form in which they are evaluated.

use super::{Action, Letter};
use crate::moments::{About, about};
use crate::{EventName, EventRef, Formula, FormulaKind, Occurrence, Span, Spec, ThreadName};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The formula with this index holds at the moment of the rule's event.
    Now(usize),
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

impl Moment {
    /// The events without which it does not hold.
    pub(super) fn anchors(&self, events: &mut Vec<EventAt>) {
        match self {
            Self::Event(at) | Self::BlockAfter(at) => events.push(*at),
            Self::All(parts) => parts.iter().for_each(|part| part.anchors(events)),
            Self::Blocked(_) | Self::Not(_) | Self::Any(_) | Self::Ordered(_) => {}
        }
    }
}

/// A formula of a condition, and how it is written.
#[derive(Clone, Debug)]
pub(super) struct Looked {
    pub(super) moment: Moment,
    pub(super) text: String,
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
    /// Formulas that are looked at as a whole.
    pub(super) moments: Vec<Looked>,
    /// A nested ordering's own parts come before it.
    pub(super) nested: Vec<Nested>,
    pub(super) rules: Vec<Rule>,
    pub(super) watches_blocking: bool,
    /// Whether it matters that something happens which is not mentioned: a negation or an ordering
    /// inside of a condition may hold at that moment, if at no other.
    pub(super) sees_all: bool,
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
                self.moments.push(Looked { moment, text: formula.to_string() });
                let index = self.moments.len() - 1;
                match about(formula) {
                    Ok(About::Now) => Condition::Now(index),
                    _ => Condition::Past(index),
                }
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
            FormulaKind::Not(formula) => {
                self.sees_all = true;
                Moment::Not(Box::new(self.moment(formula)))
            }
            FormulaKind::All(parts) => {
                Moment::All(parts.iter().map(|part| self.moment(part)).collect())
            }
            FormulaKind::Any(parts) => {
                Moment::Any(parts.iter().map(|part| self.moment(part)).collect())
            }
            FormulaKind::Ordered(first, second) => {
                self.sees_all = true;
                let condition = self.condition(first);
                let moment = self.moment(second);
                self.nested.push(Nested { condition, moment });
                Moment::Ordered(self.nested.len() - 1)
            }
        }
    }
}

impl Compiled {
    /// The occurrence as it is written.
    pub(super) fn name(&self, at: &EventAt) -> String {
        let Event { name, thread } = self.events[at.event].clone();
        let occurrence = at.occurrence;
        EventRef { name, thread, occurrence, span: Span::default() }.to_string()
    }
}

/// The event as it is written, without a number.
pub(super) fn written(letter: &Letter<'_>) -> String {
    let name = match letter.action {
        Action::Event(name) => EventName::Named(name.to_owned()),
        Action::Start => EventName::Start,
        Action::End => EventName::End,
        Action::Block => EventName::Block,
        Action::Unblock => EventName::Unblock,
    };
    name.to_string()
}
