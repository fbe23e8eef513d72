//! Which locks protect what: state machines that metrics and detectors share.

pub mod eraser;
pub mod goldilocks;
