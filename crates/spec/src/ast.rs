//! What a written schedule consists of.

use std::num::NonZeroU32;

/// A range of bytes of the text. All spans are equal: what was written does not change with
/// where it stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Span {}

/// A written schedule: orderings, all of which must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// In the order in which they were written.
    pub orderings: Vec<Ordering>,
}

/// `condition -> event`: at the event, the condition must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordering {
    /// What must hold.
    pub condition: Formula,
    /// When it must hold.
    pub event: EventRef,
    /// The whole ordering.
    pub span: Span,
}

/// A condition or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// What it says.
    pub kind: FormulaKind,
    /// Where it says so, parentheses included.
    pub span: Span,
}

/// What a formula says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaKind {
    /// `e`: the event happens.
    Event(EventRef),
    /// `[e]`: the event has happened, and the thread that it happened to is blocked.
    BlockEvent(EventRef),
    /// `[@t]`: a thread of this name is blocked.
    Blocked(ThreadName),
    /// `!f`.
    Not(Box<Formula>),
    /// `f && g && …`, at least two.
    All(Vec<Formula>),
    /// `f || g || …`, at least two.
    Any(Vec<Formula>),
    /// `(f -> g)`: if the second has held, the first has held by then.
    Ordered(Box<Formula>, Box<Formula>),
}

/// An event as a schedule names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRef {
    /// Its name.
    pub name: EventName,
    /// The name of the thread that it happens to, if that matters.
    pub thread: Option<ThreadName>,
    /// Which of its occurrences.
    pub occurrence: Occurrence,
    /// Where it is named.
    pub span: Span,
}

/// The name of an event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventName {
    /// One that the test author has placed.
    Named(String),
    /// A thread begins.
    Start,
    /// A thread ends.
    End,
    /// A thread becomes blocked.
    Block,
    /// A thread ceases to be blocked.
    Unblock,
}

/// The name of a thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadName(pub String);

/// Which occurrence of an event is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// This one, from 1. Without a number the first is meant.
    Nth(NonZeroU32),
    /// `#*`: every one.
    Every,
}

impl Occurrence {
    /// What is meant if nothing is said.
    pub const FIRST: Self = Self::Nth(NonZeroU32::MIN);
}
