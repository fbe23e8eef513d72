//! The determinism check: the same schedule must give the same execution.

use crate::replay::Replayer;
use crate::{Test, confirm};
use selvedge_engine::{Outcome, Watch};
use selvedge_model::{Config, Finding, FindingKind, Step};
use std::sync::Arc;

/// Runs the schedule of an execution again; a finding if anything happened otherwise.
pub(crate) fn second_run(
    config: &Config,
    test: Test<'_>,
    outcome: &Outcome<'_>,
    watch: &Arc<Watch>,
) -> Option<Finding> {
    let first = outcome.record().events;
    let mut replayer = Replayer::new(config, watch);
    let again = replayer.run(&outcome.schedule(), test).outcome;
    let second = again.record().events;
    let same = first.iter().zip(second).take_while(|(a, b)| a == b).count();
    if same == first.len() && same == second.len() {
        return None;
    }
    let nth = |steps: Vec<Step>| steps.into_iter().nth(same);
    let kind = FindingKind::Nondeterminism {
        step: same as u64 + 1,
        first: nth(outcome.steps()),
        second: nth(again.steps()),
    };
    Some(confirm::describe(outcome, kind))
}
