//! Which tests are run: filters and the flags of libtest.

use crate::support::{Project, Ran};

const SOURCE: &str = r#"
mod queue {
    #[test]
    fn close() { println!("closed"); }

    #[test]
    fn close_twice() {}

    #[test]
    #[ignore = "slow"]
    fn drain() {}
}

mod stack {
    #[test]
    fn pop() {
        std::thread::scope(|scope| { scope.spawn(|| println!("popped")); scope.spawn(|| ()); });
    }

    #[test]
    #[ignore]
    fn push() {}
}
"#;

fn run(arguments: &[&str]) -> Ran {
    let project = Project::new("selection", &[("src/lib.rs", SOURCE)]);
    project.run(["test"].iter().chain(arguments))
}

#[test]
fn filters_are_parts_of_names() {
    run(&["close"]).left_with(0).says(&["2 sequential and passed, 3 filtered out"]);
    run(&["stack::", "close"])
        .left_with(0)
        .says(&["1 explored and passed, 2 sequential and passed"]);
    run(&["--", "queue::close"]).left_with(0).says(&["2 sequential and passed"]);
}

#[test]
fn exact_filters_are_whole_names() {
    let ran = run(&["--", "--exact", "queue::close"]);
    ran.left_with(0).says(&["1 sequential and passed, 4 filtered out"]);
    run(&["queue::clos", "--", "--exact"]).left_with(4);
}

#[test]
fn skipped_tests_are_not_run() {
    let ran = run(&["--", "--skip", "close", "--skip=stack"]);
    ran.left_with(4).says(&["none of the 5 tests is to be run: 1 ignored, 0 excluded, 4 filtered"]);
    run(&["--", "--skip", "queue"]).left_with(0).says(&["1 explored and passed, 1 ignored"]);
}

#[test]
fn ignored_tests_are_run_when_asked_for() {
    run(&[]).left_with(0).says(&["2 ignored"]);
    run(&["--", "--ignored"]).left_with(0).says(&["2 sequential and passed, 3 filtered out"]);
    let ran = run(&["--", "--include-ignored"]);
    ran.left_with(0).says(&["1 explored and passed, 4 sequential and passed"]);
    ran.is_silent_about("ignored");
}

#[test]
fn a_filter_that_no_test_has_is_nothing_to_run() {
    let ran = run(&["nothing_like_this"]);
    ran.left_with(4).says(&["error: none of the 5 tests has such a name"]);
}

#[test]
fn tests_are_listed_as_libtest_does() {
    let ran = run(&["--", "--list"]);
    ran.left_with(0);
    let names = "queue::close: test\nqueue::close_twice: test\nqueue::drain: test\n\
                 stack::pop: test\nstack::push: test\n";
    assert_eq!(ran.stdout, format!("{names}\n5 tests, 0 benchmarks\n"));
    assert_eq!(run(&["--", "--list", "--format", "terse"]).stdout, names);
    let ignored = run(&["--", "--list", "--ignored", "--format=terse"]);
    assert_eq!(ignored.stdout, "queue::drain: test\nstack::push: test\n");
    assert_eq!(run(&["nothing", "--", "--list"]).left_with(0).stdout, "\n0 tests, 0 benchmarks\n");
}

#[test]
fn what_passing_tests_print_is_shown_once_when_asked_for() {
    assert_eq!(run(&[]).stdout, "");
    for flag in ["--nocapture", "--no-capture", "--show-output"] {
        let ran = run(&["--jobs", "1", "--", flag]);
        assert_eq!(ran.left_with(0).stdout, "closed\npopped\n", "{ran}");
        ran.says(&["once", "queue::close: 1 execution"]).is_silent_about("close_twice");
    }
}

#[test]
fn flags_of_libtest_that_mean_nothing_here_are_taken_or_named() {
    run(&["--", "--test-threads", "1", "-q", "--color", "never"]).left_with(0);
    run(&["--", "--test-threads=0"]).left_with(2).says(&["--test-threads", "a number from 1 up"]);
    run(&["--", "--shuffle"]).left_with(2).says(&["'--shuffle' is not supported"]);
    run(&["--", "--format", "json"]).left_with(2).says(&["--format json"]);
}

#[test]
fn tests_that_the_settings_exclude_are_counted() {
    let files = [("src/lib.rs", SOURCE), ("selvedge.toml", "[cargo]\nexclude = [\"close\"]\n")];
    let project = Project::new("selection-exclude", &files);
    let ran = project.run(["test"]);
    ran.left_with(0).says(&["1 explored and passed, 2 ignored, 2 excluded"]);
}
