//! Turns tests that sleep into tests with written schedules.
//!
//! The way of a test: its source is read ([`source`]), a copy of it tells what its statements do
//! ([`instrument`]), what was told is read back ([`log`]) thread by thread ([`course`]), events and
//! orderings are inferred from it ([`infer`]), and the source is edited ([`rewrite`]). Tests that differ in
//! their sleeps only become one ([`merge`]). Nothing here reads a file or starts a process.
#![forbid(unsafe_code)]

pub mod course;
pub mod edit;
pub mod gap;
mod independent;
pub mod infer;
pub mod instrument;
pub mod log;
pub mod merge;
pub mod names;
pub mod rewrite;
pub mod source;
