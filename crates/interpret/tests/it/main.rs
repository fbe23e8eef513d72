//! The interpreter and its oracle, on small types with tables that are written by hand.

mod queue;
mod rules;
mod support;
