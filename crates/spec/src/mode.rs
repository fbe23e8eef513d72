//! What a written schedule is for.

/// What is done with a schedule while a test runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A thread waits before an event until the schedule permits it.
    Enforce,
    /// Nobody waits; what happens is compared with the schedule.
    Check,
}
