//! Latencies, added up between two reports.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// Adds up how many requests were served and how long that took. Recording takes no lock, since
/// every request does it.
#[derive(Debug, Default)]
pub struct Meter {
    requests: AtomicU32,
    micros: AtomicU64,
}

/// What a meter has recorded since the report before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many requests were served.
    pub requests: u32,
    /// How long they took together.
    pub total: Duration,
}

impl Meter {
    /// A meter that has recorded nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records a request that took so long.
    pub fn record(&self, latency: Duration) {
        let micros = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::SeqCst);
        self.requests.fetch_add(1, Ordering::SeqCst);
    }

    /// What was recorded since the last call.
    pub fn report(&self) -> Report {
        Report {
            requests: self.requests.swap(0, Ordering::SeqCst),
            total: Duration::from_micros(self.micros.swap(0, Ordering::SeqCst)),
        }
    }
}

impl Report {
    /// How long a request took on average, if there was one.
    pub fn mean(&self) -> Option<Duration> {
        self.total.checked_div(self.requests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    const LATENCY: Duration = Duration::from_millis(10);

    #[test]
    fn the_mean_lies_between_the_fastest_and_the_slowest() {
        let meter = Meter::new();
        meter.record(LATENCY);
        meter.record(3 * LATENCY);
        assert_eq!(meter.report().mean(), Some(2 * LATENCY));
    }

    #[test]
    fn a_report_covers_the_time_since_the_one_before() {
        let meter = Meter::new();
        meter.record(LATENCY);
        assert_eq!(meter.report(), Report { requests: 1, total: LATENCY });
        assert_eq!(meter.report(), Report::default());
        assert_eq!(meter.report().mean(), None);
    }

    #[test]
    fn equal_latencies_have_that_mean_in_every_report() {
        let meter = Meter::new();
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| meter.record(LATENCY));
            }
            let report = meter.report();
            assert_eq!(report.mean().unwrap_or(LATENCY), LATENCY);
        });
        let report = meter.report();
        assert_eq!(report.mean().unwrap_or(LATENCY), LATENCY);
    }
}
