//! What a finding is called, and where it is.

use crate::support::{Project, sources};
use std::process::Stdio;

#[test]
fn the_name_of_a_finding_is_the_same_whatever_the_seed_and_the_strategy() {
    let project = Project::new("findings-names", &[("src/lib.rs", sources::RACY)]);
    for arguments in [["--seed", "1"], ["--seed", "77"], ["--strategy", "exhaustive"]] {
        project.run(["test"].iter().chain(&arguments)).left_with(1);
    }
    project.only_finding();
}

#[test]
fn findings_are_listed() {
    let project = Project::new("findings-list", &[("src/lib.rs", sources::RACY)]);
    let ran = project.run(["list"]);
    assert_eq!(ran.left_with(0).stdout, "no findings have been kept\n");
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    let listed = project.run(["list"]);
    assert_eq!(
        listed.left_with(0).stdout,
        format!(
            "{id}  findings-list tests::two_threads_count_to_two\n              \
             panic: assertion `left == right` failed\n"
        )
    );
    let manifest = project.folder.join("Cargo.toml");
    let elsewhere = Project::new("findings-elsewhere", &[]);
    let listed = elsewhere.run(["list", "--manifest-path", manifest.to_str().unwrap()]);
    assert!(listed.stdout.starts_with(&id), "{listed}");
}

#[test]
fn a_reader_who_has_seen_enough_of_a_list_is_no_error() {
    let project = Project::new("findings-list", &[("src/lib.rs", sources::RACY)]);
    let mut command = project.command(["list"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdout(writer);
    let status = command.status().unwrap();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn what_was_found_before_is_still_there_after_a_clean_run() {
    let project = Project::new("findings-kept", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    project.run(["test", "one_thread"]).left_with(0);
    assert_eq!(project.only_finding(), id);
}

#[test]
fn two_commands_at_once_do_not_disturb_each_other() {
    let project = Project::new("findings-twice", &[("src/lib.rs", sources::RACY)]);
    let both = [(); 2].map(|()| {
        let mut command = project.command(["test"]);
        command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
    });
    for mut child in both {
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
    project.run(["replay", &project.only_finding()]).left_with(1);
}

#[test]
fn one_test_may_have_several_findings_over_time() {
    let source = sources::RACY.replace(
        "assert_eq!(counter.get(), 2);",
        "let n = counter.get();\n        assert_eq!(n, 2);",
    );
    let project = Project::new("findings-several", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    project.write("src/lib.rs", &source);
    project.run(["test"]).left_with(1);
    assert_eq!(project.findings().len(), 2, "another line is another problem");
}
