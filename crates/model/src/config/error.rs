//! What can be wrong with a setting.

use crate::ScheduleError;

/// A setting can not be taken; says where it came from and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {kind}")]
pub struct ConfigError {
    /// The file and line, the variable, or the argument.
    pub place: String,
    /// What is wrong with it.
    pub kind: ConfigErrorKind,
}

/// What can be wrong with a setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigErrorKind {
    /// No such setting.
    #[error("unknown setting '{key}'{}", suggestion.map(|s| format!("; did you mean '{s}'?")).unwrap_or_default())]
    UnknownKey {
        /// What was written.
        key: String,
        /// What may have been meant.
        suggestion: Option<&'static str>,
    },
    /// A line that sets nothing.
    #[error("'{0}' sets nothing; expected key = value")]
    NoAssignment(String),
    /// A value that does not fit.
    #[error("'{value}' will not do; expected {expected}{}", suggestion.map(|s| format!("; did you mean '{s}'?")).unwrap_or_default())]
    Value {
        /// What was written.
        value: String,
        /// What can be written.
        expected: &'static str,
        /// What may have been meant.
        suggestion: Option<&'static str>,
    },
    /// A file or a variable that is there but can not be read.
    #[error("can not be read: {0}")]
    Unreadable(String),
    /// A schedule that can not be read.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A written schedule with mistakes: what they are.
    #[error("mistakes in the schedule\n{0}")]
    Written(String),
}
