//! The command line.

mod campaigns;
mod generate;
mod life;
mod migrate;

pub(crate) use campaigns::{HistoryArgs, MergeArgs, ShardArgs, Split};
pub(crate) use generate::{GenerateArgs, SteeringName};
pub(crate) use life::{AcceptArgs, ForgetArgs, PinArgs, ProjectArgs};
pub(crate) use migrate::{MigrateArgs, MigrateFormat};

use crate::cargo_args::CargoArgs;
use crate::memory_layer::WatchMemory;
use clap::{Args, Parser, Subcommand, ValueEnum};
use selvedge_model::{Config, MetricName};
use std::num::NonZero;
use std::path::PathBuf;

/// What cargo calls: `cargo selvedge …` becomes `cargo-selvedge selvedge …`.
#[derive(Debug, Parser)]
#[command(name = "cargo", bin_name = "cargo", styles = clap_cargo::style::CLAP_STYLING)]
pub(crate) enum Cargo {
    Selvedge(Selvedge),
}

/// Finds, explains and reproduces concurrency bugs in Rust tests that nobody had to change
#[derive(Args, Debug)]
#[command(version, arg_required_else_help = true, after_help = EXITS)]
pub(crate) struct Selvedge {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Whether there are colours [default: as cargo is configured]
    #[arg(long, global = true, value_name = "WHEN")]
    pub(crate) color: Option<When>,
}

/// When there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal.
    Auto,
    /// Wherever it goes.
    Always,
    /// Nowhere.
    Never,
}

const EXITS: &str = "\
Begin with `cargo selvedge test` in any cargo project; `cargo selvedge test --help` says what it \
does.

Exit codes:
  0   nothing was found
  1   something was found
  2   the arguments or settings can not be understood
  3   the project does not compile
  4   there is nothing to run
  5   of merge: shards are missing, or files could not be used
  70  something else did not work
  130 interrupted; what was found before has been kept";

/// What can be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(after_help = TEST_EXAMPLES, after_long_help = teach())]
    Test(Box<TestArgs>),
    RunShard(Box<ShardArgs>),
    Merge(MergeArgs),
    History(HistoryArgs),
    Coverage(Box<CoverageArgs>),
    Trace(TraceArgs),
    Replay(ReplayArgs),
    Report(ReportArgs),
    List(ListArgs),
    Pin(PinArgs),
    Accept(AcceptArgs),
    Forget(ForgetArgs),
    Migrate(Box<MigrateArgs>),
    Generate(Box<GenerateArgs>),
    Doctor(DoctorArgs),
}

/// Runs the tests of a project under control, each in many interleavings
///
/// The project is compiled once more, with mirrors of std, core and test in place of the real
/// ones, into a folder of its own below the target folder. Nothing in the project has to be
/// changed.
///
/// Then each test runs with all its threads under control: which of them goes next is decided
/// before every operation on a lock, an atomic, a channel and the like, differently in each
/// execution. Tests without concurrency are run once; each of the others up to 20,000 times, or for its
/// share of two minutes for all tests, at most 10 seconds. Time is virtual: a test that sleeps takes
/// no time.
///
/// A test that fails in any of these executions, by a panic, a deadlock, a crash or misuse of
/// memory, is a finding: it is explained, kept below target/selvedge/findings, and can be run again
/// with `cargo selvedge replay`, as often as you like and in a debugger.
#[derive(Args, Debug)]
pub(crate) struct TestArgs {
    /// Only tests with one of these texts in their names
    #[arg(value_name = "FILTER")]
    pub(crate) filters: Vec<String>,
    /// Arguments of the test runner, as those of libtest: --exact, --skip, --ignored, --list,
    /// --nocapture, --test-threads …
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) runner: Vec<String>,
    #[command(flatten)]
    pub(crate) explore: ExploreArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}

const TEST_EXAMPLES: &str = "\
Examples:
  cargo selvedge test                          all tests of the package
  cargo selvedge test queue:: --time 60s       tests of one module, a minute each
  cargo selvedge test -- --exact queue::close  one test
  cargo selvedge test --junit selvedge.xml     with a report for CI";

