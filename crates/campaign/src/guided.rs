//! One meaning of *covered*: coverage says what it is. A strategy that aims at requirements of a metric is told,
//! and the metric knows what the strategy thinks possible.

use selvedge_model::{Guidance, Learned, MetricReport, Strategy};
use selvedge_observe::coverage::Coverage;

/// Tells a strategy what coverage has seen.
pub(crate) struct Guided {
    /// The metric that the strategy aims at, if it aims.
    metric: Option<String>,
    /// How many covered requirements it was told of.
    told: usize,
}

impl Guided {
    /// For a strategy that has not been told anything.
    pub(crate) fn new(strategy: &dyn Strategy) -> Self {
        Self { metric: strategy.guidance().map(|guidance| guidance.metric), told: 0 }
    }

    /// Tells the strategy what was covered since this was last called, by this process or by others.
    #[inline]
    pub(crate) fn tell(&mut self, strategy: &mut dyn Strategy, coverage: Option<&Coverage>) {
        if let (Some(metric), Some(coverage)) = (&self.metric, coverage) {
            let news = coverage.covered_since(metric, self.told);
            if !news.is_empty() {
                self.told += news.len();
                strategy.learn(metric, &news);
            }
        }
    }

    /// Tells the strategy what earlier executions have covered, also of a metric that is not kept now, and which of
    /// them are worth going on from.
    pub(crate) fn begin(&self, strategy: &mut dyn Strategy, known: &Learned) {
        strategy.take_up(&known.corpus);
        let Some(aim) = &self.metric else { return };
        for metric in known.metrics.iter().filter(|metric| metric.metric == *aim) {
            let covered: Vec<_> =
                metric.covered.iter().map(|covered| covered.requirement.clone()).collect();
            strategy.learn(aim, &covered);
        }
    }
}

/// Brings what a strategy and its metric say together: covered is what the metric has covered, and
/// known is that and what either of them thinks possible.
pub(crate) fn agree(guidance: Option<Guidance>, coverage: &mut [MetricReport]) -> Option<Guidance> {
    let mut guidance = guidance?;
    if let Some(metric) = coverage.iter_mut().find(|metric| metric.metric == guidance.metric) {
        metric.uncovered.append(&mut guidance.uncovered);
        metric.uncovered.sort_unstable();
        metric.uncovered.dedup();
        let covered = &metric.covered;
        metric.uncovered.retain(|requirement| covered.binary_search(requirement).is_err());
        guidance.uncovered.clone_from(&metric.uncovered);
    }
    Some(guidance)
}
