//! How the command leaves.

use std::process::ExitCode;

/// The exit codes, which are part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Everything that was asked for was done and nothing was found.
    Clean = 0,
    /// Something was found, now or (of `replay`) again.
    Findings = 1,
    /// The arguments or settings can not be understood. The number is that of the parser.
    Usage = 2,
    /// The project, or the kit, does not compile.
    BuildFailed = 3,
    /// There is nothing to run: no tests, or none that were asked for.
    NothingToRun = 4,
    /// Of `merge`: shards are missing or did not come to their end, or files could not be used. What
    /// there is was merged.
    Incomplete = 5,
    /// Something else did not work: a file, a process.
    Internal = 70,
    /// Interrupted from the keyboard; what was found before has been kept.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error that says how the command leaves.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
}

impl Failure {
    /// An error with an exit code of its own.
    pub(crate) fn with(exit: Exit, message: impl Into<String>) -> anyhow::Error {
        Self { exit, message: message.into() }.into()
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl Exit {
    /// How the command leaves after an error.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        error.downcast_ref::<Failure>().map_or(Self::Internal, |failure| failure.exit)
    }
}
