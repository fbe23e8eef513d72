//! What is inferred from logs, and what becomes of sources.

mod candidates;
mod loops;
mod merging;
mod queue;
mod shapes;
mod support;
mod threads;
