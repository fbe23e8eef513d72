//! What `cargo selvedge` and the test processes that it starts have in common: which tests are
//! meant ([`Selection`]), and what they say to each other ([`Request`], [`Message`]; [`GenerateOrder`], [`Told`] where tests are
//! generated).
#![forbid(unsafe_code)]

mod generated;
mod message;
mod selection;
mod wire;

pub use generated::{
    Access, Alone, CallId, Called, Counts, EndedAs, GENERATE, GenerateOrder, GenerateSummary,
    GeneratedTest, Judging, Level, PairSeen, Results, Role, Seen, Span, Stand, Steering, Told,
    Unjudged, Violation, Wrong,
};
pub use message::{Expected, MARK, Message, Request, TestInfo, WORKER};
pub use selection::{Format, Selection, SelectionError};
pub use wire::{Arrived, Connection, WireError};
