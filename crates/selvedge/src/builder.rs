//! How a test is run: settings in code.

use crate::{private, schedule};
use selvedge_campaign::{MakeMetric, Watched, watched};
use selvedge_model::{
    Config, ConfigError, ConfigErrorKind, LeakedThreads, Learned, MetricChoice, Rate, Report,
    StrategyName, Toggle,
};
use selvedge_observe::coverage::Metric;
use selvedge_spec::{Mode, Spec};
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Settings that can not be taken, all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError(Vec<ConfigError>);

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("selvedge: bad settings")?;
        self.0.iter().try_for_each(|error| write!(f, "\n  {error}"))
    }
}

impl std::error::Error for SettingsError {}

/// Runs a test under control, with settings.
///
/// ```
/// use selvedge::{Builder, StrategyName};
///
/// let report = Builder::new()
///     .strategy(StrategyName::Exhaustive)
///     .executions(10_000)
///     .explore(|| {
///         let handle = selvedge::thread::spawn(|| 1);
///         assert_eq!(handle.join().unwrap(), 1);
///     })
///     .unwrap();
/// assert!(report.finding.is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    config: Config,
    metrics: Vec<MakeMetric>,
    written: Option<(String, Spec, Mode)>,
    errors: Vec<ConfigError>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// Settings as they are by default, in `selvedge.toml` and in the environment; the later
    /// overrides the earlier, and what is set in code overrides all.
    pub fn new() -> Self {
        let mut builder = Self {
            config: Config::default(),
            metrics: Vec::new(),
            written: None,
            errors: Vec::new(),
        };
        match settings_file() {
            Ok(Some((path, text))) => {
                let read = builder.config.apply_file(&path.display().to_string(), &text);
                builder.errors.extend(read.err().into_iter().flatten());
            }
            Ok(None) => {}
            Err(error) => builder.errors.push(error),
        }
        match environment() {
            Ok(variables) => {
                let read = builder.config.apply_environment(variables);
                builder.errors.extend(read.err().into_iter().flatten());
            }
            Err(error) => builder.errors.push(error),
        }
        builder
    }

    /// Sets a setting by its name, as in `selvedge.toml`.
    pub fn set(mut self, key: &str, value: &str) -> Self {
        if let Err(kind) = self.config.set(key, value) {
            self.errors.push(ConfigError { place: format!("argument {key}"), kind });
        }
        self
    }

    /// Who decides which thread goes next.
    pub fn strategy(mut self, strategy: StrategyName) -> Self {
        self.config.strategy = strategy;
        self
    }

    /// At most this many executions.
    pub fn executions(mut self, executions: u64) -> Self {
        self.config.executions = executions;
        self
    }

    /// At most this long, on the wall clock.
    pub fn time(mut self, time: Duration) -> Self {
        self.config.time = time;
        self
    }

    /// At most this many preemptions in an execution of the exhaustive strategy.
    pub fn preemptions(mut self, preemptions: u32) -> Self {
        self.config.preemptions = Some(preemptions);
        self
    }

    /// At most this many steps of an execution are recorded and explored. If things still change
    /// after them, it goes on to its end, with threads that take turns; if not, it is a livelock.
    pub fn max_steps(mut self, steps: u64) -> Self {
        self.config.max_steps = steps;
        self
    }

    /// An execution with more steps than this is a livelock, even if things still change.
    pub fn livelock_steps(mut self, steps: u64) -> Self {
        self.config.livelock_steps = Some(steps);
        self
    }

    /// Whether it is a finding that threads are left when the test function has returned.
    pub fn leaked_threads(mut self, leaked: LeakedThreads) -> Self {
        self.config.leaked_threads = leaked;
        self
    }

    /// Makes the whole campaign repeatable.
    pub fn seed(mut self, seed: u64) -> Self {
        self.config.seed = seed;
        self
    }

    /// How often timed waits end while others can run.
    pub fn timeouts(mut self, rate: Rate) -> Self {
        self.config.timeouts = rate;
        self
    }

    /// How often waits end for no reason.
    pub fn spurious(mut self, rate: Rate) -> Self {
        self.config.spurious = rate;
        self
    }

    /// How often `compare_exchange_weak` fails for no reason.
    pub fn weak_cas(mut self, rate: Rate) -> Self {
        self.config.weak_cas = rate;
        self
    }

    /// How often futures are polled for no reason, get another waker, or are dropped early; see
    /// [`task`](crate::task).
    pub fn polls(mut self, rate: Rate) -> Self {
        self.config.polls = rate;
        self
    }

    /// Whether happens-before clocks are kept.
    pub fn clocks(mut self, clocks: Toggle) -> Self {
        self.config.clocks = clocks;
        self
    }

    /// Whether each schedule is run twice and compared.
    pub fn check_determinism(mut self, check: Toggle) -> Self {
        self.config.check_determinism = check;
        self
    }

    /// Whether the schedule of a finding is made shorter.
    pub fn shrink(mut self, shrink: Toggle) -> Self {
        self.config.shrink = shrink;
        self
    }

    /// After how long without a step a thread counts as blocked outside of control.
    pub fn stall(mut self, stall: Duration) -> Self {
        self.config.stall = stall;
        self
    }

    /// Which of the coverage metrics that come with Selvedge are kept; what they have seen is in the
    /// report.
    pub fn metrics(mut self, metrics: impl IntoIterator<Item = MetricChoice>) -> Self {
        self.config.metrics = metrics.into_iter().collect();
        self
    }

    /// Keeps a coverage metric of one's own, too; see [`coverage`](crate::coverage).
    pub fn metric(mut self, make: fn() -> Box<dyn Metric>) -> Self {
        self.metrics.push(make);
        self
    }

    /// Runs the test only in interleavings that a written schedule permits; see
    /// [`schedule`](crate::schedule).
    pub fn schedule(self, schedule: &str) -> Self {
        self.written("", schedule, Mode::Enforce)
    }

    /// Compares each execution with a written schedule; see [`schedule`](crate::schedule).
    pub fn check_schedule(self, schedule: &str) -> Self {
        self.written("", schedule, Mode::Check)
    }

    pub(crate) fn written(mut self, name: &str, text: &str, mode: Mode) -> Self {
        match schedule::run::read(text, mode) {
            Ok(spec) => self.written = Some((name.to_owned(), spec, mode)),
            Err(mistakes) => self.errors.push(ConfigError {
                place: "argument schedule".to_owned(),
                kind: ConfigErrorKind::Written(mistakes),
            }),
        }
        self
    }

    /// Runs the test and says what came of it, as data.
    #[track_caller]
    pub fn explore(self, test: impl Fn() + Send + Sync + 'static) -> Result<Report, SettingsError> {
        if !self.errors.is_empty() {
            return Err(SettingsError(self.errors));
        }
        let name = std::thread::current().name().unwrap_or("selvedge").to_owned();
        let test = self.by_schedule(test);
        let test_run = Watched {
            config: self.config,
            metrics: self.metrics,
            name,
            known: Learned::default(),
            on_progress: &mut |_| {},
        };
        let explored = watched(test_run, test);
        Ok(explored.expect("selvedge: no thread to run the test on").report)
    }

    /// The test, by its written schedule if it has one.
    fn by_schedule(
        &self,
        test: impl Fn() + Send + Sync + 'static,
    ) -> Arc<dyn Fn() + Send + Sync + 'static> {
        match self.written.clone() {
            Some((name, spec, mode)) => Arc::new(schedule::controlled(name, spec, mode, test)),
            None => Arc::new(test),
        }
    }

    /// Runs the test and panics with an explanation if something goes wrong.
    ///
    /// # Panics
    ///
    /// See [`check`](crate::check); also if the settings are wrong.
    #[track_caller]
    pub fn check(self, test: impl Fn() + Send + Sync + 'static) {
        match self.explore(test) {
            Ok(report) => private::conclude(&report),
            Err(error) => panic!("{error}"),
        }
    }
}

/// The nearest `selvedge.toml` at or above the package under test, and what is in it.
fn settings_file() -> Result<Option<(PathBuf, String)>, ConfigError> {
    let Some(package) = std::env::var_os("CARGO_MANIFEST_DIR") else { return Ok(None) };
    for folder in Path::new(&package).ancestors() {
        let path = folder.join("selvedge.toml");
        match std::fs::read_to_string(&path) {
            Ok(text) => return Ok(Some((path, text))),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                let kind = ConfigErrorKind::Unreadable(error.to_string());
                return Err(ConfigError { place: path.display().to_string(), kind });
            }
        }
    }
    Ok(None)
}

/// The variables that are meant for us.
fn environment() -> Result<Vec<(String, String)>, ConfigError> {
    let ours = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok().filter(|name| name.starts_with("SELVEDGE_"))?;
        Some((name, value))
    });
    ours.map(|(name, value)| match value.into_string() {
        Ok(value) => Ok((name, value)),
        Err(value) => Err(ConfigError {
            place: format!("environment variable {name}"),
            kind: ConfigErrorKind::Unreadable(format!("{value:?} is no text")),
        }),
    })
    .collect()
}
