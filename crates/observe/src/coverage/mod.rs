//! What executions have exercised: one file a metric.

use selvedge_model::{Event, Moment, Observer};

/// The metrics that are kept, with what they have seen so far.
#[derive(Default)]
pub struct Coverage {}

impl Observer for Coverage {
    fn event(&mut self, _event: &Event, _moment: &Moment<'_>) {}
}
