//! Pairs of accesses that look like a race, each pair of places told once.

use super::scene::Scene;
use super::uses::Use;
use super::{Certainty, Suspicion};
use rustc_hash::FxHashSet;
use selvedge_model::{Confidence, DetectorName, Spot, Treatment, Trouble, Warning};

/// What a detector says of all of its pairs.
pub(super) struct Saying {
    pub(super) detector: DetectorName,
    pub(super) summary: &'static str,
    pub(super) confidence: Confidence,
}

/// The pairs of an execution.
#[derive(Default)]
pub(super) struct RacePairs {
    seen: FxHashSet<(Spot, Spot)>,
    told: Vec<Suspicion>,
}

impl RacePairs {
    /// A new execution begins.
    pub(super) fn begin(&mut self) {
        self.seen.clear();
        self.told.clear();
    }

    /// Tells of an earlier access and one of now.
    pub(super) fn tell(&mut self, saying: &Saying, earlier: Use, now: Use, scene: &Scene<'_>) {
        if !self.seen.insert((earlier.spot, now.spot)) {
            return;
        }
        let names = scene.names();
        let role = |used: Use| used.role(used.does(), &names);
        self.told.push(Suspicion {
            warning: Warning {
                kind: Trouble::DataRace,
                detector: saying.detector,
                summary: saying.summary.to_owned(),
                witness: vec![role(earlier), role(now)],
                confidence: saying.confidence,
                treatment: Treatment::Untried,
            },
            steering: None,
            certainty: Certainty::Told,
        });
    }

    /// What was told in the execution.
    pub(super) fn take(&mut self) -> Vec<Suspicion> {
        std::mem::take(&mut self.told)
    }
}
