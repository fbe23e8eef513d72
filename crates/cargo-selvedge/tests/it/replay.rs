//! Findings, run again.

use crate::support::{Project, sources};

#[test]
fn a_finding_is_reproduced_every_time() {
    let project = Project::new("replay-again", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    let ran = project.run(["replay", &id, "--times", "10"]);
    ran.left_with(1).says(&["10 of 10 executions failed in this way"]);
    assert!(ran.stdout.contains("left: 1"), "{ran}");
    let by_beginning = project.run(["replay", &id[..4]]);
    by_beginning.left_with(1).says(&["1 of 1 executions failed"]);
    let traced = project.run(["replay", &id, "--trace"]);
    let steps = traced.left_with(1).stdout.matches("src/lib.rs:12").count();
    assert!(steps > ran.stdout.matches("src/lib.rs:12").count(), "every step is shown\n{traced}");
    let mut anew = project.command(["test", "--seed", "5"]);
    anew.env("SELVEDGE_STRATEGY", "pct(3)");
    crate::support::Ran::of(anew).left_with(1);
    project.run(["replay", &project.only_finding(), "--times", "10"]).says(&["10 of 10"]);
}

#[test]
fn a_name_that_no_finding_or_more_than_one_has_is_a_mistake_of_the_caller() {
    let twice = sources::RACY
        .replace("fn one_thread_counts_to_one() {", "fn again() { two_threads_count_to_two();");
    let project = Project::new("replay-names", &[("src/lib.rs", &twice)]);
    project.run(["replay", "abc"]).left_with(2).says(&["no findings have been kept"]);
    project.run(["test"]).left_with(1);
    let [one, two] = project.findings().try_into().unwrap();
    let unknown = project.run(["replay", "zzz"]);
    unknown.left_with(2).says(&["there is no finding 'zzz'", &one, &two]);
    let several = project.run(["replay", ""]);
    several.left_with(2).says(&["may be any of", &one, &two]);
}

#[test]
fn a_finding_from_elsewhere_runs_nothing() {
    let project = Project::new("replay-foreign", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    let path = format!("target/selvedge/findings/{id}/finding.json");
    let whole = project.read(&path);
    let ran = project.folder.join("target/ran");
    let script = project.folder.join("target/script");
    project.write("target/script", &format!("#!/bin/sh\ntouch {}\nexec \"$@\"\n", ran.display()));
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let wrapper = format!("build.rustc-wrapper='{}'", script.display());
    let trace = project.folder.join("target/trace").display().to_string();
    for (change, why) in [
        (("\"cargo\": []", format!("\"cargo\": [\"--config\", \"{wrapper}\"]")), "--config"),
        (
            ("\"cargo\": []", format!("\"cargo\": [\"--features\", \"--config={wrapper}\"]")),
            "--features",
        ),
        (("\"settings\": [", format!("\"settings\": [[\"trace\", \"{trace}\"],")), "trace"),
        (("\"target_kind\": \"lib\"", "\"target_kind\": \"test\"".to_owned()), "no test"),
    ] {
        let forged =
            whole.replacen(change.0, &change.1, 1).replace("],]", "]]").replace("],\n  ]", "]]");
        assert_ne!(forged, whole, "{why}: {whole}");
        project.write(&path, &forged);
        let replayed = project.run(["replay", &id]);
        assert_ne!(replayed.code, Some(1), "{replayed}");
        assert!(!ran.exists() && !project.folder.join("target/trace").exists(), "{replayed}");
    }
    project.write(&path, &whole);
    project.run(["replay", &id]).left_with(1);
}

#[test]
fn a_finding_keeps_its_name_when_lines_move() {
    let project = Project::new("replay-names-stay", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    let moved = sources::RACY.replacen("#[test]", "/// A comment.\n\n#[test]", 1);
    let moved = format!("//! About.\n\npub fn unrelated() {{}}\n\n{moved}\npub fn after() {{}}\n");
    project.write("src/lib.rs", &moved);
    project.run(["test"]).left_with(1);
    assert_eq!(project.only_finding(), id);
    project.run(["replay", &id]).left_with(1).is_silent_about("another one now");
}

#[test]
fn a_schedule_can_be_given_and_is_checked() {
    let project = Project::new("replay-schedule", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    let schedule = project.read(&format!("target/selvedge/findings/{id}/schedule.txt"));
    project.run(["replay", &id, "--schedule", schedule.trim()]).left_with(1).says(&["1 of 1"]);
    let undisturbed = project.run(["replay", &id, "--schedule", "selvedge/1"]);
    undisturbed.left_with(0).says(&["the test passes along this schedule"]);
    undisturbed.says(&["0 of 1 executions failed"]);
    let garbage = project.run(["replay", &id, "--schedule", "selvedge/1 nonsense"]);
    garbage.left_with(2).says(&["error", "nonsense"]);
    let other = project.run(["replay", &id, "--schedule", "something"]);
    other.left_with(2).says(&["not how a schedule begins"]);
}

#[test]
fn a_schedule_survives_moved_lines_and_a_misfit_is_said() {
    let project = Project::new("replay-moved", &[("src/lib.rs", sources::RACY)]);
    project.run(["test"]).left_with(1);
    let id = project.only_finding();
    project.write("src/lib.rs", &format!("//! Two lines\n//! more.\n{}", sources::RACY));
    project.run(["replay", &id]).left_with(1).says(&["1 of 1 executions failed"]);
    let repaired = sources::RACY.replace("let old = self.0.load(Ordering::SeqCst);", "");
    let repaired = repaired.replace(
        "self.0.store(old + 1, Ordering::SeqCst);",
        "self.0.fetch_add(1, Ordering::SeqCst);",
    );
    project.write("src/lib.rs", &repaired);
    let ran = project.run(["replay", &id]);
    ran.left_with(0).says(&["the test passes, but decision 1"]);
    project.write("src/lib.rs", &repaired.replace("two_threads_count_to_two", "renamed"));
    let gone = project.run(["replay", &id]);
    gone.left_with(4).says(&["there is no test 'tests::two_threads_count_to_two'", "any more"]);
}

#[test]
fn a_finding_is_built_as_it_was_found() {
    let manifest = "[package]\nname = \"replay-features\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                    [features]\nracy = []\n[workspace]\n";
    let source = sources::RACY.replace(
        "    #[test]\n    fn two",
        "    #[cfg(feature = \"racy\")]\n    #[test]\n    fn two",
    );
    let project =
        Project::new("replay-features", &[("Cargo.toml", manifest), ("src/lib.rs", &source)]);
    project.run(["test"]).left_with(0);
    project.run(["test", "--features", "racy", "--release"]).left_with(1);
    project.run(["replay", &project.only_finding()]).left_with(1).says(&["1 of 1"]);
    project.run(["replay", &project.only_finding(), "--features", "racy"]).left_with(1);
}
