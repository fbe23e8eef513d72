//! Random bytes: others from execution to execution, and the same in a replay.

use crate::support::Project;

/// Two tests believe that what they draw is the same each time. They remember it in a file.
const SOURCE: &str = r#"
use std::fs;
use std::hash::{BuildHasher, RandomState};

fn is_as_before(name: &str, drawn: u64) -> bool {
    let file = format!("{}/{name}.drawn", env!("CARGO_MANIFEST_DIR"));
    match fs::read_to_string(&file) {
        Ok(before) => before == drawn.to_string(),
        Err(_) => fs::write(&file, drawn.to_string()).is_ok(),
    }
}

#[test]
fn hash_maps_have_the_same_seeds() {
    assert!(is_as_before("seed", RandomState::new().hash_one(1u8)));
}

#[test]
fn the_system_gives_the_same_bytes() {
    unsafe extern "C" {
        fn getrandom(buffer: *mut u64, length: usize, flags: u32) -> isize;
    }
    let mut drawn = 0;
    assert_eq!(unsafe { getrandom(&mut drawn, 8, 0) }, 8);
    assert!(is_as_before("bytes", drawn));
}

#[test]
fn nothing_is_drawn() {
    assert!(is_as_before("nothing", 0));
}
"#;

fn project(name: &str) -> Project {
    let project = Project::new(name, &[("src/lib.rs", SOURCE)]);
    for drawn in ["seed", "bytes", "nothing"] {
        // It is there if this test was run before.
        let _ = std::fs::remove_file(project.folder.join(format!("{drawn}.drawn")));
    }
    project
}

#[test]
fn a_test_sees_other_random_bytes_from_execution_to_execution_and_the_same_in_a_replay() {
    let project = project("random-bytes");
    let ran = project.run(["test"]);
    ran.left_with(1).says(&["2 findings", "1 sequential and passed"]);
    ran.says(&["selvedge/1 0:start=random"]);
    ran.says(&["it takes other random bytes than those of the first execution"]);
    for id in project.findings() {
        let again = project.run(["replay", &id, "--times", "10"]);
        again.left_with(1).says(&["10 of 10 executions failed in this way"]);
    }
}

#[test]
fn whoever_asks_for_the_same_random_bytes_gets_them() {
    let project = project("random-same");
    let ran = project.run(["test", "--set", "random_bytes=same"]);
    ran.left_with(0).says(&["3 sequential and passed; 3 executions"]);
}
