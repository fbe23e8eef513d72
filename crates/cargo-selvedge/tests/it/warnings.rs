//! What looks wrong without having failed.

use crate::support::Project;

/// A thread that reads twice can come to wait behind a writer, though not under control.
const READS_TWICE: &str = "\
use std::sync::RwLock;

#[test]
fn reads_twice() {
    let table = RwLock::new(1);
    std::thread::scope(|scope| {
        scope.spawn(|| *table.write().unwrap() = 2);
        let first = table.read().unwrap();
        let second = table.read().unwrap();
        assert_eq!(*first, *second);
    });
}
";

#[test]
fn warnings_are_told_to_people_and_machines_and_fail_nothing() {
    let project = Project::new("warnings", &[("src/lib.rs", READS_TWICE)]);
    let ran = project.run(["test", "--junit", "junit.xml", "--json", "out.jsonl"]);
    ran.left_with(0)
        .says(&["passed warnings reads_twice: "])
        .says(&["warning: predicted deadlock: a thread that reads twice can come to wait"])
        .says(&["waits to write rwlock 1", "src/lib.rs:7"])
        .says(&["Finished 1 warning, 1 explored and passed; "]);
    let json = project.read("out.jsonl");
    assert!(json.contains(r#""result":"passed""#), "{json}");
    assert!(json.contains(r#""warnings":[{"kind":"deadlock","detector":"deadlock""#), "{json}");
    let junit = project.read("junit.xml");
    assert!(!junit.contains("<failure") && !junit.contains("<error"), "{junit}");
    let ran = project.run(["test", "--set", "detectors=off"]);
    ran.left_with(0).is_silent_about("warning: ");
    let ran = project.run(["test", "--set", "detectors=deadlok"]);
    ran.left_with(2).says(&["'deadlok' will not do", "did you mean 'deadlock'?"]);
}
