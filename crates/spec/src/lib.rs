//! Written schedules: what a test author says about the order of named events.
//!
//! `finished_add1 -> starting_take1, [starting_take2] -> starting_add2` is a list of orderings. Each
//! says what must have come before an event. The meaning of every operator is in the book
//! (`book/src/schedule-language.md`); where it comes from is IMUnit (Jagannath et al., ESEC/FSE 2011).
//!
//! A text becomes a [`Spec`], whose mistakes are all told at once with their places. A [`Monitor`]
//! reads the events of one execution, and says of each whether it may happen now and whether it
//! should have. It is the same for threads under control and for real ones, so that both
//! mean the same.
//!
//! No dependencies: this is linked into users' test processes and into the compiler.
#![forbid(unsafe_code)]

mod ast;
mod check;
mod error;
mod lex;
mod mode;
mod moments;
mod monitor;
mod names;
mod nearest;
mod parse;
mod print;
mod snippet;
mod spec;

pub use ast::{
    EventName, EventRef, Formula, FormulaKind, Occurrence, Ordering, Span, Spec, ThreadName,
};
pub use error::{Error, Errors, Label};
pub use mode::Mode;
pub use monitor::{
    Action, Happened, Held, Letter, Monitor, Need, Permission, Place, Seen, ThreadKey, Unmet,
    Violation,
};
