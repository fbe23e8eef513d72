//! A schedule as text, which reads back as the same schedule.

use crate::check::{each_event, each_thread};
use crate::{EventName, EventRef, Formula, FormulaKind, Occurrence, Ordering, Spec, ThreadName};
use crate::{lex, names};
use std::fmt::{Display, Formatter, Result};

impl Display for Spec {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut threads = Threads::default();
        self.orderings.iter().for_each(|ordering| threads.see(ordering));
        let orderings: Vec<_> =
            self.orderings.iter().map(|ordering| In { threads: &threads, ordering }).collect();
        separated(f, &orderings, ", ")
    }
}

impl Display for Ordering {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut threads = Threads::default();
        threads.see(self);
        In { threads: &threads, ordering: self }.fmt(f)
    }
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut threads = Threads::default();
        threads.see_in(self);
        Part { threads: &threads, formula: self }.fmt(f)
    }
}

/// The names of threads: an event that is named like one is not written as `[e]`.
#[derive(Default)]
struct Threads<'a>(Vec<&'a ThreadName>);

impl<'a> Threads<'a> {
    fn see(&mut self, ordering: &'a Ordering) {
        self.see_in(&ordering.condition);
        self.0.extend(&ordering.event.thread);
    }

    fn see_in(&mut self, formula: &'a Formula) {
        each_event(formula, &mut |event| self.0.extend(&event.thread));
        each_thread(formula, &mut |thread, _| self.0.push(thread));
    }

    fn is_named_like(&self, event: &EventRef) -> bool {
        match &event.name {
            EventName::Named(name) => self.0.iter().any(|ThreadName(thread)| thread == name),
            _ => false,
        }
    }
}

struct In<'a> {
    threads: &'a Threads<'a>,
    ordering: &'a Ordering,
}

impl Display for In<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let condition = Part { threads: self.threads, formula: &self.ordering.condition };
        write!(f, "{condition} -> {}", self.ordering.event)
    }
}

#[derive(Clone, Copy)]
struct Part<'a> {
    threads: &'a Threads<'a>,
    formula: &'a Formula,
}

impl<'a> Part<'a> {
    fn of(self, formula: &'a Formula) -> Self {
        Part { formula, ..self }
    }

    fn operands(self, f: &mut Formatter<'_>, parts: &'a [Formula], separator: &str) -> Result {
        let parts: Vec<_> = parts.iter().map(|part| Operand(self.of(part))).collect();
        separated(f, &parts, separator)
    }
}

impl Display for Part<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.formula.kind {
            FormulaKind::Event(event) => event.fmt(f),
            FormulaKind::BlockEvent(event) => {
                let is_bare = event.thread.is_none() && event.occurrence == Occurrence::FIRST;
                match is_bare && self.threads.is_named_like(event) {
                    true => write!(f, "[{event}#1]"),
                    false => write!(f, "[{event}]"),
                }
            }
            FormulaKind::Blocked(thread) => write!(f, "[@{thread}]"),
            FormulaKind::Not(formula) => write!(f, "!{}", Operand(self.of(formula))),
            FormulaKind::All(parts) => self.operands(f, parts, " && "),
            FormulaKind::Any(parts) => self.operands(f, parts, " || "),
            FormulaKind::Ordered(first, second) => {
                write!(f, "({} -> {})", self.of(first), self.of(second))
            }
        }
    }
}

/// A part of a larger formula. In parentheses if it has parts of its own: who reads need not
/// know what binds tighter.
struct Operand<'a>(Part<'a>);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0.formula.kind {
            FormulaKind::All(_) | FormulaKind::Any(_) => write!(f, "({})", self.0),
            _ => self.0.fmt(f),
        }
    }
}

fn separated(f: &mut Formatter<'_>, parts: &[impl Display], separator: &str) -> Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        part.fmt(f)?;
    }
    Ok(())
}

impl Display for EventRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.name.fmt(f)?;
        if let Some(thread) = &self.thread {
            write!(f, "@{thread}")?;
        }
        match self.occurrence {
            Occurrence::FIRST => Ok(()),
            Occurrence::Nth(n) => write!(f, "#{n}"),
            Occurrence::Every => f.write_str("#*"),
        }
    }
}

impl Display for EventName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Named(name) if names::is_plain_event(name) => f.write_str(name),
            Self::Named(name) => lex::quote(f, name),
            Self::Start => f.write_str("start"),
            Self::End => f.write_str("end"),
            Self::Block => f.write_str("block"),
            Self::Unblock => f.write_str("unblock"),
        }
    }
}

impl Display for ThreadName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match names::is_plain_thread(&self.0) {
            true => f.write_str(&self.0),
            false => lex::quote(f, &self.0),
        }
    }
}
