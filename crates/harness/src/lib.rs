//! What `cargo selvedge` and the test processes that it starts have in common: which tests are
//! meant ([`Selection`]), and what they say to each other ([`Request`], [`Message`]).
#![forbid(unsafe_code)]

mod message;
mod selection;
mod wire;

pub use message::{Expected, MARK, Message, Request, TestInfo, WORKER};
pub use selection::{Format, Selection, SelectionError};
pub use wire::{Arrived, Connection, WireError};