/// What `--help` says beyond `-h`: the way from a finding to its cause, and every setting.
fn teach() -> String {
    let mut text = format!(
        "{TEST_EXAMPLES}

From a finding to its cause:
  cargo selvedge list                          what has been found so far
  cargo selvedge replay 4edf8b98               the same execution, explained
  cargo selvedge replay 4edf8b98 --trace       with every step
  cargo selvedge replay 4edf8b98 --debugger    stopped at the failing step
  cargo selvedge pin 4edf8b98                  into a file to commit, which every run tries first

Settings, for --set KEY=VALUE, for selvedge.toml and [package.metadata.selvedge] (key = value) and
for the environment (SELVEDGE_KEY=value); the later of these count:
"
    );
    for setting in Config::SETTINGS {
        text.push_str(&format!("  {:18} {} ({})\n", setting.key, setting.help, setting.takes));
    }
    text.push_str(
        "
For the command alone, in selvedge.toml:
  [cargo]
  exclude = [\"slow\"]             tests that are not run: parts of their names
  uninstrumented = [\"a-crate\"]   crates that are compiled as they are
  allow-races = [\"Statistics\"]   functions and files whose data races are no findings",
    );
    text
}

/// How tests are explored.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "How tests are explored")]
pub(crate) struct ExploreArgs {
    /// At most so many executions of each test [default: 20000, or any number with --time]
    #[arg(long, value_name = "N")]
    pub(crate) executions: Option<String>,
    /// At most so long for each test, such as 500ms or 1m [default: its share of the suite's time, at
    /// most 10s]
    #[arg(long, value_name = "DURATION")]
    pub(crate) time: Option<String>,
    /// About so long for all tests together, such as 30s or 10m, or none; each test gets a share of it
    /// [default: 2m]
    #[arg(long, value_name = "DURATION")]
    pub(crate) suite_time: Option<String>,
    /// Who decides which thread goes next [default: portfolio]
    #[arg(long, value_name = "NAME")]
    pub(crate) strategy: Option<String>,
    /// Where all randomness comes from [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<String>,
    /// Watch plain accesses to memory, to find data races of unsafe code: in packages of the
    /// workspace that have any, in all crates (on), or nowhere
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "on"
    )]
    pub(crate) memory: Option<WatchMemory>,
    /// Write down everything that happens, to a file for each test below target/selvedge/traces, for
    /// `cargo selvedge trace`
    #[arg(long)]
    pub(crate) trace: bool,
    /// Any other setting, as in selvedge.toml
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
    /// So many tests at a time [default: the number of processors]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// So many processes for each test, which tell each other what they learn; what comes of it
    /// differs from call to call then [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) processes: Option<NonZero<usize>>,
    /// Go on with the last campaign that had the same settings, of tests that are built as they were
    #[arg(long)]
    pub(crate) resume: bool,
    /// Explore as if nothing had been found before: schedules of earlier findings are not tried first
    #[arg(long)]
    pub(crate) fresh: bool,
}

/// How people and machines are told.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What is shown")]
pub(crate) struct OutputArgs {
    /// Write a JUnit report to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write what came of each test as JSON, a line for each, to this file; - is the standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Annotate sources on GitHub; on by itself where GITHUB_ACTIONS is set
    #[arg(long)]
    pub(crate) annotations: bool,
    /// Build the tests and run none
    #[arg(long)]
    pub(crate) no_run: bool,
    /// Taken as `cargo test` does; all tests are run in any case
    #[arg(long, hide = true)]
    pub(crate) no_fail_fast: bool,
}

/// Measures what the tests of a project exercise of its concurrency
///
/// Runs the tests as `cargo selvedge test` does, and counts for each metric how many of its
/// requirements were covered: two places that take the same lock one after the other, a value that
/// is written at one line and read at another by a different thread, a lock that was found taken.
/// Lines of code are covered by a single execution; these are not, and that is what repetition is
/// for.
///
/// A metric with a star tells threads and variables apart, one without looks at places alone.
/// `--metric 'avio*:real'` sets how finely: real, abstract (the default), type or none.
#[derive(Args, Debug)]
#[command(after_help = COVERAGE_EXAMPLES, after_long_help = teach_metrics())]
pub(crate) struct CoverageArgs {
    /// Only tests with one of these texts in their names
    #[arg(value_name = "FILTER")]
    pub(crate) filters: Vec<String>,
    /// Arguments of the test runner, as those of `cargo selvedge test`
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) runner: Vec<String>,
    /// A metric to measure, or all; may be given several times [default: sp, avio*, hbpair*,
    /// dupairs*, goldilock, sync and sites]
    #[arg(long = "metric", value_name = "NAME")]
    pub(crate) metrics: Vec<String>,
    /// List every requirement that was covered
    #[arg(long)]
    pub(crate) list: bool,
    /// Show how good each metric is for each test: Total, Average and Smooth over random series
    #[arg(long)]
    pub(crate) quality: bool,
    /// So many random series for --quality
    #[arg(long, value_name = "N", default_value = "100")]
    pub(crate) series: NonZero<u32>,
    /// So many executions in each of them
    #[arg(long, value_name = "N", default_value = "2000")]
    pub(crate) length: NonZero<u32>,
    /// Write everything that is known of each test as JSON, a line for each, to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write how coverage grew, execution by execution, to this file, for plots
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) explore: ExploreArgs,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}

const COVERAGE_EXAMPLES: &str = "\
Examples:
  cargo selvedge coverage                      the usual metrics, all tests of the package
  cargo selvedge coverage --metric sp --list   every pair of places that was covered
  cargo selvedge coverage --csv growth.csv     for a plot: test, metric, execution, covered
  cargo selvedge coverage --quality --metric all   which metric suits these tests";

