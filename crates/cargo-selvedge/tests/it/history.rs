//! What has changed from campaign to campaign.

use crate::support::{Project, sources};
use std::process::Command;

/// Commits all that is there, and says what the commit is called.
fn commit(project: &Project, message: &str) -> String {
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]);
        let output = git.args(arguments).current_dir(&project.folder).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    git(&["add", "Cargo.toml", "src"]);
    git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    git(&["rev-parse", "HEAD"])[..8].to_owned()
}

#[test]
fn a_finding_that_was_fixed_is_gone_and_what_is_covered_no_longer_is_named() {
    let project = Project::new("history", &[("src/lib.rs", sources::RACY)]);
    project.write("src/extra.rs", sources::BUSY);
    project.write("src/lib.rs", &format!("mod extra;\n{}", sources::RACY));
    let first = commit(&project, "first");
    let metrics = ["test", "--set", "metrics=sp"];
    project.run(metrics).left_with(1);
    let id = project.only_finding();
    // The counter is fixed; the other test does less, some lines further down.
    let fixed = sources::RACY
        .replace(
            "let old = self.0.load(Ordering::SeqCst);",
            "self.0.fetch_add(1, Ordering::SeqCst);",
        )
        .replace("self.0.store(old + 1, Ordering::SeqCst);", "");
    project.write("src/lib.rs", &format!("mod extra;\n{fixed}"));
    let less = sources::BUSY.replace("*to.lock().unwrap() += 1;", "");
    let less = less.replace("assert_eq!(sum, 300)", "assert_eq!(sum, 294)");
    project.write("src/extra.rs", &format!("//! Less.\n//! And further down.\n{less}"));
    let second = commit(&project, "second");
    project.run(metrics).left_with(0);
    let history = project.run(["history", "--list"]);
    history.left_with(0);
    let has = |words: &[&str]| {
        let mut lines = history.stdout.lines();
        assert!(
            lines.any(|line| words.iter().all(|word| line.contains(word))),
            "{words:?}: {history}"
        );
    };
    has(&["gone", &id, "two_threads_count_to_two"]);
    has(&[&format!("found last at {first}, not at {second}")]);
    has(&["extra::transfers, sp: 3 of", &first, &second]);
    // That the first lock is taken again and again is still so, two lines further down.
    let lost: Vec<_> =
        history.stdout.lines().filter(|line| line.contains("src/extra.rs:5")).collect();
    assert_eq!(lost.len(), 3, "{history}");
    let one = project.run(["history", "one_thread"]);
    assert!(!one.stdout.contains(&id), "{one}");
}

#[test]
fn without_a_record_there_is_no_history() {
    let project = Project::new("history-none", &[("src/lib.rs", sources::RACY)]);
    project.run(["history"]).left_with(2).says(&["no campaigns have been recorded"]);
}
