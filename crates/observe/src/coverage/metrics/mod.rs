//! The metrics, one file each.

mod avio;
mod concur_pairs;
mod concurrent_sites;
mod definitions;
mod du_pairs;
mod eraser;
mod goldilocks;
mod goodlock;
mod hb_pair;
mod noise;
mod reads_from;
mod sites;
mod sync;
mod sync_pairs;

use super::Metric;
use selvedge_model::{MetricName, Weights};

/// Whether threads and variables are parts of the requirements: the metrics with a star.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Star {
    With,
    Without,
}

/// The metric of that name.
pub fn metric(name: MetricName, weights: Weights) -> Box<dyn Metric> {
    match name {
        MetricName::SyncPairs => Box::new(sync_pairs::SyncPairs::default()),
        MetricName::Avio => Box::new(avio::Avio::new(Star::Without)),
        MetricName::AvioStar => Box::new(avio::Avio::new(Star::With)),
        MetricName::HbPair => Box::new(hb_pair::HbPair::new(Star::Without)),
        MetricName::HbPairStar => Box::new(hb_pair::HbPair::new(Star::With)),
        MetricName::DuPairs => Box::new(du_pairs::DuPairs::new(Star::Without)),
        MetricName::DuPairsStar => Box::new(du_pairs::DuPairs::new(Star::With)),
        MetricName::ReadsFrom => Box::new(reads_from::ReadsFrom::default()),
        MetricName::Eraser => Box::new(eraser::Eraser::new(Star::Without)),
        MetricName::EraserStar => Box::new(eraser::Eraser::new(Star::With)),
        MetricName::GoldiLock => Box::new(goldilocks::GoldiLock::new(Star::Without)),
        MetricName::GoldiLockStar => Box::new(goldilocks::GoldiLock::new(Star::With)),
        MetricName::GoldiLockSc => Box::new(goldilocks::GoldiLockSc::new(weights)),
        MetricName::GoodLock => Box::new(goodlock::GoodLock::new(Star::Without)),
        MetricName::GoodLockStar => Box::new(goodlock::GoodLock::new(Star::With)),
        MetricName::ConcurPairs => Box::new(concur_pairs::ConcurPairs::default()),
        MetricName::Sync => Box::new(sync::Sync::default()),
        MetricName::ConcurrentSites => Box::new(concurrent_sites::ConcurrentSites),
        MetricName::NoisePairs => Box::new(noise::Noise::default()),
        MetricName::Sites => Box::new(sites::SitesReached),
        other => unreachable!("{other} has no metric"),
    }
}
