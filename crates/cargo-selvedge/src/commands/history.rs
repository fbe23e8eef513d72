//! `cargo selvedge history`.

use crate::cli::HistoryArgs;
use crate::exit::Exit;

pub(crate) fn run(_args: &HistoryArgs) -> anyhow::Result<Exit> {
    Ok(Exit::Clean)
}
