//! What can be done with findings.

use clap::Args;
use std::path::PathBuf;

/// Where the project is.
#[derive(Args, Clone, Debug)]
pub(crate) struct ProjectArgs {
    /// The manifest of the project
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// The folder for what is built and found
    #[arg(long, value_name = "DIRECTORY", env = "CARGO_TARGET_DIR")]
    pub(crate) target_dir: Option<PathBuf>,
}

/// Pins findings: writes each to a small file to commit, which every run tries first
///
/// The file, selvedge-regressions/ID.toml, names the test, the problem and the schedule that shows it. Commit it with
/// the fix: from then on `cargo selvedge test` runs the schedule before it explores the test, on every machine and in
/// CI, and fails at once if the problem is back. Moved lines do not matter; if the schedule does not fit the test any
/// more, the test is explored as usual.
#[derive(Args, Debug)]
#[command(after_help = PIN_EXAMPLES)]
pub(crate) struct PinArgs {
    /// The findings, as `cargo selvedge list` shows them; a beginning that no other has is enough
    #[arg(required = true, value_name = "ID")]
    pub(crate) ids: Vec<String>,
    #[command(flatten)]
    pub(crate) project: ProjectArgs,
}

const PIN_EXAMPLES: &str = "\
Examples:
  cargo selvedge pin 4edf8b98
  git add selvedge-regressions && git commit   with the fix";

/// Accepts a finding: it is told of, but is no reason to fail any more
///
/// Writes selvedge-regressions/ID.toml as `cargo selvedge pin` does, with the reason. The test ends at this finding
/// where it meets it first, so what comes behind it is not looked for.
#[derive(Args, Debug)]
pub(crate) struct AcceptArgs {
    /// The finding, as `cargo selvedge list` shows it; a beginning that no other has is enough
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Why it is no reason to fail
    #[arg(long, value_name = "REASON")]
    pub(crate) because: String,
    #[command(flatten)]
    pub(crate) project: ProjectArgs,
}

/// Forgets findings: deletes what is kept of them, and the files with which they were pinned or accepted
#[derive(Args, Debug)]
pub(crate) struct ForgetArgs {
    /// The findings, as `cargo selvedge list` shows them; a beginning that no other has is enough
    #[arg(required_unless_present = "fixed", value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// All that are kept and do not show any more
    #[arg(long)]
    pub(crate) fixed: bool,
    #[command(flatten)]
    pub(crate) project: ProjectArgs,
}
