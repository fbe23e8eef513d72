//! Which part of the work belongs to a shard.

use crate::cli::Split;
use crate::exit::{Exit, Failure};
use crate::run::{Allotment, Plan, strategy};
use selvedge_model::StrategyName;
use selvedge_store::data::{PartOf, Shard};
use selvedge_store::family;

/// How much of each job of a plan is done here; nothing of those that belong to other shards.
pub(crate) fn shares(
    plan: &Plan,
    shard: Option<(Shard, Split)>,
) -> anyhow::Result<Vec<Option<Allotment>>> {
    let all =
        plan.jobs.iter().map(|job| Allotment::of(&plan.binaries[job.binary].settings.explore));
    let Some((Shard { index, count }, split)) = shard else { return Ok(all.map(Some).collect()) };
    let (index, count) = (u64::from(index) - 1, u64::from(count));
    let all: Vec<_> = all.collect();
    if split == Split::Executions || (all.len() as u64) < count {
        check_that_it_can_be_split(plan)?;
        return Ok(all.into_iter().map(|job| Some(job.part(index, count))).collect());
    }
    // The order of a plan is that of cargo and of the test binaries, the same on every machine.
    let own = |(position, job)| (position as u64 % count == index).then_some(job);
    Ok(all.into_iter().enumerate().map(own).collect())
}

/// Several processes can share the executions of a test only if they are drawn at random.
pub(crate) fn check_that_it_can_be_split(plan: &Plan) -> anyhow::Result<()> {
    let settings = plan.binaries.iter().map(|planned| &planned.settings.explore);
    for settings in settings {
        if strategy(settings) == StrategyName::Exhaustive {
            return Err(Failure::with(
                Exit::Usage,
                "the strategy 'exhaustive' runs one schedule after the other; the executions of a \
                 test can not be split among several processes",
            ));
        }
    }
    Ok(())
}

/// What the shards of a campaign have in common: the tests, their settings and how they are dealt
/// out.
pub(crate) fn part_of(plan: &Plan, shard: Shard, split: Split) -> PartOf {
    let mut parts = vec![shard.count.to_string(), format!("{split:?}")];
    for planned in &plan.binaries {
        parts.push(planned.binary.label());
        for (key, value) in &planned.settings.explore {
            parts.extend([key.clone(), value.clone()]);
        }
    }
    parts.extend(plan.jobs.iter().map(|job| format!("{} {}", job.binary, job.info.name)));
    PartOf { shard, family: family(parts.iter().map(String::as_str)) }
}
