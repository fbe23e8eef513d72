//! Turns what happens in executions into facts.
//!
//! Everything here is an [`Observer`]: it is told of events and accesses, in order, and keeps what
//! it needs. [`coverage`] counts what a test has exercised, one file a metric; [`detect`] looks for
//! what went wrong or could have, one file a detector; [`trace`] writes everything down. All of them work the same on a live
//! execution and on a stored trace.
#![forbid(unsafe_code)]

pub mod coverage;
pub mod detect;
pub mod lockset;
pub mod trace;

use coverage::{Coverage, CoverageSettings, Metric};
use detect::fast_track::FastTrack;
use detect::{Detectors, Verdict};
use selvedge_model::{
    Access, Config, Event, Identity, MemoryChange, Moment, NotKept, Observer, Race, Record,
    ThreadReport, Toggle,
};
use trace::TraceWriter;

/// Everybody who watches the executions of a test.
#[derive(Default)]
pub struct Watchers {
    /// What is covered, if that was asked for.
    pub coverage: Option<Coverage>,
    /// What looks wrong, if that was asked for.
    pub detectors: Option<Detectors>,
    /// Data races of plain memory, if they were asked for.
    pub races: Option<FastTrack>,
    /// Whoever writes everything down, if that was asked for.
    pub trace: Option<TraceWriter>,
}

impl Watchers {
    /// Those that the configuration asks for.
    pub fn of_config(config: &Config) -> Self {
        Self {
            coverage: (!config.metrics.is_empty())
                .then(|| Coverage::of_choices(&config.metrics, coverage_settings(config))),
            detectors: Detectors::with_memory(config.detectors, config.own_memory / 4),
            ..Self::for_races(config)
        }
    }

    /// Those of them without whom an execution does not fail as it did.
    pub fn for_races(config: &Config) -> Self {
        Self {
            races: match config.races {
                Toggle::On => {
                    Some(FastTrack::new(config.allowed_races.clone(), config.own_memory / 4))
                }
                Toggle::Off => None,
            },
            ..Self::default()
        }
    }

    /// Keeps another metric.
    pub fn keep(&mut self, metric: Box<dyn Metric>, config: &Config) {
        let coverage =
            self.coverage.get_or_insert_with(|| Coverage::new(coverage_settings(config)));
        coverage.keep(metric, Identity::default());
    }

    /// The last execution has passed or failed; its threads had these names.
    pub fn judge(&mut self, verdict: Verdict, threads: impl Fn() -> Vec<ThreadReport>) {
        if let Some(detectors) = &mut self.detectors {
            detectors.judge(verdict, &threads);
        }
        if let Some(trace) = &mut self.trace {
            trace.judge(verdict, threads);
        }
    }

    /// As an observer of the next execution, if there is anybody who wants to watch it. One who is
    /// alone is told directly, since accesses to memory are many.
    pub fn observer(&mut self) -> Option<&mut dyn Observer> {
        let detectors = self.detectors.as_mut().is_some_and(Detectors::next);
        if self.coverage.is_none() && self.trace.is_none() && !detectors {
            return self.races.as_mut().map(|races| races as &mut dyn Observer);
        }
        Some(self)
    }

    /// Tells each of those that there are.
    fn each(&mut self, mut tell: impl FnMut(&mut dyn Observer)) {
        let Self { coverage, detectors, races, trace } = self;
        if let Some(coverage) = coverage {
            tell(coverage);
        }
        if let Some(detectors) = detectors {
            tell(detectors);
        }
        if let Some(races) = races {
            tell(races);
        }
        if let Some(trace) = trace {
            tell(trace);
        }
    }
}

fn coverage_settings(config: &Config) -> CoverageSettings {
    CoverageSettings {
        thread_sites: config.thread_sites,
        weights: config.goldilock_weights,
        series: config.series,
        memory: config.own_memory / 8,
    }
}

impl Observer for Watchers {
    fn wants_events(&self) -> bool {
        let of_coverage = self.coverage.as_ref().is_some_and(Observer::wants_events);
        self.trace.is_some()
            || of_coverage
            || self.detectors.as_ref().is_some_and(Observer::wants_events)
    }

    fn reads_data(&self) -> bool {
        self.trace.is_some()
            || self.coverage.is_some()
            || self.detectors.as_ref().is_some_and(Observer::reads_data)
    }

    fn begin(&mut self) {
        self.each(|observer| observer.begin());
    }

    fn event(&mut self, event: &Event, moment: &Moment<'_>) {
        self.each(|observer| observer.event(event, moment));
    }

    fn access(&mut self, access: &Access, moment: &Moment<'_>) {
        self.each(|observer| observer.access(access, moment));
    }

    fn memory(&mut self, change: &MemoryChange, moment: &Moment<'_>) {
        self.each(|observer| observer.memory(change, moment));
    }

    fn race(&self) -> Option<Race> {
        self.races.as_ref()?.race()
    }

    fn not_kept(&self) -> Vec<NotKept> {
        let Self { coverage, detectors, races, trace: _ } = self;
        let mut all = Vec::new();
        all.extend(coverage.iter().flat_map(Observer::not_kept));
        all.extend(detectors.iter().flat_map(Observer::not_kept));
        all.extend(races.iter().flat_map(Observer::not_kept));
        all
    }

    fn end(&mut self, record: &Record<'_>) {
        self.each(|observer| observer.end(record));
    }
}
