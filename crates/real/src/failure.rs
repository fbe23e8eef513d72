//! Why a test with a schedule fails.

use std::fmt;

/// Why a test with a schedule fails, other than by a panic of its own. The texts say all there is to
/// say, on several lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Schedules on real threads are not available here; says why, and what to do instead.
    Unavailable(String),
    /// Nobody can go on, or nobody has for long.
    Infeasible(String),
    /// The test has ended without events that the schedule needs.
    NeverOccurred(String),
    /// What has happened is not as the schedule says.
    Violated(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) => write!(f, "schedules on real threads: {why}"),
            Self::Infeasible(text) | Self::NeverOccurred(text) | Self::Violated(text) => {
                f.write_str(text)
            }
        }
    }
}

impl std::error::Error for Failure {}
