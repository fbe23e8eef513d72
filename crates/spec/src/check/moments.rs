//! Whether every part of a condition says which moment it is about, and which occurrence.

use crate::moments::{About, Unclear, about};
use crate::{Error, EventRef, Formula, FormulaKind, Occurrence, Ordering};

pub(super) fn check(ordering: &Ordering, errors: &mut Vec<Error>) {
    condition(&ordering.condition, Within::Ordering, errors);
}

/// Where a condition stands.
#[derive(Clone, Copy)]
enum Within {
    /// In an ordering of the schedule.
    Ordering,
    /// In an ordering that is part of a condition.
    Condition,
}

/// Checks what must have held at some moments.
fn condition(formula: &Formula, within: Within, errors: &mut Vec<Error>) {
    match (&formula.kind, within) {
        (FormulaKind::Event(event), Within::Ordering) if is_every(event) => {}
        (FormulaKind::Any(parts), _) => {
            parts.iter().for_each(|part| condition(part, within, errors));
        }
        (FormulaKind::All(parts), _) => match about(formula) {
            Ok(About::Event | About::Now | About::State) => moment(formula, errors),
            Ok(About::Several | About::Either) => {
                parts.iter().for_each(|part| condition(part, within, errors));
            }
            Err(unclear) => {
                if std::ptr::eq(unclear.conjunction, formula) {
                    errors.push(which_moment(&unclear));
                }
                parts.iter().for_each(|part| condition(part, within, errors));
            }
        },
        _ => moment(formula, errors),
    }
}

/// Checks what must hold at one moment.
fn moment(formula: &Formula, errors: &mut Vec<Error>) {
    match &formula.kind {
        FormulaKind::Event(event) | FormulaKind::BlockEvent(event) => {
            if is_every(event) {
                errors.push(which_occurrence(event));
            }
        }
        FormulaKind::Blocked(_) => {}
        FormulaKind::Not(formula) => moment(formula, errors),
        FormulaKind::Any(parts) => parts.iter().for_each(|part| moment(part, errors)),
        FormulaKind::All(parts) => {
            let mut events = Vec::new();
            events_of(formula, &mut events);
            let apart = events.iter().enumerate().find_map(|(index, event)| {
                let other = events[..index].iter().find(|other| !may_be_one(event, other))?;
                Some((*other, *event))
            });
            if let Some((first, second)) = apart {
                let message =
                    format!("`{first}` and `{second}` never happen at one and the same moment");
                let error = Error::new(formula.span, message);
                errors.push(error.and(first.span, "one event").and(second.span, "another one"));
            }
            parts.iter().for_each(|part| moment(part, errors));
        }
        FormulaKind::Ordered(first, second) => {
            condition(first, Within::Condition, errors);
            moment(second, errors);
        }
    }
}

fn is_every(event: &EventRef) -> bool {
    event.occurrence == Occurrence::Every
}

/// The events that must happen at the moment at which a conjunction holds.
fn events_of<'a>(formula: &'a Formula, events: &mut Vec<&'a EventRef>) {
    match &formula.kind {
        FormulaKind::Event(event) => events.push(event),
        FormulaKind::All(parts) => parts.iter().for_each(|part| events_of(part, events)),
        _ => {}
    }
}

/// Whether what happens at one moment can be both.
fn may_be_one(a: &EventRef, b: &EventRef) -> bool {
    let same_thread = a.thread == b.thread;
    a.name == b.name
        && (same_thread || a.thread.is_none() || b.thread.is_none())
        && (!same_thread || a.occurrence == b.occurrence || is_every(a) || is_every(b))
}

fn which_occurrence(event: &EventRef) -> Error {
    let first = EventRef { occurrence: Occurrence::FIRST, ..event.clone() };
    let error = Error::new(event.span, format!("which occurrence of `{first}`?"));
    error.help(format!(
        "`#*` can stand for an event of the ordering itself, as in `{event} -> other` and \
         `other -> {event}`; here write `{first}` or a number, as in `{}`",
        EventRef {
            occurrence: Occurrence::Nth(std::num::NonZeroU32::MIN.saturating_add(1)),
            ..first.clone()
        }
    ))
}

fn which_moment(unclear: &Unclear<'_>) -> Error {
    let state = unclear.states[0];
    let message = format!("`{state}` at which moment?");
    let mut error = Error::new(unclear.conjunction.span, message);
    error = error.and(state.span, "this holds over a time");
    for anchor in &unclear.anchors {
        error = error.and(anchor.span, "this has a moment of its own");
    }
    error.help(match unclear.anchors.as_slice() {
        [first, second, ..] => format!(
            "say so with parentheses: `({first} && {state}) && {second}` is the moment of \
             `{first}`, `{first} && ({second} && {state})` that of `{second}`"
        ),
        _ => "write out the alternatives: `(a && b) || (a && [@t])` instead of `a && (b || [@t])`"
            .to_owned(),
    })
}
