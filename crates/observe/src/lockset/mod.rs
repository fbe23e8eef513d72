//! Which locks protect what: state machines that metrics and detectors share.

pub mod edges;
pub mod eraser;
pub mod goldilocks;
pub mod held;
