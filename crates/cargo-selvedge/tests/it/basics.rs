//! What the first minutes with the command are like.

use crate::support::{Project, sources};
use std::process::Command;

#[test]
fn a_racy_test_is_found_explained_and_kept() {
    let project = Project::new("basics-racy", &[("src/lib.rs", sources::RACY)]);
    let ran = project.run(["test"]);
    ran.left_with(1);
    let id = project.only_finding();
    ran.says(&["FOUND", "basics-racy tests::two_threads_count_to_two", &id, "panic: assertion"]);
    ran.says(&["store 1", "self.0.store(old + 1, Ordering::SeqCst);"]);
    ran.says(&[&format!("cargo selvedge replay {id}")]);
    ran.says(&["Finished 1 finding, 1 sequential and passed"]);
    let folder = format!("target/selvedge/findings/{id}");
    assert!(project.read(&format!("{folder}/schedule.txt")).starts_with("selvedge/1 "));
    assert!(project.read(&format!("{folder}/explanation.txt")).contains("left: 1"));
    let finding = project.read(&format!("{folder}/finding.json"));
    assert!(finding.contains("\"test\": \"tests::two_threads_count_to_two\""), "{finding}");
}

#[test]
fn tests_without_threads_are_run_once_and_that_is_said() {
    let source = "#[test] fn one() {}\n#[test] fn two() { let n: u8 = 2; assert_eq!(n, 2); }\n";
    let project = Project::new("basics-sequential", &[("src/lib.rs", source)]);
    let ran = project.run(["test"]);
    ran.left_with(0).says(&["Finished", "2 sequential and passed", "2 executions"]);
    ran.says(&["no concurrency was exercised"]);
}

#[test]
fn no_tests_are_nothing_to_run() {
    let project = Project::new("basics-empty", &[("src/lib.rs", "pub fn nothing() {}\n")]);
    project.run(["test"]).left_with(4).says(&["error: there are no tests"]);
}

#[test]
fn no_manifest_is_a_mistake_of_the_caller() {
    let project = Project::new("basics-nowhere", &[]);
    let mut command = project.command(["test"]);
    // No folder above this one has a manifest.
    command.current_dir("/");
    crate::support::Ran::of(command).left_with(2).says(&["error: could not find `Cargo.toml`"]);
}

#[test]
fn arguments_that_do_not_exist_are_a_mistake_of_the_caller() {
    let project = Project::new("basics-arguments", &[("src/lib.rs", "#[test] fn one() {}\n")]);
    project.run(["test", "--exekutions", "3"]).left_with(2).says(&["--exekutions"]);
    project.run(["test", "--jobs", "0"]).left_with(2).says(&["--jobs"]);
    let ran = project.run(["test", "--", "--exakt"]);
    ran.left_with(2).says(&["unknown argument '--exakt'; did you mean '--exact'?"]);
    project.run(["tset"]).left_with(2).says(&["tset"]);
    project.run([""; 0]).left_with(2);
}

#[test]
fn help_teaches() {
    let project = Project::new("basics-arguments", &[]);
    let ran = project.run(["test", "--help"]);
    ran.left_with(0);
    for word in ["target/selvedge/findings", "cargo selvedge replay", "max_steps", "exclude ="] {
        assert!(ran.stdout.contains(word), "{word}\n{ran}");
    }
    let ran = project.run(["--help"]);
    assert!(ran.stdout.contains("130 interrupted"), "{ran}");
}

#[test]
fn cargo_knows_the_command_and_its_help() {
    let project = Project::new("basics-arguments", &[]);
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_cargo-selvedge")).parent().unwrap();
    let mut command = Command::new(std::env::var_os("CARGO").unwrap());
    let path = std::env::var("PATH").unwrap();
    command.args(["help", "selvedge"]).env("PATH", format!("{}:{path}", folder.display()));
    command.current_dir(&project.folder);
    let ran = crate::support::Ran::of(command);
    ran.left_with(0);
    assert!(ran.stdout.contains("Finds, explains and reproduces"), "{ran}");
}

#[test]
fn doctor_says_what_is_under_control() {
    let project = Project::new("basics-arguments", &[]);
    let ran = project.run(["doctor"]);
    ran.left_with(0);
    for words in ["mirrors of std: built", "1 of 1 are compiled against the mirrors"] {
        assert!(ran.stdout.contains(words), "{words}\n{ran}");
    }
}
