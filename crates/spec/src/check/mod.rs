//! Whether a schedule that can be read makes sense.

mod cycles;
mod moments;
mod never;
mod resolve;

use crate::{
    Error, EventName, EventRef, Formula, FormulaKind, Occurrence, Ordering, Span, ThreadName,
};

pub(crate) use self::never::is_name_of_several;
pub(crate) use self::resolve::resolve;

/// What is wrong with the orderings, whose names have been resolved.
pub(crate) fn check(orderings: &[Ordering]) -> Vec<Error> {
    let mut errors = Vec::new();
    for ordering in orderings {
        each_event(&ordering.condition, &mut |event| untagged(event, &mut errors));
        untagged(&ordering.event, &mut errors);
        moments::check(ordering, &mut errors);
        never::check(ordering, orderings, &mut errors);
    }
    cycles::check(orderings, &mut errors);
    errors
}

/// Calls back for every event that a formula names.
pub(crate) fn each_event<'a>(formula: &'a Formula, see: &mut impl FnMut(&'a EventRef)) {
    match &formula.kind {
        FormulaKind::Event(event) | FormulaKind::BlockEvent(event) => see(event),
        FormulaKind::Blocked(_) => {}
        FormulaKind::Not(formula) => each_event(formula, see),
        FormulaKind::All(parts) | FormulaKind::Any(parts) => {
            parts.iter().for_each(|part| each_event(part, see));
        }
        FormulaKind::Ordered(first, second) => {
            each_event(first, see);
            each_event(second, see);
        }
    }
}

/// Calls back for every thread that a formula names for itself.
pub(crate) fn each_thread<'a>(formula: &'a Formula, see: &mut impl FnMut(&'a ThreadName, Span)) {
    match &formula.kind {
        FormulaKind::Blocked(thread) => see(thread, formula.span),
        FormulaKind::Event(_) | FormulaKind::BlockEvent(_) => {}
        FormulaKind::Not(formula) => each_thread(formula, see),
        FormulaKind::All(parts) | FormulaKind::Any(parts) => {
            parts.iter().for_each(|part| each_thread(part, see));
        }
        FormulaKind::Ordered(first, second) => {
            each_thread(first, see);
            each_thread(second, see);
        }
    }
}

/// What happens to every thread is only of interest of a certain one.
fn untagged(event: &EventRef, errors: &mut Vec<Error>) {
    if matches!(event.name, EventName::Named(_)) || event.thread.is_some() {
        return;
    }
    let name = &event.name;
    let error = Error::new(event.span, format!("`{name}` of which thread?"));
    errors.push(error.help(format!("write `{name}@name_of_the_thread`")));
}

/// Orderings that can be checked but not enforced.
pub(crate) fn unenforceable(orderings: &[Ordering]) -> Vec<Error> {
    let mut errors = Vec::new();
    for ordering in orderings {
        let mut complain = |event: &EventRef, message: String| {
            let error = Error::new(event.span, message);
            errors.push(error.help(
                "order a named event instead, or only check the schedule with `check = \"…\"`",
            ));
        };
        let event = &ordering.event;
        if is_blocking(event) {
            complain(event, format!("nobody can hold `{event}` back: it happens by itself"));
        }
        each_last(&ordering.condition, &mut |event| {
            if is_blocking(event) {
                complain(event, format!("nobody can prevent `{event}`: it happens by itself"));
            }
        });
    }
    errors
}

fn is_blocking(event: &EventRef) -> bool {
    matches!(event.name, EventName::Block | EventName::Unblock)
}

/// Calls back for every `e#*` of a condition.
fn each_last<'a>(formula: &'a Formula, see: &mut impl FnMut(&'a EventRef)) {
    each_event(formula, &mut |event| {
        if event.occurrence == Occurrence::Every {
            see(event);
        }
    });
}
