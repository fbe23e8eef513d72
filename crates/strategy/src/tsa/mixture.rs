//! Which way an execution is decided: what has paid off of late comes more often.

use crate::Rng;

/// The ways there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Algorithm 1.
    Rules,
    /// An attempt at one requirement.
    Aim,
    /// An attempt on the way of an earlier execution.
    AimAgain,
    /// A random walk.
    Walk,
    /// A random walk after the beginning of an earlier execution.
    WalkOn,
}

const KINDS: [Kind; 5] = [Kind::Rules, Kind::Aim, Kind::AimAgain, Kind::Walk, Kind::WalkOn];

/// What each way has gained of late.
#[derive(Debug)]
pub(crate) struct Mixture {
    gains: [f64; KINDS.len()],
}

/// What is expected of each way before it has been tried: the rules gain many at first, and what
/// follows an earlier execution sees much of it again.
const HOPES: [f64; KINDS.len()] = [50.0, 50.0, 1.5, 1.0, 1.0];
/// How much the last execution counts.
const FADE: f64 = 0.3;
/// One execution in so many is decided in any way, whatever it gains.
const ANY_ONE_IN: u64 = 8;

impl Mixture {
    pub(crate) fn new() -> Self {
        Self { gains: HOPES }
    }

    /// The way of the next execution.
    pub(crate) fn next(&self, rng: &mut Rng) -> Kind {
        if rng.chance(1, ANY_ONE_IN) {
            return KINDS[rng.below(KINDS.len() as u64) as usize];
        }
        let best = self.gains.iter().copied().fold(0.0, f64::max);
        let best: Vec<Kind> =
            KINDS.into_iter().filter(|&kind| self.gains[kind as usize] >= best).collect();
        best[rng.below(best.len() as u64) as usize]
    }

    /// So many requirements were covered for the first time in an execution.
    pub(crate) fn gained(&mut self, kind: Kind, requirements: u64) {
        let gain = &mut self.gains[kind as usize];
        *gain += FADE * (requirements as f64 - *gain);
    }
}
