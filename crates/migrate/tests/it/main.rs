//! What is inferred from logs, and what becomes of sources.

mod loops;
mod queue;
mod shapes;
mod support;
mod threads;
