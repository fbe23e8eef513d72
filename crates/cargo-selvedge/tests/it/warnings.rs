//! What looks wrong without having failed.

use crate::support::Project;

/// Two threads take two locks in opposite orders, but never at the same time: data behind one of the
/// locks sees to that, which a detector does not know.
const IN_TURN: &str = "\
use std::sync::Mutex;

#[test]
fn in_turn() {
    let (done, other) = (Mutex::new(false), Mutex::new(()));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut done = done.lock().unwrap();
            drop(other.lock().unwrap());
            *done = true;
        });
        while !*done.lock().unwrap() {
            std::thread::yield_now();
        }
        let _other = other.lock().unwrap();
        let _done = done.lock().unwrap();
    });
}
";

#[test]
fn warnings_are_told_to_people_and_machines_and_fail_nothing() {
    let project = Project::new("warnings", &[("src/lib.rs", IN_TURN)]);
    let ran = project.run(["test", "--junit", "junit.xml", "--json", "out.jsonl"]);
    ran.left_with(0)
        .says(&["passed warnings in_turn: "])
        .says(&["warning: predicted deadlock: "])
        .says(&["waits for mutex ", "src/lib.rs:9"])
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
