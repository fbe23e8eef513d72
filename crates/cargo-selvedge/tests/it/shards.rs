//! One campaign on several machines.

use crate::support::{Project, sources};
use selvedge_store::{Access, Database, Places};
use std::fs;

/// What is in a record, without what differs from call to call.
fn content(file: &Database) -> Vec<String> {
    let mut content = Vec::new();
    for campaign in file.campaigns().unwrap() {
        for run in file.runs(campaign.id).unwrap() {
            let found = file.found(run.id).unwrap();
            let (shard, name) = (campaign.shard, &run.test.name);
            content.push(format!("{shard:?} {name} {} {:?} {found:?}", run.executions, run.ending));
            for metric in file.measured(run.id, Places::AsSeen).unwrap() {
                let mut covered: Vec<_> =
                    metric.covered.iter().map(|one| format!("{name} {one:?}")).collect();
                covered.sort();
                content.extend(covered);
            }
        }
    }
    content.sort();
    content
}

#[test]
fn tests_are_dealt_out_and_merged_in_any_order_as_often_as_one_likes() {
    let source = format!("pub mod racy;\n{}", sources::BUSY);
    let files = [("src/lib.rs", source.as_str()), ("src/racy.rs", sources::RACY)];
    let project = Project::new("shards", &files);
    let metrics = ["--set", "metrics=sp,hbpair*", "--executions", "200"];
    let mut codes = Vec::new();
    let mut union = Vec::new();
    for shard in ["1/2", "2/2"] {
        let ran = project.run(["run-shard", "--shard", shard].iter().chain(&metrics));
        codes.push(ran.code.unwrap());
        let name = format!("target/selvedge/shard-{}-of-2.sqlite", &shard[..1]);
        union.extend(content(&project.open(&name)));
    }
    codes.sort_unstable();
    assert_eq!(codes, [0, 1], "one of them has the test that fails");
    union.sort();
    let id = project.only_finding();
    let (first, second) =
        ("target/selvedge/shard-1-of-2.sqlite", "target/selvedge/shard-2-of-2.sqlite");
    fs::remove_dir_all(project.folder.join("target/selvedge/findings")).unwrap();
    let ran = project.run(["merge", first, second]);
    ran.left_with(0).says(&["Finished", "1 finding more to replay"]);
    assert_eq!(content(&project.record()), union);
    project.run(["replay", &id]).left_with(1);
    let again = project.run(["merge", second, first, second]);
    again.left_with(0).says(&["Merged", "0 campaigns, 0 tests, 0 findings"]);
    assert_eq!(content(&project.record()), union);
    let other = "target/selvedge/other.sqlite";
    project.run(["merge", "--into", other, second, first]).left_with(0);
    assert_eq!(content(&project.open(other)), union);
    // Shards are one campaign to people.
    let history = project.run(["history"]);
    history.left_with(0);
    let campaigns = history.stdout.lines().skip(1).take_while(|line| !line.is_empty());
    let campaigns: Vec<_> = campaigns.collect();
    assert_eq!(campaigns.len(), 1, "{history}");
    assert!(campaigns[0].contains(" 4 "), "four tests: {history}");
}

#[test]
fn executions_are_dealt_out_if_there_are_too_few_tests() {
    let project = Project::new("shards-executions", &[("src/lib.rs", sources::BUSY)]);
    let mut seeds = Vec::new();
    let mut executions = 0;
    for shard in ["1/3", "2/3", "3/3"] {
        let into = format!("target/selvedge/part-{}.sqlite", &shard[..1]);
        let call = ["run-shard", "--shard", shard, "--into", &into, "--executions", "100"];
        project.run(call.iter().chain(&["transfers"])).left_with(0);
        let file = Database::open(&project.folder.join(&into), Access::Read).unwrap();
        let campaign = &file.campaigns().unwrap()[0];
        assert_eq!(campaign.shard.unwrap().to_string(), shard);
        let [run] = file.runs(campaign.id).unwrap().try_into().unwrap();
        executions += run.executions;
        seeds.extend(file.slices(run.id).unwrap().iter().map(|slice| slice.seed));
    }
    assert_eq!(executions, 100);
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 3);
    let all = ["--split", "executions", "--strategy", "exhaustive"];
    let ran = project.run(["run-shard", "--shard", "1/1"].iter().chain(&all));
    ran.left_with(2).says(&["error", "'exhaustive'", "can not be split"]);
}

const SEVERAL: [(&str, &str); 4] = [
    ("src/lib.rs", "#[test] fn works() {} #[test] fn a() {} #[test] fn b() {}"),
    ("tests/one.rs", "#[test] fn works() {} #[test] fn c() {} #[test] fn d() {}"),
    ("tests/two.rs", "#[test] fn works() {} #[test] fn e() {} #[test] fn f() {}"),
    ("src/main.rs", "fn main() {} #[test] fn works() {} #[test] fn g() {}"),
];

#[test]
fn every_test_of_several_binaries_is_run_once_and_missing_shards_are_told() {
    let project = Project::new("shards-several", &SEVERAL);
    for shard in ["1/3", "2/3", "3/3", "2/3"] {
        project.run(["run-shard", "--shard", shard]).left_with(0);
    }
    let file = |index: u32| format!("target/selvedge/shard-{index}-of-3.sqlite");
    let some = project.run(["merge", &file(3), &file(1)]);
    some.left_with(5).says(&["of 3 shards", "2 missing"]);
    // One in the middle is damaged: the others are merged nevertheless.
    project.write("damaged", &"x".repeat(5000));
    let all = project.run(["merge", &file(1), "damaged", &file(2)]);
    all.left_with(5).says(&["error", "damaged"]).is_silent_about("missing");
    project.run(["merge", &file(2)]).left_with(0);
    let record = project.record();
    let campaigns = record.campaigns().unwrap();
    assert_eq!(campaigns.len(), 3, "the shard that was run twice counts once");
    let runs = campaigns.iter().flat_map(|campaign| record.runs(campaign.id).unwrap());
    let mut tests: Vec<_> = runs
        .map(|run| format!("{} {} {}", run.test.kind, run.test.target, run.test.name))
        .collect();
    tests.sort();
    let all = tests.len();
    tests.dedup();
    assert_eq!((tests.len(), all), (11, 11), "{tests:?}");
    // Nothing is left of the files that shards have written to.
    let left = fs::read_dir(project.folder.join("target/selvedge/shards")).unwrap().count();
    assert_eq!(left, 0);
}

#[test]
fn what_is_no_record_is_not_merged() {
    let project = Project::new("shards-noise", &[("src/lib.rs", sources::RACY)]);
    project.write("noise", &"no database ".repeat(99));
    project.run(["merge", "noise"]).left_with(5).says(&["error", "noise", "no database"]);
    project.run(["merge", "nothing"]).left_with(2).says(&["error", "there is no file nothing"]);
    project.run(["run-shard", "--shard", "3/2"]).left_with(2).says(&["i/n with i from 1 to n"]);
}
