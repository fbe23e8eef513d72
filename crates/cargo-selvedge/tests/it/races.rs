//! Data races of plain memory.

use crate::support::Project;
use std::collections::BTreeMap;

const LIBRARY: &str = include_str!("../../../../fixtures/races/src/lib.rs");
const ORDERED: &str = include_str!("../../../../fixtures/races/tests/ordered.rs");
const RACY: &str = include_str!("../../../../fixtures/races/tests/racy.rs");

fn project(name: &str) -> Project {
    let files = [
        ("Cargo.toml", include_str!("../../../../fixtures/races/Cargo.toml")),
        ("src/lib.rs", LIBRARY),
        ("tests/ordered.rs", ORDERED),
        ("tests/racy.rs", RACY),
    ];
    Project::new(name, &files)
}

/// The kind of what was found in each test, by binary and test.
fn found(project: &Project) -> BTreeMap<(String, String), Option<String>> {
    let file = project.folder.join("out.json");
    let json = ["test", "--json", file.to_str().unwrap()];
    let ran = project.run(json);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{error}\n{ran}"));
    let lines = text.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        let kind = line["finding"]["kind"].as_object().map(|kind| kind.keys().next().unwrap());
        ((text("binary"), text("test")), kind.cloned())
    });
    lines.collect()
}

/// The tests of a file, by name.
fn tests(source: &str) -> Vec<&str> {
    let functions = source.split("#[test]\nfn ").skip(1);
    functions.map(|text| text.split('(').next().unwrap()).collect()
}

#[test]
fn accesses_race_exactly_if_nothing_orders_them() {
    let found = found(&project("races"));
    let kind = |binary: &str, test: &str| &found[&(format!("races::test/{binary}"), test.into())];
    assert!(tests(ORDERED).len() >= 30 && tests(RACY).len() >= 30);
    for test in tests(ORDERED) {
        assert_eq!(*kind("ordered", test), None, "{test}");
    }
    for test in tests(RACY) {
        assert_eq!(kind("racy", test).as_deref(), Some("DataRace"), "{test}");
    }
}

#[test]
fn a_race_is_explained_by_both_accesses_and_comes_again() {
    let project = project("races-again");
    let ran = project.run(["test", "a_byte_of_a_word"]);
    ran.left_with(1).says(&[
        "data race: thread 1 writes 1 byte that thread 0 (the test) reads, in no order",
        "in races::Bare<T>::get at src/lib.rs",
        "in racy::a_byte_of_a_word",
        "8 bytes allocated by thread 0 (the test)",
    ]);
    let id = project.only_finding();
    let again = project.run(["replay", &id, "--times", "10"]);
    again.left_with(1).says(&["10 of 10 executions failed in this way"]);
}

#[test]
fn a_race_that_is_allowed_is_no_finding_and_others_still_are() {
    let project = project("races-allowed");
    project.write("selvedge.toml", "[cargo]\nallow-races = [\"racy::two_writers\"]\n");
    project.run(["test", "two_writers"]).left_with(0);
    project.run(["test", "a_reader_and_a_writer"]).left_with(1).says(&["data race"]);
}

#[test]
fn plain_accesses_are_watched_where_there_is_unsafe_code_or_if_asked_for() {
    let project = project("races-off");
    let off = project.run(["test", "two_writers", "--memory=off"]);
    off.left_with(0).says(&["sequential and passed"]);
    let safe = "use std::sync::Mutex;\n#[test] fn passes() { *Mutex::new(0).lock().unwrap() = 1; }";
    let safe = Project::new("races-safe", &[("src/lib.rs", safe)]);
    safe.run(["test"]).left_with(0);
    let builds = safe.folder.join("target/selvedge/build");
    let kit = std::fs::read_dir(builds).unwrap().next().unwrap().unwrap().path();
    assert!(!kit.join("memory-of-root").exists(), "there is no unsafe code");
    safe.run(["test", "--memory"]).left_with(0);
    assert!(kit.join("memory").exists());
}
