//! A schedule as text, which reads back as the same schedule.

use crate::{EventName, EventRef, Formula, FormulaKind, Occurrence, Ordering, Spec, ThreadName};
use std::fmt::{Display, Formatter, Result};

impl Display for Spec {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        separated(f, &self.orderings, ", ")
    }
}

impl Display for Ordering {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} -> {}", self.condition, self.event)
    }
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.kind {
            FormulaKind::Event(event) => event.fmt(f),
            FormulaKind::BlockEvent(event) => write!(f, "[{event}]"),
            FormulaKind::Blocked(thread) => write!(f, "[@{thread}]"),
            FormulaKind::Not(formula) => write!(f, "!{}", Operand(formula)),
            FormulaKind::All(parts) => operands(f, parts, " && "),
            FormulaKind::Any(parts) => operands(f, parts, " || "),
            FormulaKind::Ordered(first, second) => write!(f, "({first} -> {second})"),
        }
    }
}

/// A part of a larger formula. In parentheses if it has parts of its own: who reads need not
/// know what binds tighter.
struct Operand<'a>(&'a Formula);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0.kind {
            FormulaKind::All(_) | FormulaKind::Any(_) => write!(f, "({})", self.0),
            _ => self.0.fmt(f),
        }
    }
}

fn operands(f: &mut Formatter<'_>, parts: &[Formula], separator: &str) -> Result {
    let parts: Vec<_> = parts.iter().map(Operand).collect();
    separated(f, &parts, separator)
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
            Self::Named(name) => f.write_str(name),
            Self::Start => f.write_str("start"),
            Self::End => f.write_str("end"),
            Self::Block => f.write_str("block"),
            Self::Unblock => f.write_str("unblock"),
        }
    }
}

impl Display for ThreadName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.0)
    }
}
