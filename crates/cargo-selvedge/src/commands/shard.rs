//! `cargo selvedge run-shard`.

use super::test::{Apart, run_then};
use crate::cli::ShardArgs;
use crate::exit::Exit;

/// Runs one part of the work, into a file of its own.
pub(crate) fn run(args: ShardArgs) -> anyhow::Result<Exit> {
    let ShardArgs { shard, split, into, tests } = args;
    run_then(&tests, Some(Apart { shard, split, into }), |_| Ok(()))
}
