//! Settings: one type, one parser, four sources.
//!
//! A setting comes from its default, is overridden by `selvedge.toml` (plain `key = value`
//! lines), that by the environment (`SELVEDGE_EXECUTIONS=5000`), and that by an argument in the
//! test. All four go through [`Config::set`], so a key means the same everywhere, and a key that
//! does not exist is an error wherever it is written.

mod error;
mod offered;
mod strategy_name;
mod value;

pub use error::{ConfigError, ConfigErrorKind};
pub use offered::Setting;
pub use strategy_name::StrategyName;

use self::value::{
    addresses, detectors, duration, isolation, leaked_threads, memory_model, metrics, number,
    positive, random_bytes, rate, series, size, toggle, unquote, weights,
};
use crate::{CodeAddress, DetectorSet, MetricChoice, Schedule, Series, Weights, closest};
use std::path::PathBuf;
use std::time::Duration;

/// How often a fault of one kind is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// Never.
    Off,
    /// Now and then: enough to be met in a campaign, too seldom to drown what else is there.
    Rare,
    /// Every other time.
    Eager,
}

/// What becomes of an execution in which threads are left when the test function has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeakedThreads {
    /// It is a finding if they do not end by themselves.
    Report,
    /// It has passed, as a plain test has: they are left behind.
    Allow,
}

/// What a test gets to see of the system's randomness: the seeds of hash maps, and the bytes that it asks the system
/// for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomBytes {
    /// The same bytes in every execution.
    Same,
    /// Others from execution to execution, which are part of the schedule.
    Vary,
}

/// What loads of atomics may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryModel {
    /// The newest value, whatever orderings the program asks for: sequential consistency.
    Sc,
    /// Older values as well, as far as the orderings allow it: the memory model of C++20 and Rust.
    Weak,
}

/// What keeps the executions of a test apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Nothing: statics keep what was written to them.
    Off,
    /// Each execution has memory of its own, and statics are put back after it. Where that is known
    /// not to be enough, each runs in a process of its own.
    On,
    /// Each execution runs in a process of its own.
    Fork,
}

/// Whether something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toggle {
    /// It is.
    On,
    /// It is not.
    Off,
}

/// Everything that can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Who decides.
    pub strategy: StrategyName,
    /// At most this many executions.
    pub executions: u64,
    /// At most this long, on the wall clock.
    pub time: Duration,
    /// About this long for all tests of a call of `cargo selvedge test`, if that is limited. A test alone makes no
    /// use of it.
    pub suite_time: Option<Duration>,
    /// Stop when so many executions, and some times as many as the last new order has taken, show
    /// nothing new.
    pub saturation: Option<u64>,
    /// At most this many preemptions in an execution (exhaustive strategy only).
    pub preemptions: Option<u32>,
    /// At most this many steps of an execution are recorded and explored.
    pub max_steps: u64,
    /// An execution with more steps than this is a livelock, even if things still change.
    pub livelock_steps: Option<u64>,
    /// Whether threads may be left when the test function has returned.
    pub leaked_threads: LeakedThreads,
    /// Where all randomness comes from.
    pub seed: u64,
    /// The stack of each thread, in bytes.
    pub stack_size: usize,
    /// How often timed waits end early.
    pub timeouts: Rate,
    /// Timed waits end early only if their deadline is at most this far ahead: so much later than
    /// others may a thread be. Unless that is said, it is [`Config::slack`]'s to say.
    pub slack: Option<Duration>,
    /// All delays of threads that wait for a time take at most so long together.
    pub delays: Duration,
    /// How often waits end for no reason.
    pub spurious: Rate,
    /// How often weak compare-exchanges fail for no reason.
    pub weak_cas: Rate,
    /// What loads of atomics may see.
    pub memory_model: MemoryModel,
    /// How often futures are polled for no reason, get another waker, or are dropped early.
    pub polls: Rate,
    /// What a test gets to see of the system's randomness.
    pub random_bytes: RandomBytes,
    /// Whether happens-before clocks are kept for observers.
    pub clocks: Toggle,
    /// Whether each schedule is run twice and compared.
    pub check_determinism: Toggle,
    /// Whether the schedule of a finding is made shorter.
    pub shrink: Toggle,
    /// After how long without a step a thread counts as blocked outside of our control.
    pub stall: Duration,
    /// What `available_parallelism` says, the same on every machine.
    pub parallelism: usize,
    /// What keeps executions apart. New memory and statics that are put back there are only where
    /// the process's allocator is ours.
    pub isolation: Isolation,
    /// At most this many bytes allocated at a time, where the memory of executions is watched.
    pub memory: usize,
    /// At most about this many bytes of our own for a test, beside its data.
    pub own_memory: usize,
    /// How many freed bytes are kept from being used again, where memory is watched.
    pub quarantine: usize,
    /// Whether memory that is left over is a finding, where memory is watched.
    pub leaks: Toggle,
    /// Whether data races of plain memory are looked for, where the memory layer is compiled in.
    pub races: Toggle,
    /// Instructions that may race.
    pub allowed_races: Vec<CodeAddress>,
    /// Who looks for what has not failed but could.
    pub detectors: DetectorSet,
    /// At most this many executions try to bring a prediction about.
    pub confirm: u64,
    /// And at most this long, on the wall clock.
    pub confirm_time: Duration,
    /// The coverage metrics that are kept.
    pub metrics: Vec<MetricChoice>,
    /// How many places at the beginning of a thread make up its abstract identity.
    pub thread_sites: u32,
    /// What the states of the metric `goldilocksc` count for.
    pub goldilock_weights: Weights,
    /// The series over which the quality of metrics is computed, if it is wanted.
    pub series: Option<Series>,
    /// Write everything that observers are told to a file in this folder.
    pub trace: Option<PathBuf>,
    /// At most so many bytes of it.
    pub trace_size: usize,
    /// Run this schedule instead of exploring.
    pub replay: Option<Schedule>,
    /// Raise SIGTRAP before this step, for a debugger.
    pub trap: Option<u64>,
}

