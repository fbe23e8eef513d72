//! What went wrong in executions, or could have: one file a detector.

pub mod fast_track;

use selvedge_model::{Event, Moment, Observer};

/// The detectors that are on, with what they suspect.
#[derive(Default)]
pub struct Detectors {}

impl Observer for Detectors {
    fn event(&mut self, _event: &Event, _moment: &Moment<'_>) {}
}
