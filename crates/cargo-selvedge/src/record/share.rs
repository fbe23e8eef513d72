//! Which part of the work belongs to a shard.

use super::test_name;
use crate::cli::Split;
use crate::exit::{Exit, Failure};
use crate::run::{Allotment, Job, Plan, strategy};
use selvedge_model::StrategyName;
use selvedge_store::data::{PartOf, Shard, TestName};
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
    let own = |(job, share): (&Job, Allotment)| {
        (dealt(&test_name(plan, job), count) == index).then_some(share)
    };
    Ok(plan.jobs.iter().zip(all).map(own).collect())
}

/// The shard, from 0, that a test belongs to. Made of its name alone, so that it is the same on every
/// machine and in every call, and another test moves no other.
fn dealt(test: &TestName, count: u64) -> u64 {
    let TestName { package, target, kind, name } = test;
    family([package, kind, target, name].map(String::as_str)) as u64 % count
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
    let mut tests: Vec<_> = plan
        .jobs
        .iter()
        .map(|job| {
            let settings = &plan.binaries[job.binary].settings.explore;
            let settings = settings.iter().map(|(key, value)| format!("{key}={value}"));
            (test_name(plan, job), settings.collect::<Vec<_>>())
        })
        .collect();
    tests.sort();
    for (TestName { package, target, kind, name }, settings) in tests {
        parts.extend([package, kind, target, name]);
        parts.extend(settings);
    }
    PartOf { shard, family: family(parts.iter().map(String::as_str)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(target: &str, name: &str) -> TestName {
        TestName {
            package: "queue".to_owned(),
            target: target.to_owned(),
            kind: "test".to_owned(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn every_test_is_dealt_once_and_all_shards_get_some() {
        for count in [2, 7, 16] {
            let mut dealt_to = vec![0; count as usize];
            for number in 0..400 {
                let shard =
                    dealt(&test(&format!("t{}", number % 5), &format!("case_{number}")), count);
                dealt_to[shard as usize] += 1;
            }
            assert_eq!(dealt_to.iter().sum::<u32>(), 400);
            assert!(dealt_to.iter().all(|&tests| tests > 0), "{dealt_to:?}");
        }
    }

    #[test]
    fn tests_of_one_name_in_several_targets_are_different_ones() {
        let shards: std::collections::BTreeSet<_> =
            (0..64).map(|target| dealt(&test(&format!("t{target}"), "works"), 64)).collect();
        assert!(shards.len() > 16, "{shards:?}");
        // This may not change from version to version: shards of one campaign may have several.
        assert_eq!(dealt(&test("t1", "works"), 1000), 323);
    }
}