/// What `coverage --help` says beyond `-h`: every metric.
fn teach_metrics() -> String {
    let mut text =
        format!("{COVERAGE_EXAMPLES}\n\nMetrics, for --metric and the setting metrics:\n");
    for metric in MetricName::ALL {
        text.push_str(&format!("  {:18} {}\n", metric.name(), metric.about()));
    }
    text.push_str(
        "
Total is how many requirements a series of executions covers. Average is how much of that one
execution covers: near 100 % there is nothing left to find by running again. Smooth is how often a
series grows: near 0 % it stands still early, near 100 % it never does.",
    );
    text
}

/// Shows and analyses traces that `cargo selvedge test --trace` has written
///
/// A trace is everything that happened in the executions of a test. Whatever metrics and detectors
/// say of executions, they say of their trace, too, so that nothing has to be run again to ask
/// something else.
#[derive(Args, Debug)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) command: TraceCommand,
}

/// What can be done with a trace.
#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    Show(ShowArgs),
    Analyze(AnalyzeArgs),
}

/// Shows what is in a trace: how often everything happened, or one execution step by step
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The trace
    pub(crate) file: PathBuf,
    /// Every step of this execution, the first one being 1
    #[arg(long, value_name = "N")]
    pub(crate) execution: Option<NonZero<u64>>,
}

/// Tells what metrics and detectors say of a trace
///
/// They are set as they were when the trace was written, unless other ones are asked for. Leaves
/// with 1 if there is a data race.
#[derive(Args, Debug)]
pub(crate) struct AnalyzeArgs {
    /// The trace
    pub(crate) file: PathBuf,
    /// A metric to measure, or all; may be given several times
    #[arg(long = "metric", value_name = "NAME")]
    pub(crate) metrics: Vec<String>,
    /// The detectors to ask: usual, off, all, or names such as deadlock,hybrid
    #[arg(long, value_name = "NAMES")]
    pub(crate) detectors: Option<String>,
    /// List every requirement that was covered
    #[arg(long)]
    pub(crate) list: bool,
}

/// Runs the test of a finding along its schedule
///
/// The test is built as it was when the finding was made, and run once along the schedule that was
/// kept. Moved lines do not matter; if an operation of the schedule is gone, that is said. Leaves
/// with 1 if the test fails, with 0 if it passes.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The finding, as `cargo selvedge list` shows it; a beginning that no other has is enough
    pub(crate) id: String,
    /// Show every step, not only those that matter
    #[arg(long)]
    pub(crate) trace: bool,
    /// Stop at the failing step under gdb or lldb
    #[arg(long, conflicts_with = "times")]
    pub(crate) debugger: bool,
    /// Run so many times
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) times: NonZero<u32>,
    /// Run this schedule instead of the finding's own
    #[arg(long, value_name = "SCHEDULE")]
    pub(crate) schedule: Option<String>,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}

/// Makes a report of what was found and covered
///
/// The page is one file that needs no network and can be sent to others: the tests, each finding as
/// a diagram of its threads to step through, with the source beside it, and what was covered and
/// what was not. It tells of every finding that is kept and of the last recorded run of each test;
/// strategies are compared if the same build was run with several.
///
/// The other formats have the same data: JSON for programs of your own, JUnit for CI systems, SARIF
/// for code scanning, LCOV for viewers of coverage, and annotations for GitHub.
#[derive(Args, Debug)]
#[command(after_help = REPORT_EXAMPLES)]
pub(crate) struct ReportArgs {
    /// What is made
    #[arg(long, value_name = "FORMAT", default_value = "html")]
    pub(crate) format: ReportFormat,
    /// Where it goes [default: target/selvedge/report.html for html, the terminal for the others]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// The manifest of the project
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// The folder for what is built and found
    #[arg(long, value_name = "DIRECTORY", env = "CARGO_TARGET_DIR")]
    pub(crate) target_dir: Option<PathBuf>,
}

/// What a report is made as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// A page to look at
    Html,
    /// Everything, for programs
    Json,
    /// For CI systems
    Junit,
    /// For code scanning
    Sarif,
    /// Requirements as branches, for viewers of coverage
    Lcov,
    /// Annotations of sources on GitHub
    Github,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  cargo selvedge report --open                 the page, in the browser
  cargo selvedge report --format sarif -o selvedge.sarif
  cargo selvedge report --format lcov -o selvedge.info";

/// Lists the findings that have been kept
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// The manifest of the project
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// The folder for what is built and found
    #[arg(long, value_name = "DIRECTORY", env = "CARGO_TARGET_DIR")]
    pub(crate) target_dir: Option<PathBuf>,
}

/// Explains what is under control in this project, what is not, and why
#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}
