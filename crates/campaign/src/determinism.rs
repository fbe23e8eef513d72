//! The determinism check: the same schedule must give the same execution.

use crate::replay::{self, replay};
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
    let schedule = outcome.schedule();
    let mut engine = replay::engine(config, watch);
    let second = replay(&mut engine, &schedule, test).events;
    let same = first.iter().zip(&second).take_while(|(a, b)| a == b).count();
    if same == first.len() && same == second.len() {
        return None;
    }
    let steps = outcome.steps();
    let nth = |steps: &[Step]| steps.get(same).cloned();
    let mut again = replay::engine(config, watch);
    let mut strategy = selvedge_strategy::Replay::new(schedule);
    selvedge_model::Strategy::begin(&mut strategy);
    let second_steps = again.run(test, &mut strategy, None).steps();
    let kind = FindingKind::Nondeterminism {
        step: same as u64 + 1,
        first: nth(&steps),
        second: nth(&second_steps),
    };
    Some(confirm::describe(outcome, kind))
}
