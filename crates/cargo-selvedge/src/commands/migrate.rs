//! `cargo selvedge migrate`.

use crate::cli::MigrateArgs;
use crate::exit::Exit;

/// Finds tests that sleep, and gives them schedules instead.
pub(crate) fn run(args: &MigrateArgs) -> anyhow::Result<Exit> {
    crate::migrate::run(args)
}
