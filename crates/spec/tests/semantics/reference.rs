//! What a schedule means, written down from the definitions of its reference page and from nothing
//! else: every operator is a statement about positions of a whole trace. No state, no shortcuts; slow.

use selvedge_spec::{
    Action, EventName, EventRef, Formula, FormulaKind, Letter, Occurrence, Spec, ThreadName,
};

/// The letters that happened, first to last.
pub(crate) type Trace<'a> = [Letter<'a>];

/// Whether an ordering is violated by this trace, and not by the trace without its last letter.
pub(crate) fn is_violated_by_last(spec: &Spec, trace: &Trace<'_>) -> bool {
    is_violated(spec, trace) && !is_violated(spec, &trace[..trace.len() - 1])
}

/// There is an ordering `c -> e` and a position of `e` at which `c` is not satisfied.
pub(crate) fn is_violated(spec: &Spec, trace: &Trace<'_>) -> bool {
    spec.orderings.iter().any(|ordering| {
        (0..trace.len()).any(|i| {
            is_at(&ordering.event, trace, i) && !is_satisfied(&ordering.condition, trace, i)
        })
    })
}

fn matches(event: &EventRef, letter: &Letter<'_>) -> bool {
    let name = match letter.action {
        Action::Event(name) => EventName::Named(name.to_owned()),
        Action::Start => EventName::Start,
        Action::End => EventName::End,
        Action::Block => EventName::Block,
        Action::Unblock => EventName::Unblock,
    };
    name == event.name
        && match &event.thread {
            Some(ThreadName(thread)) => letter.name == Some(thread),
            None => true,
        }
}

/// The event happens at position `i`: it is the letter there, and as many letters up to there
/// are it as its number says.
fn is_at(event: &EventRef, trace: &Trace<'_>, i: usize) -> bool {
    let number = trace[..=i].iter().filter(|letter| matches(event, letter)).count();
    matches(event, &trace[i])
        && match event.occurrence {
            Occurrence::Nth(n) => number == n.get() as usize,
            Occurrence::Every => true,
        }
}

/// There is a `block` of the thread up to `i`, and no `unblock` or `end` of it since.
fn is_blocked(thread: impl Fn(&Letter<'_>) -> bool, trace: &Trace<'_>, i: usize) -> bool {
    (0..=i).any(|j| {
        trace[j].action == Action::Block
            && thread(&trace[j])
            && (j + 1..=i).all(|k| {
                trace[k].thread != trace[j].thread
                    || !matches!(trace[k].action, Action::Unblock | Action::End)
            })
    })
}

/// The formula holds at position `i`.
fn holds(formula: &Formula, trace: &Trace<'_>, i: usize) -> bool {
    match &formula.kind {
        FormulaKind::Event(event) => is_at(event, trace, i),
        FormulaKind::BlockEvent(event) => (0..=i).any(|j| {
            is_at(event, trace, j)
                && is_blocked(|letter| letter.thread == trace[j].thread, trace, i)
        }),
        FormulaKind::Blocked(ThreadName(name)) => {
            is_blocked(|letter| letter.name == Some(name), trace, i)
        }
        FormulaKind::Not(formula) => !holds(formula, trace, i),
        FormulaKind::All(parts) => parts.iter().all(|part| holds(part, trace, i)),
        FormulaKind::Any(parts) => parts.iter().any(|part| holds(part, trace, i)),
        FormulaKind::Ordered(first, second) => {
            (0..=i).all(|j| !holds(second, trace, j))
                || (0..=i).any(|j| holds(second, trace, j) && is_satisfied(first, trace, j))
        }
    }
}

/// The formula is satisfied as a condition that is looked at at position `i`.
fn is_satisfied(formula: &Formula, trace: &Trace<'_>, i: usize) -> bool {
    match &formula.kind {
        // No such letter comes later.
        FormulaKind::Event(event) if event.occurrence == Occurrence::Every => {
            trace[i + 1..].iter().all(|letter| !matches(event, letter))
        }
        FormulaKind::Any(parts) => parts.iter().any(|part| is_satisfied(part, trace, i)),
        FormulaKind::All(parts) if parts.iter().all(is_anchored) => {
            parts.iter().all(|part| is_satisfied(part, trace, i))
        }
        // It is about the moment of the ordering's event.
        _ if is_about_now(formula) => holds(formula, trace, i),
        // There was a moment.
        _ => (0..=i).any(|j| holds(formula, trace, j)),
    }
}

/// Says by itself which moment it is about.
fn is_anchored(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Event(_) | FormulaKind::BlockEvent(_) => true,
        FormulaKind::Blocked(_) | FormulaKind::Not(_) | FormulaKind::Ordered(..) => false,
        FormulaKind::Any(parts) => parts.iter().all(is_anchored),
        FormulaKind::All(parts) => parts.iter().any(is_anchored),
    }
}

/// A block event, with states or without.
fn is_about_now(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::BlockEvent(_) => true,
        FormulaKind::All(parts) | FormulaKind::Any(parts) => {
            let anchored: Vec<_> = parts.iter().filter(|part| is_anchored(part)).collect();
            !anchored.is_empty() && anchored.iter().all(|part| is_about_now(part))
        }
        _ => false,
    }
}
