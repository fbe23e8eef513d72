//! Campaigns are recorded and can be gone on with.

use crate::support::{Project, sources};
use selvedge_model::{CoveredRequirement, Requirement, Stopped};
use selvedge_store::data::{Ending, Run};
use selvedge_store::{Access, Database};
use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;
use std::{fs, thread};

const METRICS: [&str; 4] = ["--set", "metrics=sp,hbpair*,avio*:real", "--set", "saturation=none"];

/// The only run of a test with this name, in the only campaign.
fn run(file: &Database, test: &str) -> Run {
    let [campaign] = file.campaigns().unwrap().try_into().unwrap();
    let runs = file.runs(campaign.id).unwrap();
    runs.into_iter().find(|run| run.test.name.ends_with(test)).unwrap()
}

fn covered(file: &Database, run: &Run) -> BTreeSet<(String, Requirement)> {
    let metrics = file.known(run.id).unwrap().metrics.into_iter();
    let named = metrics.flat_map(|metric| {
        let name = metric.metric;
        let named = move |one: CoveredRequirement| (name.clone(), one.requirement);
        metric.covered.into_iter().map(named)
    });
    named.collect()
}

#[test]
fn every_call_records_its_campaign() {
    let project = Project::new("campaigns-record", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let file = project.record();
    let racy = run(&file, "two_threads_count_to_two");
    assert_eq!(racy.ending, Some(Ending::Stopped(Stopped::Found)));
    let [found] = file.found(racy.id).unwrap().try_into().unwrap();
    assert_eq!((found.id.as_str(), found.kind.as_str()), (&*project.only_finding(), "panic"));
    assert_eq!(found.execution, racy.executions);
    let once = run(&file, "one_thread_counts_to_one");
    assert_eq!(once.ending, Some(Ending::Stopped(Stopped::Sequential)));
    assert_eq!((once.executions, once.threads), (1, 1));
    assert!(file.campaigns().unwrap()[0].ended.is_some());
}

#[test]
fn a_killed_campaign_goes_on_and_nothing_that_was_stored_is_lost() {
    let project = Project::new("campaigns-killed", &[("src/lib.rs", sources::BUSY)]);
    let all = ["test", "--time", "1000s", "--executions", "1000000000"];
    let mut command = project.command(all.iter().chain(&METRICS));
    command.stderr(Stdio::null()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let path = project.folder.join("target/selvedge/campaigns.sqlite");
    // Until it has told of some executions, and of another slice of them.
    let mut told = BTreeSet::new();
    while told.len() < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it goes on for ever");
        if let Ok(file) = Database::open(&path, Access::Read)
            && let Ok(campaigns) = file.campaigns()
            && let Some(campaign) = campaigns.first()
        {
            let runs = file.runs(campaign.id).unwrap();
            told.extend(runs.iter().map(|run| run.executions).filter(|&executions| executions > 1));
        }
        thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let file = project.record();
    let before = run(&file, "transfers");
    let (known, done) = (covered(&file, &before), before.executions);
    assert_eq!(before.ending, None);
    assert!(!known.is_empty() && done >= *told.last().unwrap());
    drop(file);
    let budget = (done + 500).to_string();
    let ran = project.run(["test", "--resume", "--executions", &budget].iter().chain(&METRICS));
    ran.left_with(0).says(&["Resuming", "executions"]);
    ran.says(&["passed", "transfers", &format!("{budget} executions")]);
    let file = project.record();
    let after = run(&file, "transfers");
    assert_eq!(after.executions, done + 500);
    assert!(covered(&file, &after).is_superset(&known));
    assert_eq!(after.ending, Some(Ending::Stopped(Stopped::Executions)));
    let slices = file.slices(after.id).unwrap();
    assert_eq!(slices.len(), 2);
    assert_ne!(slices[0].seed, slices[1].seed);
    // The curve goes on where it was.
    for metric in file.measured(after.id, selvedge_store::Places::AsSeen).unwrap() {
        assert!(metric.growth.is_sorted_by(|a, b| a.execution < b.execution));
        assert!(metric.growth.is_sorted_by_key(|point| point.covered));
        assert_eq!(metric.growth.last().unwrap().covered, metric.covered.len() as u64);
    }
}

#[test]
fn what_is_done_is_not_run_again_and_findings_are_listed_again() {
    let project = Project::new("campaigns-done", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    let before = run(&project.record(), "two_threads_count_to_two");
    fs::remove_dir_all(project.folder.join("target/selvedge/findings")).unwrap();
    let ran = project.run(["test", "--resume"]);
    ran.left_with(1).says(&["FOUND", &id, "panic"]).says(&["Finished 1 finding", "1 sequential"]);
    assert_eq!(run(&project.record(), "two_threads_count_to_two"), before);
    // It is there again, for whoever wants to replay it.
    project.run(["replay", &id]).left_with(1);
}

#[test]
fn a_test_that_was_built_anew_or_set_otherwise_is_explored_from_the_beginning() {
    let project = Project::new("campaigns-anew", &[("src/lib.rs", sources::BUSY)]);
    project.run(["test", "--executions", "60"]).left_with(0);
    let other = ["test", "--resume", "--executions", "60", "--strategy", "pos"];
    project.run(other).left_with(0).says(&["Note", "no campaign with these settings"]);
    let same = project.run(["test", "--resume", "--executions", "60"]);
    same.left_with(0).says(&["Resuming 2 of 2 tests", "61 executions"]);
    let edited = sources::BUSY.replace("100", "101").replace("300", "303");
    project.write("src/lib.rs", &edited);
    let ran = project.run(["test", "--resume", "--executions", "60"]);
    ran.left_with(0).says(&["Note", "this build to go on with"]);
    assert_eq!(project.record().campaigns().unwrap().len(), 3);
}

#[test]
fn a_record_that_can_not_be_written_is_said_and_the_tests_are_run() {
    let project = Project::new("campaigns-damaged", &[("src/lib.rs", sources::RACY)]);
    let path = "target/selvedge/campaigns.sqlite";
    project.write(path, &"this is no database, and long enough for one ".repeat(40));
    let ran = project.run(["test"]);
    ran.left_with(1).says(&["Note", "not recorded", path, "damaged, or no database"]);
    project.run(["test", "--resume"]).left_with(70).says(&["error", "damaged, or no database"]);
    fs::remove_file(project.folder.join(path)).unwrap();
    project.run(["test"]).left_with(1).is_silent_about("Note");
    // The format stands at this place of the file.
    let mut bytes = fs::read(project.folder.join(path)).unwrap();
    bytes[60..64].copy_from_slice(&[0, 0, 0, 99]);
    fs::write(project.folder.join(path), bytes).unwrap();
    let ran = project.run(["test"]);
    ran.left_with(1).says(&[
        "Note",
        "not recorded",
        path,
        "newer version of Selvedge",
        "format 99",
    ]);
    project.run(["history"]).left_with(70).says(&["error", "newer version of Selvedge"]);
    fs::remove_file(project.folder.join(path)).unwrap();
    fs::create_dir(project.folder.join(path)).unwrap();
    project.run(["test"]).left_with(1).says(&["Note", "not recorded", path]);
    fs::remove_dir(project.folder.join(path)).unwrap();
}

#[test]
fn two_commands_record_in_one_file_at_the_same_time() {
    let project = Project::new("campaigns-two", &[("src/lib.rs", sources::BUSY)]);
    project.run(["test", "--no-run"]).left_with(0);
    let ran = thread::scope(|scope| {
        let both = [0, 1].map(|_| scope.spawn(|| project.run(["test"].iter().chain(&METRICS))));
        both.map(|one| one.join().unwrap())
    });
    for ran in ran {
        ran.left_with(0).is_silent_about("Note");
    }
    let file = project.record();
    let campaigns = file.campaigns().unwrap();
    assert_eq!(campaigns.len(), 2);
    for campaign in campaigns {
        let executions: Vec<_> =
            file.runs(campaign.id).unwrap().iter().map(|run| run.executions).collect();
        assert_eq!(executions, [1, 1000]);
    }
}