/// What the setting `executions` is for tests that were not written for Selvedge, unless somebody says how long they
/// may take. More find little that these do not, and a short test is through with them in the blink of an eye.
pub const EXECUTIONS: u64 = 20_000;

impl Default for Config {
    fn default() -> Self {
        Self {
            strategy: StrategyName::Portfolio,
            executions: 1_000,
            time: Duration::from_secs(10),
            suite_time: Some(Duration::from_secs(120)),
            saturation: None,
            preemptions: None,
            max_steps: 1_000_000,
            livelock_steps: Some(100_000_000),
            leaked_threads: LeakedThreads::Report,
            seed: 0,
            stack_size: 2 << 20,
            timeouts: Rate::Rare,
            slack: Some(Duration::MAX),
            delays: Duration::ZERO,
            spurious: Rate::Rare,
            weak_cas: Rate::Rare,
            memory_model: MemoryModel::Sc,
            polls: Rate::Rare,
            random_bytes: RandomBytes::Same,
            clocks: Toggle::Off,
            check_determinism: Toggle::Off,
            shrink: Toggle::On,
            stall: Duration::from_secs(10),
            parallelism: 4,
            isolation: Isolation::Off,
            memory: 2 << 30,
            own_memory: 512 << 20,
            quarantine: 128 << 20,
            leaks: Toggle::Off,
            races: Toggle::Off,
            allowed_races: Vec::new(),
            detectors: DetectorSet::usual(),
            confirm: 300,
            confirm_time: Duration::from_secs(1),
            metrics: Vec::new(),
            thread_sites: 20,
            goldilock_weights: Weights::default(),
            series: None,
            trace: None,
            trace_size: 64 << 20,
            replay: None,
            trap: None,
        }
    }
}

/// So late may a thread be in tests that were not written for Selvedge, unless somebody says otherwise. Many of them
/// sleep for some milliseconds to let others go first, and rely on that.
const SLACK: Duration = Duration::from_millis(1);

impl Config {
    /// How far ahead the deadline of a timed wait may be that ends early. Whoever asks for time-outs eagerly means
    /// all of them.
    pub fn slack(&self) -> Duration {
        match (self.slack, self.timeouts) {
            (Some(slack), _) => slack,
            (None, Rate::Eager) => Duration::MAX,
            (None, Rate::Rare | Rate::Off) => SLACK,
        }
    }

