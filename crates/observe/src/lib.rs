//! Turns what happens in executions into facts.
//!
//! Everything here is an [`Observer`]: it is told of events and accesses, in order, and keeps what
//! it needs. [`coverage`] counts what a test has exercised, one file a metric; [`detect`] looks for
//! what went wrong or could have, one file a detector. All of them work the same on a live
//! execution and on a stored trace.
#![forbid(unsafe_code)]

pub mod coverage;
pub mod detect;
pub mod lockset;

use coverage::Coverage;
use detect::Detectors;
use selvedge_model::{Access, Event, MemoryChange, Moment, Observer, Record};

/// Everybody who watches the executions of a test.
#[derive(Default)]
pub struct Watchers {
    /// What is covered, if that was asked for.
    pub coverage: Option<Coverage>,
    /// What looks wrong, if that was asked for.
    pub detectors: Option<Detectors>,
}

impl Watchers {
    /// As an observer of an execution, if there is anybody who wants to watch.
    pub fn observer(&mut self) -> Option<&mut dyn Observer> {
        if self.coverage.is_none() && self.detectors.is_none() {
            return None;
        }
        Some(self)
    }

    /// Tells each of those that there are.
    fn each(&mut self, mut tell: impl FnMut(&mut dyn Observer)) {
        let Self { coverage, detectors } = self;
        if let Some(coverage) = coverage {
            tell(coverage);
        }
        if let Some(detectors) = detectors {
            tell(detectors);
        }
    }
}

impl Observer for Watchers {
    fn wants_events(&self) -> bool {
        let of_coverage = self.coverage.as_ref().is_some_and(Observer::wants_events);
        of_coverage || self.detectors.as_ref().is_some_and(Observer::wants_events)
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

    fn memory(&mut self, change: &MemoryChange) {
        self.each(|observer| observer.memory(change));
    }

    fn end(&mut self, record: &Record<'_>) {
        self.each(|observer| observer.end(record));
    }
}
