//! What a harness is made of: rows for everything that a test may name.

use crate::context::Context;
use crate::object::Object;
use selvedge_harness::{Results, Role};

/// The table of one type.
pub struct Table {
    /// The path of the type, or of the function that makes its parts.
    pub name: &'static str,
    /// The parts of the object: one for a type, two for the ends of a channel.
    pub parts: &'static [Part],
    /// How objects are made.
    pub constructors: &'static [Constructor],
    /// What can be called.
    pub calls: &'static [Call],
}

/// A part of the object.
pub struct Part {
    /// Whether threads may share it.
    pub sharing: Sharing,
}

/// Whether threads may share a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// It is `Sync`.
    Sync,
    /// It is not.
    NotSync,
}

/// A row for a constructor.
pub struct Constructor {
    /// Its name.
    pub name: &'static str,
    /// Its arguments.
    pub arguments: &'static [Role],
    /// Makes an object.
    pub make: fn(&mut Context) -> Object,
}

/// What a call needs of its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// Nothing: an associated function.
    None,
    /// It borrows it, together with others.
    Shared,
    /// It borrows it alone.
    Exclusive,
    /// It takes it away.
    Consumed,
}

/// What the effect of a call is while others run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// All at once.
    Atomic,
    /// One element after the other.
    Bulk,
}

/// Whether a call may fail for no other reason than that others run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    /// It may not.
    ForAReason,
    /// It may, without effect.
    UnderContention,
}

/// Whether a call polls a future.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polling {
    /// It does not, or to its end.
    No,
    /// Once, and then it is dropped.
    Once,
}

/// A row for a call.
pub struct Call {
    /// Its name.
    pub name: &'static str,
    /// Its arguments.
    pub arguments: &'static [Role],
    /// The part that it is called on.
    pub part: usize,
    /// What it needs of that part.
    pub receiver: Receiver,
    /// What its results are worth.
    pub results: Results,
    /// What its effect is.
    pub effect: Effect,
    /// Whether it may fail for no reason.
    pub failing: Failing,
    /// Whether it polls a future.
    pub polling: Polling,
    /// Makes the call.
    pub call: fn(&mut Context),
}