    /// Sets one setting from text. Every source comes through here.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigErrorKind> {
        let key = key.trim();
        let value = value.trim();
        match key {
            "strategy" => self.strategy = value.parse()?,
            "executions" => self.executions = positive(value)?,
            "time" => self.time = duration(value)?,
            "suite_time" => {
                self.suite_time = match value {
                    "none" => None,
                    _ => Some(duration(value)?),
                }
            }
            "preemptions" => {
                self.preemptions = match value {
                    "none" => None,
                    _ => Some(number(value)?),
                }
            }
            "saturation" => {
                self.saturation = match value {
                    "none" => None,
                    _ => Some(positive(value)?),
                }
            }
            "max_steps" => self.max_steps = positive(value)?,
            "livelock_steps" => {
                self.livelock_steps = match value {
                    "none" => None,
                    _ => Some(positive(value)?),
                }
            }
            "leaked_threads" => self.leaked_threads = leaked_threads(value)?,
            "seed" => self.seed = number(value)?,
            "stack_size" => self.stack_size = size(value)?,
            "timeouts" => self.timeouts = rate(value)?,
            "slack" => self.slack = Some(duration(value)?),
            "delays" => {
                self.delays = match value {
                    "off" => Duration::ZERO,
                    _ => duration(value)?,
                }
            }
            "spurious" => self.spurious = rate(value)?,
            "weak_cas" => self.weak_cas = rate(value)?,
            "memory_model" => self.memory_model = memory_model(value)?,
            "polls" => self.polls = rate(value)?,
            "random_bytes" => self.random_bytes = random_bytes(value)?,
            "clocks" => self.clocks = toggle(value)?,
            "check_determinism" => self.check_determinism = toggle(value)?,
            "shrink" => self.shrink = toggle(value)?,
            "stall" => self.stall = duration(value)?,
            "parallelism" => self.parallelism = positive(value)? as usize,
            "isolation" => self.isolation = isolation(value)?,
            "memory" => self.memory = size(value)?,
            "own_memory" => self.own_memory = size(value)?,
            "quarantine" => self.quarantine = size(value)?,
            "leaks" => self.leaks = toggle(value)?,
            "races" => self.races = toggle(value)?,
            "allowed_races" => self.allowed_races = addresses(value)?,
            "detectors" => self.detectors = detectors(value)?,
            "confirm" => self.confirm = number(value)?,
            "confirm_time" => self.confirm_time = duration(value)?,
            "metrics" => self.metrics = metrics(value)?,
            "thread_sites" => self.thread_sites = number(value)?,
            "goldilock_weights" => self.goldilock_weights = weights(value)?,
            "series" => self.series = series(value)?,
            "trace" => {
                self.trace = match value {
                    "none" => None,
                    _ => Some(PathBuf::from(value)),
                }
            }
            "trace_size" => self.trace_size = size(value)?,
            "replay" => self.replay = Some(value.parse()?),
            "trap" => self.trap = Some(positive(value)?),
            _ => {
                let suggestion = closest(key, Self::SETTINGS.iter().map(|setting| setting.key));
                return Err(ConfigErrorKind::UnknownKey { key: key.to_owned(), suggestion });
            }
        }
        Ok(())
    }

    /// Applies the text of a `selvedge.toml`, naming `file` in errors. All errors at once.
    ///
    /// Tables, and all that follows the first one, are not for a test: `[cargo]` is read by
    /// `cargo selvedge`, which understands all of the format.
    pub fn apply_file(&mut self, file: &str, text: &str) -> Result<(), Vec<ConfigError>> {
        let mut errors = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line.starts_with('[') {
                break;
            }
            let set = match line.split_once('=') {
                Some((key, value)) => unquote(value).and_then(|value| self.set(key, value)),
                None => Err(ConfigErrorKind::NoAssignment(line.to_owned())),
            };
            if let Err(kind) = set {
                errors.push(ConfigError { place: format!("{file}:{}", index + 1), kind });
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// The setting that an environment variable is for, in capitals; nothing if it is none of ours,
    /// tells `cargo selvedge` where to keep things, or is about tests on real threads.
    pub fn key_of_variable(name: &str) -> Option<&str> {
        const NO_SETTINGS: [&str; 4] = ["CACHE", "LOG", "SCHEDULES", "TIME_SCALE"];
        name.strip_prefix("SELVEDGE_").filter(|key| !NO_SETTINGS.contains(key))
    }

    /// Applies the variables that begin with `SELVEDGE_`. All errors at once.
    pub fn apply_environment(
        &mut self,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(), Vec<ConfigError>> {
        let mut errors = Vec::new();
        let mut variables: Vec<_> = variables.into_iter().collect();
        variables.sort();
        for (name, value) in variables {
            let Some(key) = Self::key_of_variable(&name) else { continue };
            if let Err(kind) = self.set(&key.to_ascii_lowercase(), &value) {
                errors.push(ConfigError { place: format!("environment variable {name}"), kind });
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

#[cfg(test)]
mod tests;
