//! From suspicions to warnings: what was predicted is tried to be brought about.

use crate::Test;
use crate::clock::wall_clock;
use crate::confirm::confirm;
use crate::replay::Replayer;
use selvedge_engine::{Ending, Watch};
use selvedge_model::{
    Confidence, Config, Finding, FindingKind, Source, Steering, Stopped, Strategy, Treatment, Wait,
    Warning,
};
use selvedge_observe::detect::{Certainty, Suspicion};
use selvedge_strategy::Steer;
use std::sync::Arc;

/// For all predictions of a test together, so many times the time for one may be used.
const TIMES: u32 = 5;

/// What an exploration has come to.
pub(crate) struct SoFar {
    pub(crate) executions: u64,
    pub(crate) stopped: Stopped,
    pub(crate) finding: Option<Finding>,
}

/// How many of the schedules of the test were run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All of them.
    Everything,
    /// Not all, or nobody knows.
    Some,
}

/// What came of the suspicions.
pub(crate) struct Followed {
    /// With the finding that a prediction became, if one did.
    pub(crate) seen: SoFar,
    pub(crate) warnings: Vec<Warning>,
    /// How many steps it took.
    pub(crate) steps: u64,
}

/// Tries to bring about what was predicted, until something is found.
pub(crate) fn follow_up(
    config: &Config,
    test: Test<'_>,
    suspicions: Vec<Suspicion>,
    (mut seen, reach): (SoFar, Reach),
    watch: &Arc<Watch>,
) -> Followed {
    let began = wall_clock();
    let mut warnings = Vec::new();
    let mut steps = 0;
    let mut steerings = Vec::new();
    for Suspicion { mut warning, steering, certainty } in suspicions {
        if let Some(steering) = &steering {
            // It does not come true in any schedule.
            if reach == Reach::Everything {
                continue;
            }
            let mut brought_about = false;
            // Executions that are too long to explore are too long to steer.
            let worthwhile = seen.finding.is_none()
                && !matches!(
                    seen.stopped,
                    Stopped::Long | Stopped::OwnMemory | Stopped::Unfinished | Stopped::Plain
                );
            if worthwhile && began.elapsed() < config.confirm_time * TIMES {
                let tried = bring_about(config, test, steering, watch);
                steps += tried.steps;
                seen.executions += tried.executions;
                if tried.executions > 0 {
                    warning.treatment = Treatment::Unconfirmed { executions: tried.executions };
                }
                if let Some(found) = tried.finding {
                    let execution = seen.executions;
                    seen.finding = Some(Finding { execution, strategy: tried.strategy, ..found });
                    seen.stopped = Stopped::Found;
                    brought_about = true;
                }
            }
            if let Some(found) = &seen.finding
                && (comes_true(steering, &found.kind)
                    || (brought_about && follows_from(steering, &found.kind)))
            {
                warning.treatment = Treatment::Confirmed { schedule: found.schedule.clone() };
            }
        }
        let confirmed = matches!(warning.treatment, Treatment::Confirmed { .. });
        if certainty == Certainty::Told || confirmed {
            warnings.push(warning);
            steerings.push(steering);
        }
    }
    // What was tried in vain may have come true when something else was tried.
    if let Some(found) = &seen.finding {
        for (warning, steering) in warnings.iter_mut().zip(&steerings) {
            let is_it = steering.as_ref().is_some_and(|steering| comes_true(steering, &found.kind))
                || warning.is_shown_by(&found.kind);
            if is_it && warning.confidence == Confidence::Predicted {
                warning.treatment = Treatment::Confirmed { schedule: found.schedule.clone() };
            }
        }
    }
    Followed { seen, warnings, steps }
}

/// What came of trying to bring a prediction about.
struct Tried {
    executions: u64,
    steps: u64,
    finding: Option<Finding>,
    strategy: String,
}

fn bring_about(config: &Config, test: Test<'_>, steering: &Steering, watch: &Arc<Watch>) -> Tried {
    let began = wall_clock();
    let mut replayer = Replayer::new(config, watch);
    let mut strategy = Steer::new(config.seed, steering);
    let mut executions = 0;
    let mut finding = None;
    while executions < config.confirm && began.elapsed() < config.confirm_time {
        strategy.begin();
        let outcome = replayer.run_by(&mut strategy, test);
        executions += 1;
        if matches!(
            outcome.ending(),
            Ending::Shared { .. } | Ending::GivenUp | Ending::NeedsProcess
        ) {
            break;
        }
        if let Some(kind) = outcome.finding() {
            finding = Some(confirm(config, test, &outcome, kind, watch));
            break;
        }
    }
    Tried { executions, steps: replayer.steps(), finding, strategy: strategy.name() }
}

/// Whether the finding is what was predicted: threads wait wherever they were to be held back.
fn comes_true(steering: &Steering, found: &FindingKind) -> bool {
    let waits: &[Wait] = match found {
        FindingKind::Deadlock { cycle } => cycle,
        FindingKind::Stuck { waits, .. } | FindingKind::LeakedThreads { waits } => waits,
        _ => &[],
    };
    let waited = |at: &Source| waits.iter().any(|wait| wait.at == *at);
    !steering.hold.is_empty() && steering.hold.iter().all(|stop| waited(&stop.at))
}

/// Whether a panic is what comes of an order that was brought about: unlike for waits, its place says
/// nothing about the cause.
fn follows_from(steering: &Steering, found: &FindingKind) -> bool {
    !steering.until.is_empty() && matches!(found, FindingKind::Panic(_))
}
