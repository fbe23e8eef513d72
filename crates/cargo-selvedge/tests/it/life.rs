//! The life of a finding: found, pinned, tried first, fixed, back again, accepted, forgotten.

use crate::support::{Project, sources};

/// [`sources::RACY`] without its race.
fn mended() -> String {
    let two = "let old = self.0.load(Ordering::SeqCst);\n        self.0.store(old + 1, Ordering::SeqCst);";
    let mended = sources::RACY.replace(two, "self.0.fetch_add(1, Ordering::SeqCst);");
    assert_ne!(mended, sources::RACY);
    mended
}

/// What `cargo selvedge list` prints has all of these words.
fn prints(project: &Project, words: &[&str]) {
    let listed = project.run(["list"]);
    listed.left_with(0);
    words.iter().for_each(|word| assert!(listed.stdout.contains(word), "no '{word}'\n{listed}"));
}

#[test]
fn a_finding_lives_from_being_found_to_being_forgotten() {
    let project = Project::new("life", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    // What was found before is tried first: one execution shows it again.
    let again = project.run(["test", "two_threads"]);
    again.left_with(1).says(&[&format!("[{id}]")]).says(&["1 execution in"]);
    again.says(&["1 finding of earlier runs tried first, 1 failed again"]);
    // It is committed.
    let file = format!("selvedge-regressions/{id}.toml");
    project.run(["pin", &id[..6]]).left_with(0).says(&["Pinned", &file]);
    assert!(project.read(&file).contains("schedule = \"selvedge/1 "), "{}", project.read(&file));
    prints(&project, &[&id, "pinned: every run tries it first"]);
    // On another machine there is nothing in the target folder.
    std::fs::remove_dir_all(project.folder.join("target/selvedge/findings")).unwrap();
    project.run(["test", "two_threads"]).left_with(1).says(&["1 failed again"]);
    assert_eq!(project.only_finding(), id);
    // It is fixed.
    project.write("src/lib.rs", &mended());
    let fixed = project.run(["test", "two_threads"]);
    fixed.left_with(0).says(&["1 finding of earlier runs tried first, 0 failed again"]);
    prints(&project, &[&id, "pinned: every run tries it first", "fixed: its schedule"]);
    // It comes back, and is no longer marked.
    project.write("src/lib.rs", sources::RACY);
    project.run(["test", "two_threads"]).left_with(1).says(&["1 failed again"]);
    let listed = project.run(["list"]);
    assert!(!listed.stdout.contains("fixed:"), "{listed}");
    // It is forgotten.
    project.run(["forget", &id]).left_with(0).says(&["Forgotten", &file]);
    assert!(!project.folder.join(&file).exists());
    prints(&project, &["no findings have been kept"]);
    project.run(["forget", &id]).left_with(2).says(&["there is no finding"]);
}

#[test]
fn what_does_not_show_any_more_is_told_once_and_can_be_forgotten() {
    let project = Project::new("life-fixed", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    project.write("src/lib.rs", &mended());
    let first = project.run(["test"]);
    first.left_with(0).says(&["fixed", &format!("[{id}] does not show any more")]);
    let second = project.run(["test"]);
    second.left_with(0);
    assert!(!second.stderr.contains("does not show any more"), "{second}");
    project.run(["forget", "--fixed"]).left_with(0).says(&[&format!("[{id}]")]);
    prints(&project, &["no findings have been kept"]);
}

#[test]
fn an_accepted_finding_is_told_and_is_no_reason_to_fail() {
    let project = Project::new("life-accepted", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    project.run(["accept", &id, "--because", "a counter for logs"]).left_with(0);
    let json = "target/out.json";
    let accepted = project.run(["test", "--json", json, "--junit", "target/junit.xml"]);
    accepted.left_with(0).says(&["accepted: a counter for logs"]).says(&["1 accepted finding"]);
    assert!(project.read(json).contains("\"accepted\":\"a counter for logs\""));
    assert!(project.read("target/junit.xml").contains("<skipped message=\"a counter for logs\""));
    // Another problem of the same test is another finding.
    let other =
        sources::RACY.replace("assert_eq!(counter.get(), 2);", "panic!(\"something else\");");
    assert_ne!(other, sources::RACY);
    project.write("src/lib.rs", &other);
    project.run(["test"]).left_with(1);
}

#[test]
fn without_earlier_findings_a_test_is_explored_anew() {
    let project = Project::new("life-fresh", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let fresh = project.run(["test", "--fresh"]);
    fresh.left_with(1);
    assert!(!fresh.stderr.contains("tried first"), "{fresh}");
}

#[test]
fn a_damaged_regression_is_named() {
    let project = Project::new("life-damaged", &[("src/lib.rs", sources::RACY)]);
    project.write("selvedge-regressions/abc.toml", "schedule = 1\n");
    let ran = project.run(["test"]);
    ran.left_with(2).says(&["selvedge-regressions/abc.toml: it is no regression"]);
    std::fs::remove_dir_all(project.folder.join("selvedge-regressions")).unwrap();
}
