//! What can be done with campaigns.

use super::TestArgs;
use clap::{Args, ValueEnum};
use selvedge_store::data::Shard;
use std::num::NonZero;
use std::path::PathBuf;

/// Runs one of several parts of the work of `cargo selvedge test`, for one of several machines
///
/// Tests are dealt out to the shards; if there are fewer tests than shards, each shard runs all of
/// them, with a part of the executions and seeds of its own. What comes of it is kept in a file of its
/// own, and `cargo selvedge merge` makes one of all.
#[derive(Args, Debug)]
#[command(after_help = SHARD_EXAMPLES)]
pub(crate) struct ShardArgs {
    /// Which of how many shards, such as 2/4
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Shard,
    /// What is dealt out [default: tests, if there are enough of them]
    #[arg(long, value_name = "WHAT", default_value = "tests")]
    pub(crate) split: Split,
    /// The file that it is kept in [default: target/selvedge/shard-I-of-N.sqlite]
    #[arg(long, value_name = "FILE")]
    pub(crate) into: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) tests: TestArgs,
}

const SHARD_EXAMPLES: &str = "\
Examples:
  cargo selvedge run-shard --shard 1/4         on the first of four machines
  cargo selvedge merge shard-*.sqlite          when all are done, with their files";

/// What is dealt out to shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Split {
    /// Whole tests.
    Tests,
    /// The executions of every test.
    Executions,
}

/// Makes one record of several, those of shards for instance
///
/// Campaigns, what they have covered, and findings are added to the record of this project. In which
/// order files are merged does not matter, nor how often.
#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// Files that `cargo selvedge run-shard` or `cargo selvedge test` have written
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The file that they are added to [default: target/selvedge/campaigns.sqlite]
    #[arg(long, value_name = "FILE")]
    pub(crate) into: Option<PathBuf>,
    /// The manifest of the project
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// The folder for what is built and found
    #[arg(long, value_name = "DIRECTORY", env = "CARGO_TARGET_DIR")]
    pub(crate) target_dir: Option<PathBuf>,
}

/// Shows what was found and covered from campaign to campaign, and what no longer is
///
/// Findings are new, still there or gone; a requirement that was covered and is not any more says that
/// tests exercise less than they did. Requirements are the same if their places are, apart from lines
/// that have moved.
#[derive(Args, Debug)]
pub(crate) struct HistoryArgs {
    /// Only tests with this text in their names
    #[arg(value_name = "TEST")]
    pub(crate) test: Option<String>,
    /// So many campaigns, the last ones
    #[arg(long, value_name = "N", default_value = "20")]
    pub(crate) last: NonZero<usize>,
    /// Compare what is covered with campaigns of this commit, instead of the last but one
    #[arg(long, value_name = "COMMIT")]
    pub(crate) against: Option<String>,
    /// List every requirement that was covered before and is not any more
    #[arg(long)]
    pub(crate) list: bool,
    /// The manifest of the project
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// The folder for what is built and found
    #[arg(long, value_name = "DIRECTORY", env = "CARGO_TARGET_DIR")]
    pub(crate) target_dir: Option<PathBuf>,
}
