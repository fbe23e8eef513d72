//! Data races of plain memory.

use crate::support::Project;
use std::collections::BTreeMap;

const LIBRARY: &str = include_str!("../../../../fixtures/races/src/lib.rs");
const ORDERED: &str = include_str!("../../../../fixtures/races/tests/ordered.rs");
const RACY: &str = include_str!("../../../../fixtures/races/tests/racy.rs");
const SYSTEM: &str = include_str!("../../../../fixtures/races/tests/system.rs");
const KERNEL: &str = include_str!("../../../../fixtures/races/tests/kernel.rs");
const C_LIBRARY: &str = include_str!("../../../../fixtures/races/tests/c_library.rs");
const STD: &str = include_str!("../../../../fixtures/races/tests/library.rs");
const RACY_SYSTEM: &str = include_str!("../../../../fixtures/races/tests/racy_system.rs");
const SEQUENCE_LOCK: &str = include_str!("../../../../fixtures/races/tests/sequence_lock.rs");
const ENDED: &str = include_str!("../../../../fixtures/races/tests/ended.rs");

fn project(name: &str) -> Project {
    let manifest = include_str!("../../../../fixtures/races/Cargo.toml");
    let files = [("Cargo.toml", manifest), ("src/lib.rs", LIBRARY), ("tests/racy.rs", RACY)];
    let project = Project::new(name, &files);
    let _ = std::fs::remove_file(project.folder.join("selvedge.toml"));
    project
}

/// The kind of what was found in each test, by binary and test.
fn found(project: &Project) -> BTreeMap<(String, String), Option<String>> {
    let file = project.folder.join("out.json");
    let json = ["test", "--memory", "--json", file.to_str().unwrap()];
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
    let project = project("races");
    project.write("tests/ordered.rs", ORDERED);
    project.write("tests/system.rs", SYSTEM);
    project.write("tests/kernel.rs", KERNEL);
    project.write("tests/c_library.rs", C_LIBRARY);
    project.write("tests/library.rs", STD);
    project.write("tests/racy_system.rs", RACY_SYSTEM);
    project.write("tests/sequence_lock.rs", SEQUENCE_LOCK);
    project.write("tests/ended.rs", ENDED);
    let found = found(&project);
    let kind = |binary: &str, test: &str| &found[&(format!("races::test/{binary}"), test.into())];
    let expected = [
        ("ordered", ORDERED, None),
        ("system", SYSTEM, None),
        ("kernel", KERNEL, None),
        ("c_library", C_LIBRARY, None),
        ("library", STD, None),
        ("sequence_lock", SEQUENCE_LOCK, None),
        ("racy", RACY, Some("DataRace")),
        ("racy_system", RACY_SYSTEM, Some("DataRace")),
        ("ended", ENDED, Some("UseAfterFree")),
    ];
    for (binary, source, verdict) in expected {
        assert!(tests(source).len() >= 2);
        for test in tests(source) {
            assert_eq!(kind(binary, test).as_deref(), verdict, "{test}");
        }
    }
}

#[test]
fn a_race_is_explained_and_comes_again_and_can_be_left_alone() {
    let project = project("races-of-words");
    let ran = project.run(["test", "a_byte_of_a_word"]);
    ran.left_with(1)
        .says(&["data race: thread 1 writes 1 byte that thread 0 (the test) reads, in no order"])
        .says(&["in races::Bare<T>::get at src/lib.rs:"])
        .says(&["in racy::a_byte_of_a_word::{{closure}} at tests/racy.rs:"])
        .says(&["24 bytes allocated by thread 0 (the test)"])
        .is_silent_about("did not come again")
        .is_silent_about("forked");
    let again = project.run(["replay", &project.only_finding(), "--times", "10"]);
    again.left_with(1).says(&["10 of 10 executions failed in this way"]);
    let freed = project.run(["test", "freed_while_read"]);
    // An access whose callers are not known is told by its address.
    freed.left_with(1).says(&["    frees"]).is_silent_about("called from");
    project.write("selvedge.toml", "[cargo]\nallow-races = [\"races::Bare<T>::set\"]\n");
    project.run(["test", "two_writers"]).left_with(0);
    project.run(["test", "plain_and_atomic"]).left_with(1).says(&["data race"]);
}

#[test]
fn plain_accesses_are_watched_where_there_is_unsafe_code_or_if_asked_for() {
    let racy = "\
struct Bare(std::cell::UnsafeCell<u32>);
unsafe impl Sync for Bare {}
static BARE: Bare = Bare(std::cell::UnsafeCell::new(0));
#[test]
fn writes() {
    let other = std::thread::spawn(|| unsafe { *BARE.0.get() = 1 });
    unsafe { *BARE.0.get() = 2 };
    other.join().unwrap();
}
";
    let racy = Project::new("races-auto", &[("src/lib.rs", racy)]);
    racy.run(["test"]).left_with(1).says(&["data race"]);
    racy.run(["test", "--memory=off"]).left_with(0);
    let safe = "use std::sync::Mutex;\n#[test] fn passes() { *Mutex::new(0).lock().unwrap() = 1; }";
    let safe = Project::new("races-safe", &[("src/lib.rs", safe)]);
    safe.run(["test"]).left_with(0);
    let builds = safe.folder.join("target/selvedge/build");
    let has = |name: &str| {
        let kits = std::fs::read_dir(&builds).unwrap();
        kits.flatten().any(|kit| kit.path().join(name).exists())
    };
    assert!(!has("memory-of-root"), "there is no unsafe code");
    safe.run(["test", "--memory"]).left_with(0);
    assert!(has("memory"));
}
