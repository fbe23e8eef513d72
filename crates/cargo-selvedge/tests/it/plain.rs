//! A test that is too long for control runs once without it.

use crate::support::Project;

/// Both tests compute for ever under control. A process that runs one test plainly has the argument.
const SOURCE: &str = r#"
fn computes_unless_run_plainly() {
    let is_plain = std::env::args().any(|argument| argument == "--include-ignored");
    let mut n = 0_u64;
    while !is_plain { n = std::hint::black_box(n.wrapping_add(1)); }
}

#[test]
fn passes_in_the_end() { computes_unless_run_plainly(); }

#[test]
fn fails_in_the_end() {
    computes_unless_run_plainly();
    panic!("after all that");
}
"#;

#[test]
fn a_test_that_is_too_long_for_control_has_the_verdict_of_a_plain_run() {
    let project = Project::new("plain", &[("src/lib.rs", SOURCE)]);
    let arguments = ["test", "--time", "3s", "--json", "out.jsonl", "--junit", "out.xml"];
    let ran = project.run(arguments.into_iter().chain(["--set", "stall=100ms"]));
    ran.left_with(1);
    ran.says(&["plain passes_in_the_end", "not explored", "one run without control passed"]);
    ran.says(&[
        "plain fails_in_the_end",
        "a run without control failed",
        "cargo test fails_in_the_end",
    ]);
    ran.says(&["1 failed, 1 passed without control (too long to explore)"]);
    let json = project.read("out.jsonl");
    let line = json.lines().find(|line| line.contains("passes_in_the_end")).unwrap();
    assert!(line.contains(r#""result":"plain""#), "{line}");
    let junit = project.read("out.xml");
    let case = junit.split("<testcase").find(|case| case.contains("passes_in_the_end")).unwrap();
    assert!(case.contains("plain") && !case.contains("<skipped"), "{case}");
}
