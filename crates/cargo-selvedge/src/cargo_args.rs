//! The arguments that are cargo's own and are handed on to it.

use crate::findings::Kept;
use clap::Args;
use std::path::PathBuf;

/// What to build and how; the same flags as those of `cargo test`.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What cargo builds")]
pub(crate) struct CargoArgs {
    /// The manifest of the project
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Test this package of the workspace
    #[arg(short, long, value_name = "SPEC")]
    pub(crate) package: Vec<String>,
    /// Test all packages of the workspace
    #[arg(long, alias = "all")]
    pub(crate) workspace: bool,
    /// Leave this package of the workspace out
    #[arg(long, value_name = "SPEC")]
    pub(crate) exclude: Vec<String>,
    /// Test the library's unit tests only
    #[arg(long)]
    pub(crate) lib: bool,
    /// Test all binaries
    #[arg(long)]
    pub(crate) bins: bool,
    /// Test this binary
    #[arg(long, value_name = "NAME")]
    pub(crate) bin: Vec<String>,
    /// Test all targets that are tested by default
    #[arg(long)]
    pub(crate) tests: bool,
    /// Test this integration test
    #[arg(long, value_name = "NAME")]
    pub(crate) test: Vec<String>,
    /// Test all examples
    #[arg(long)]
    pub(crate) examples: bool,
    /// Test this example
    #[arg(long, value_name = "NAME")]
    pub(crate) example: Vec<String>,
    /// Test all benchmarks
    #[arg(long)]
    pub(crate) benches: bool,
    /// Test this benchmark
    #[arg(long, value_name = "NAME")]
    pub(crate) bench: Vec<String>,
    /// Test all targets
    #[arg(long)]
    pub(crate) all_targets: bool,
    /// Features to switch on
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub(crate) features: Vec<String>,
    /// Switch all features on
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Leave the default features off
    #[arg(long)]
    pub(crate) no_default_features: bool,
    /// Build with optimisation
    #[arg(short, long)]
    pub(crate) release: bool,
    /// Build with this profile
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Build for this target, which has to be that of this machine
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// The folder for what is built and found
    #[arg(long, value_name = "DIRECTORY", env = "CARGO_TARGET_DIR")]
    pub(crate) target_dir: Option<PathBuf>,
    /// So many compilers at a time
    #[arg(long, value_name = "N")]
    pub(crate) build_jobs: Option<String>,
    /// Show findings and the summary only
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Show the commands that cargo runs
    #[arg(short, long, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Leave Cargo.lock as it is
    #[arg(long)]
    pub(crate) locked: bool,
    /// Do not use the network
    #[arg(long)]
    pub(crate) offline: bool,
    /// Both --locked and --offline
    #[arg(long)]
    pub(crate) frozen: bool,
    /// A setting of cargo's configuration
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) config: Vec<String>,
    /// The flags with which a finding was built.
    #[arg(skip)]
    as_found: Vec<String>,
}

impl CargoArgs {
    /// The flags that `cargo metadata` takes as well.
    pub(crate) fn shared(&self) -> Vec<String> {
        let mut flags = Vec::new();
        push_given(
            &mut flags,
            &[(self.locked, "--locked"), (self.offline, "--offline"), (self.frozen, "--frozen")],
        );
        push_values(&mut flags, &self.config, "--config");
        flags
    }

    /// The flags that decide how a test is built, wherever it stands.
    pub(crate) fn build_flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        push_given(
            &mut flags,
            &[
                (self.all_features, "--all-features"),
                (self.no_default_features, "--no-default-features"),
                (self.release, "--release"),
            ],
        );
        push_values(&mut flags, &self.features, "--features");
        push_values(&mut flags, &self.profile, "--profile");
        flags
    }

    /// Whether they say which targets of a package are meant.
    pub(crate) fn names_targets(&self) -> bool {
        let lists = [&self.bin, &self.test, &self.example, &self.bench];
        self.lib
            || self.bins
            || self.tests
            || self.examples
            || self.benches
            || self.all_targets
            || lists.into_iter().any(|list| !list.is_empty())
    }

    /// The same arguments, but for building the test of a finding as it was built.
    /// Refuses what a finding has no say in.
    pub(crate) fn for_finding(&self, kept: &Kept) -> anyhow::Result<Self> {
        kept.check_names()?;
        let mut args = self.clone();
        args.package = vec![kept.package.clone()];
        (args.workspace, args.exclude) = (false, Vec::new());
        if self.build_flags().is_empty() {
            args.as_found = kept.built.flags()?;
        }
        match kept.target_kind.as_str() {
            "test" => args.test = vec![kept.target.clone()],
            "bin" => args.bin = vec![kept.target.clone()],
            "example" => args.example = vec![kept.target.clone()],
            "bench" => args.bench = vec![kept.target.clone()],
            _ => args.lib = true,
        }
        Ok(args)
    }

    /// The flags of `cargo test`, without those that name folders.
    pub(crate) fn flags(&self) -> Vec<String> {
        let mut flags = self.shared();
        flags.extend(self.build_flags());
        flags.extend(self.as_found.iter().cloned());
        push_given(
            &mut flags,
            &[
                (self.workspace, "--workspace"),
                (self.lib, "--lib"),
                (self.bins, "--bins"),
                (self.tests, "--tests"),
                (self.examples, "--examples"),
                (self.benches, "--benches"),
                (self.all_targets, "--all-targets"),
                (self.quiet, "--quiet"),
                (self.verbose, "--verbose"),
            ],
        );
        push_values(&mut flags, &self.package, "--package");
        push_values(&mut flags, &self.exclude, "--exclude");
        push_values(&mut flags, &self.bin, "--bin");
        push_values(&mut flags, &self.test, "--test");
        push_values(&mut flags, &self.example, "--example");
        push_values(&mut flags, &self.bench, "--bench");
        push_values(&mut flags, &self.build_jobs, "--jobs");
        flags
    }
}

/// Adds those flags that were given.
fn push_given(flags: &mut Vec<String>, all: &[(bool, &str)]) {
    flags.extend(all.iter().filter(|(given, _)| *given).map(|(_, flag)| (*flag).to_owned()));
}

/// Adds a flag for each value.
fn push_values<'a>(
    flags: &mut Vec<String>,
    values: impl IntoIterator<Item = &'a String>,
    flag: &str,
) {
    for value in values {
        flags.extend([flag.to_owned(), value.clone()]);
    }
}
