//! From a crate to programs that call the methods of its thread-safe types, and from a finding to a test.
//!
//! [`Documented`] is what rustdoc knows of a crate. [`subjects`] reads off it which types there are, how they are made and
//! what can be called on them, as [`Row`]s. [`Harness`] is a program for one of them; rows that do not compile are taken
//! out of it by the compiler's own word ([`Harness::learn`]), so that nobody has to know the rules of traits. [`emit`] writes
//! an ordinary test.
#![forbid(unsafe_code)]

mod documented;
mod emit;
mod harness;
mod manner;
mod methods;
mod results;
mod row;
mod subject;
mod template;
mod types;
mod values;

pub use documented::{DocumentError, Documented};
pub use emit::{Emitted, emit};
pub use harness::{Harness, Learned};
pub use row::{Body, Handle, Held, Needs, Row, Runs, Shown, Skipped, Way};
pub use subject::{Subject, subjects};
pub use template::{Filling, Literals, Piece, Plain, Template};
