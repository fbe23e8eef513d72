//! The arguments of `cargo selvedge migrate`.

use crate::cargo_args::CargoArgs;
use clap::{Args, ValueEnum};
use std::num::NonZero;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Turns tests that sleep into tests with schedules
///
/// Finds tests that call thread::sleep, runs them several times in a copy of the project that tells what
/// each thread does, infers which events they wait for, and rewrites them: events are added, the sleeps
/// are removed, and the attribute says in which order things happen. Each migrated test is verified before
/// it is shown: with its sleeps it has kept to the schedule, without them it has passed 20 times on real
/// threads and in 1,000 interleavings under control. What does not verify is refused, with the reason.
///
/// Sleeps that are not about ordering are left alone: in loops that ask again and again, in tests without
/// other threads. Nothing of the project is changed unless you agree or give --apply. Leaves with 1 if a
/// test could not be migrated.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MigrateArgs {
    /// Only tests with one of these texts in their names
    #[arg(value_name = "FILTER")]
    pub(crate) filters: Vec<String>,
    /// The texts are whole names; such tests are looked at even if no sleep is seen in them
    #[arg(long)]
    pub(crate) exact: bool,
    /// Write the migrated tests without asking
    #[arg(long)]
    pub(crate) apply: bool,
    /// Make one test with several schedules of tests that differ in their sleeps only
    #[arg(long)]
    pub(crate) merge: bool,
    /// Name the tests that sleep and do nothing else
    #[arg(long)]
    pub(crate) list: bool,
    /// How the result is told: differences for people, or everything for programs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: MigrateFormat,
    /// So many runs with sleeps that pass are looked at
    #[arg(long, value_name = "N", default_value = "5")]
    pub(crate) runs: NonZero<usize>,
    /// In which part of these runs an ordering has to be seen, from 0 to 1
    #[arg(long, value_name = "PART", default_value = "0.5", value_parser = part)]
    pub(crate) confidence: f64,
    /// Sleeps and timeouts are so many times as long while tests are looked at
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) scale: NonZero<u32>,
    /// After so long a run of a test is given up, such as 30s or 5m
    #[arg(long, value_name = "DURATION", default_value = "2m")]
    pub(crate) time_limit: Limit,
    /// The folder of the package selvedge that tests depend on [default: the one that this program was
    /// built with, or else the published one]
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) selvedge_path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}

const EXAMPLES: &str = "\
Examples:
  cargo selvedge migrate --list                which tests sleep
  cargo selvedge migrate queue::               tests of one module, and asks
  cargo selvedge migrate --apply --merge       everything that verifies";

/// How the result is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MigrateFormat {
    /// Differences
    Text,
    /// Everything, for programs
    Json,
}

/// How long something may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit(pub(crate) Duration);

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let number: u64 = number.parse().map_err(|_| "expected a duration such as 30s")?;
        let limit = match unit {
            "ms" => Duration::from_millis(number),
            "s" | "" => Duration::from_secs(number),
            "m" => Duration::from_secs(60 * number),
            _ => return Err(format!("'{unit}' is no unit of time; expected ms, s or m")),
        };
        Ok(Self(limit))
    }
}

fn part(text: &str) -> Result<f64, String> {
    let part: f64 = text.parse().map_err(|_| "expected a number from 0 to 1")?;
    if (0.0..=1.0).contains(&part) { Ok(part) } else { Err("expected a number from 0 to 1".into()) }
}
