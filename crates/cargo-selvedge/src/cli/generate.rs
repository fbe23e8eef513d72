//! The arguments of `cargo selvedge generate`.

use super::migrate::Limit;
use crate::cargo_args::CargoArgs;
use clap::{Args, ValueEnum};
use std::num::NonZero;
use std::path::PathBuf;

/// Finds types that are not thread-safe, with tests that nobody has written
///
/// Looks for public types of a crate that threads may share, makes objects of them, and calls their methods from
/// several threads: after some calls on one thread, some on two or three at the same time, each such test in several
/// interleavings. A test shows a bug if it crashes, waits for ever, panics, loses a value, or returns what no order of
/// its calls returns. Orders are run as well, so there is no need to say what is right.
///
/// What is found is made small and can be written as an ordinary test. Some methods promise less than that their calls
/// seem to happen one at a time: what only they can explain is a note, not a finding. Leaves with 1 if something was
/// found, or noted with --strict.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GenerateArgs {
    /// Only types with one of these texts in their paths
    #[arg(long = "type", value_name = "PATH")]
    pub(crate) types: Vec<String>,
    /// Only calls of methods with one of these names
    #[arg(long = "method", value_name = "NAME")]
    pub(crate) methods: Vec<String>,
    /// No calls of methods with one of these names
    #[arg(long = "without", value_name = "NAME")]
    pub(crate) without: Vec<String>,
    /// For so long at most, for each type, such as 500ms or 10m
    #[arg(long, value_name = "DURATION", default_value = "10s")]
    pub(crate) time: Limit,
    /// At most so many tests of each type
    #[arg(long, value_name = "N")]
    pub(crate) tests: Option<u64>,
    /// So many interleavings of each test
    #[arg(long, value_name = "N", default_value = "10")]
    pub(crate) schedules: NonZero<u32>,
    /// Stop a type when so many findings were made
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) findings: NonZero<usize>,
    /// Where all randomness comes from
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) seed: u64,
    /// Test each type so many times, with as many seeds, and tell how long it takes to the first finding
    #[arg(long, value_name = "N")]
    pub(crate) seeds: Option<NonZero<u64>>,
    /// Which calls are put together
    #[arg(long, value_name = "NAME", default_value = "covering")]
    pub(crate) steering: SteeringName,
    /// So many calls in each thread of a test [default: up to the steering]
    #[arg(long, value_name = "N")]
    pub(crate) length: Option<NonZero<usize>>,
    /// Run tests for their coverage only, and judge none
    #[arg(long)]
    pub(crate) no_judging: bool,
    /// Notes count as findings
    #[arg(long)]
    pub(crate) strict: bool,
    /// List the types and what would be called, and run nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Show which pairs of calls ran at the same time
    #[arg(long)]
    pub(crate) matrix: bool,
    /// Write tests for what is found into the folder tests of the package
    #[arg(long)]
    pub(crate) write: bool,
    /// Write what came of each type as JSON, a line for each, to this file; - is the standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) library: LibraryArgs,
}

/// Which library is built and how; flags of `cargo build`.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What cargo builds")]
pub(crate) struct LibraryArgs {
    /// The manifest of the project
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Test types of this package, which may be one that the project depends on
    #[arg(short, long, value_name = "SPEC")]
    package: Vec<String>,
    /// Test types of all packages of the workspace
    #[arg(long, alias = "all")]
    workspace: bool,
    /// Features to switch on
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,
    /// Switch all features on
    #[arg(long)]
    all_features: bool,
    /// Leave the default features off
    #[arg(long)]
    no_default_features: bool,
    /// Build with optimisation
    #[arg(short, long)]
    release: bool,
    /// The folder for what is built and found
    #[arg(long, value_name = "DIRECTORY", env = "CARGO_TARGET_DIR")]
    target_dir: Option<PathBuf>,
    /// Leave Cargo.lock as it is
    #[arg(long)]
    locked: bool,
    /// Do not use the network
    #[arg(long)]
    offline: bool,
    /// Both --locked and --offline
    #[arg(long)]
    frozen: bool,
    /// A setting of cargo's configuration
    #[arg(long, value_name = "KEY=VALUE")]
    config: Vec<String>,
}

impl LibraryArgs {
    /// As the arguments of a build of tests.
    pub(crate) fn cargo(&self) -> CargoArgs {
        let mut cargo = CargoArgs::default();
        cargo.manifest_path.clone_from(&self.manifest_path);
        cargo.package.clone_from(&self.package);
        cargo.workspace = self.workspace;
        cargo.features.clone_from(&self.features);
        cargo.all_features = self.all_features;
        cargo.no_default_features = self.no_default_features;
        cargo.release = self.release;
        cargo.target_dir.clone_from(&self.target_dir);
        (cargo.locked, cargo.offline, cargo.frozen) = (self.locked, self.offline, self.frozen);
        cargo.config.clone_from(&self.config);
        cargo
    }
}

const EXAMPLES: &str = "\
Examples:
  cargo selvedge generate                      all types of the package
  cargo selvedge generate --type queue::Queue --time 1m
  cargo selvedge generate -p a-dependency --list
  cargo selvedge generate --write              with tests to commit for what is found";

/// Which calls are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SteeringName {
    /// Those that have not met, as many as possible in each test
    Covering,
    /// Two at a time, by the score of CovCon
    Covcon,
    /// Two at a time, those that were tried least often
    Naive,
    /// Any
    Random,
}
