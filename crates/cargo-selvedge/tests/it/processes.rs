//! Several processes explore one test.

use crate::support::{Project, sources};
use selvedge_store::Places;
use std::collections::BTreeSet;

#[test]
fn they_share_the_budget_and_cover_what_one_covers() {
    let project = Project::new("processes", &[("src/lib.rs", sources::BUSY)]);
    let saturation = ["--set", "saturation=none"];
    let metrics =
        ["--set", "metrics=sp,sites", "--executions", "1501"].into_iter().chain(saturation);
    let metrics: Vec<&str> = metrics.collect();
    let covered = |campaign: usize| -> BTreeSet<String> {
        let file = project.record();
        let campaign = file.campaigns().unwrap()[campaign].id;
        let [once, explored] = file.runs(campaign).unwrap().try_into().unwrap();
        assert_eq!((once.executions, explored.executions), (1, 1501));
        let measured = file.measured(explored.id, Places::AsSeen).unwrap();
        let all = measured.iter().flat_map(|metric| {
            assert_eq!(metric.growth.last().unwrap().covered, metric.covered.len() as u64);
            assert!(metric.growth.is_sorted_by(|a, b| a.execution < b.execution));
            assert!(metric.covered.iter().all(|one| one.first <= 1501));
            metric.covered.iter().map(|one| one.requirement.to_string())
        });
        all.collect()
    };
    project.run(["test"].iter().chain(&metrics)).left_with(0);
    let ran = project.run(["test", "--processes", "3"].iter().chain(&metrics));
    ran.left_with(0).says(&["passed", "transfers", "1501 executions"]);
    assert_eq!(covered(0), covered(1));
    let file = project.record();
    let campaign = file.campaigns().unwrap()[1].id;
    let run = &file.runs(campaign).unwrap()[1];
    let slices = file.slices(run.id).unwrap();
    // Two executions show that there is something to explore.
    let mut executions: Vec<_> = slices.iter().map(|slice| slice.executions).collect();
    executions.sort_unstable();
    assert_eq!(executions, [2, 499, 500, 500]);
    let seeds: BTreeSet<_> = slices.iter().map(|slice| slice.seed).collect();
    assert_eq!(seeds.len(), 4);
}

#[test]
fn what_one_of_them_finds_is_the_finding_of_the_test() {
    let project = Project::new("processes-found", &[("src/lib.rs", sources::RACY)]);
    project.run(["test", "--processes", "2"]).left_with(1).says(&["FOUND", "two_threads"]);
    project.run(["replay", &project.only_finding()]).left_with(1);
}

#[test]
fn a_search_of_all_schedules_is_not_split() {
    let project = Project::new("processes-all", &[("src/lib.rs", sources::BUSY)]);
    let ran = project.run(["test", "--processes", "2", "--strategy", "exhaustive"]);
    ran.left_with(2).says(&["error", "'exhaustive'", "can not be split"]);
}
