//! A folder of findings in which somebody has been before.

use crate::support::{Project, sources};
use std::fs;

#[test]
fn what_can_be_read_of_damaged_findings_is_and_new_ones_are_kept() {
    let project = Project::new("corrupt", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    project.write("target/selvedge/findings/00000001/finding.json", "{ garbage");
    project.write("target/selvedge/findings/00000002/finding.json", "{\"format\": 99}");
    fs::create_dir_all(project.folder.join("target/selvedge/findings/00000003")).unwrap();
    project.write("target/selvedge/findings/00000004", "a file");
    let listed = project.run(["list"]);
    listed.left_with(0);
    assert!(listed.stdout.contains(&format!("{id}  corrupt tests::two_threads")), "{listed}");
    for damaged in ["00000001", "00000002", "00000003", "00000004"] {
        assert!(listed.stdout.contains(&format!("{damaged}  can not be read: ")), "{listed}");
    }
    let damaged = project.run(["replay", "00000001"]);
    damaged.left_with(70).says(&["finding.json can not be used", "damaged"]);
    project.run(["replay", &id]).left_with(1);
    // The finding itself, damaged, is found again and replaced.
    let path = format!("target/selvedge/findings/{id}/finding.json");
    project.write(&path, "{");
    project.run(["test"]).left_with(1);
    assert!(project.read(&path).contains("two_threads_count_to_two"));
    // And so it is where a file is in its place, which is put aside.
    fs::remove_dir_all(project.folder.join(format!("target/selvedge/findings/{id}"))).unwrap();
    project.write(&format!("target/selvedge/findings/{id}"), "mine");
    project.run(["test"]).left_with(1).is_silent_about("can not be kept");
    project.run(["replay", &id]).left_with(1);
    assert_eq!(project.read(&format!("target/selvedge/findings/{id}.put-aside")), "mine");
}

#[test]
fn a_finding_that_can_not_be_kept_is_shown_all_the_same() {
    let project = Project::new("corrupt-file", &[("src/lib.rs", sources::RACY)]);
    project.write("target/selvedge/findings", "a file where the folder should be");
    let ran = project.run(["test"]);
    fs::remove_file(project.folder.join("target/selvedge/findings")).unwrap();
    ran.left_with(1).says(&["FOUND", "two_threads_count_to_two"]).says(&["selvedge/1 "]);
    ran.says(&["error: the finding can not be kept"]);
}

#[test]
fn a_target_folder_that_can_not_be_used_is_named() {
    let project = Project::new("corrupt-target", &[("src/lib.rs", sources::RACY)]);
    project.write("occupied", "a file");
    let ran = project.run(["test", "--target-dir", "occupied"]);
    assert!(matches!(ran.code, Some(3 | 70)), "{ran}");
    ran.says(&["occupied"]);
}
