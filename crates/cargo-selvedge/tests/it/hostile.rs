//! Tests that do their worst. Each is told of by its name, and the others still run.

use crate::support::{Project, Ran};
use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

const SOURCE: &str = r#"
use std::io::Write;
use std::process::Command;

#[test] fn a_first() {}

#[test]
fn aborts() { std::process::abort() }

#[test]
fn dies_in_a_destructor() {
    struct Bomb;
    impl Drop for Bomb { fn drop(&mut self) { panic!("in the destructor") } }
    let _bomb = Bomb;
    panic!("in the test");
}

#[test]
fn exits() { std::process::exit(7) }

#[test]
fn exits_well() { std::process::exit(0) }

#[test]
fn hangs() { let mut n = 0u64; loop { n = std::hint::black_box(n.wrapping_add(1)); } }

#[test]
fn is_killed() {
    Command::new("sh").args(["-c", "kill -9 $PPID"]).status().unwrap();
    loop { std::thread::yield_now(); }
}

#[test]
fn leaves_a_child() {
    let child = Command::new("sleep").arg("1000").spawn().unwrap();
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/target/child"), child.id().to_string()).unwrap();
}

#[test]
fn overflows() {
    fn deeper(n: u64) -> u64 { let a = [n; 100]; std::hint::black_box(&a); deeper(n + 1) + a[7] }
    deeper(0);
}

#[test]
fn prints_without_end() {
    let line = "x".repeat(1023);
    for _ in 0..200_000 { println!("{line}"); }
    panic!("after all that");
}

#[test]
fn runs_a_child() {
    let output = Command::new("sh").args(["-c", "echo from the child"]).output().unwrap();
    assert_eq!(output.stdout, b"from the child\n");
}

#[test]
fn segfaults() { unsafe { std::ptr::null_mut::<u32>().write_volatile(1) } }

#[test]
fn waits_for_a_child() {
    let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
    child.wait().unwrap();
}

#[test]
fn writes_without_end() {
    let line = [b'y'; 1024];
    let mut stdout = std::io::stdout();
    for _ in 0..200_000 { stdout.write_all(&line).unwrap(); }
    panic!("after all that, too");
}

#[test] fn z_last() {}
"#;

static PROJECT: LazyLock<Project> =
    LazyLock::new(|| Project::new("hostile", &[("src/lib.rs", SOURCE)]));

static RAN: LazyLock<Ran> = LazyLock::new(|| {
    PROJECT.run(["test", "--time", "3s", "--set", "stall=1s", "--", "--skip", "without_end"])
});

/// What is said of a test.
fn said(test: &str) -> &'static str {
    RAN.line(&format!("hostile {test}"))
}

#[test]
fn every_test_has_its_verdict_and_the_others_still_run() {
    RAN.left_with(1);
    let bad = [
        "aborts",
        "dies_in_a_destructor",
        "exits",
        "exits_well",
        "is_killed",
        "overflows",
        "segfaults",
        "waits_for_a_child",
    ];
    for test in bad {
        let line = said(test);
        assert!(line.contains("FOUND") || line.contains("FAILED"), "{line}\n{}", *RAN);
    }
    RAN.says(&["8 findings, 4 sequential and passed, 1 not finished"]);
}

/// Whether it would have ended, nobody knows: no execution has.
#[test]
fn a_test_that_computes_for_long_has_neither_passed_nor_failed() {
    assert!(said("hangs").contains("stopped"), "{}", said("hangs"));
    assert!(said("hangs").contains("the first execution did not come to its end"), "{}", *RAN);
}

#[test]
fn what_happened_is_said() {
    RAN.says(&["had panicked", "src/lib.rs:", r#"panic!("in the test");"#]);
    RAN.says(&["with: in the destructor"]);
    assert!(said("aborts").contains("abort"), "{}", said("aborts"));
    assert!(said("exits").contains("exit"), "{}", said("exits"));
    assert!(
        said("is_killed").contains("SIGKILL")
            && said("is_killed").ends_with("each execution forked, since its process died"),
        "{}",
        said("is_killed")
    );
    assert!(said("overflows").contains("stack overflow"), "{}", said("overflows"));
    // The place of an operation that is met in front of the C library is ours: who called is not
    // known. Whether `is_killed` comes as far as that is up to the kernel.
    let ours = |line: &&str| line.contains("selvedge-kit/") && !line.contains("mirror/libc/");
    assert_eq!(RAN.stderr.lines().find(ours), None);
    assert!(said("segfaults").contains("SIGSEGV"), "{}", said("segfaults"));
}

#[test]
fn of_endless_output_as_much_is_shown_as_people_can_read() {
    // With more patience than the others, since printing is nothing that counts as a step.
    let ran = PROJECT.run(["test", "without_end", "--set", "stall=120s"]);
    ran.left_with(1);
    assert!(ran.stderr.len() < 500_000, "{} bytes", ran.stderr.len());
    ran.says(&["more bytes were printed"]);
    ran.says(&["FOUND hostile prints_without_end", "after all that"]);
    ran.says(&["FOUND hostile writes_without_end", "after all that, too"]);
}

#[test]
fn children_that_a_test_leaves_are_gone() {
    RAN.left_with(1);
    let child = PROJECT.read("target/child");
    let deadline = Instant::now() + Duration::from_secs(30);
    // A process that has ended and that nobody asks for any more may still have its number.
    while fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(|s| !s.contains(") Z ")) {
        assert!(Instant::now() < deadline, "the child is still there");
        std::thread::yield_now();
    }
}

#[test]
fn a_thread_that_never_ends_is_found_or_left_behind() {
    let source = "#[test] fn detaches() {\n    std::thread::spawn(|| loop { std::thread::park() });\n}\n\
                  #[test] fn after() {}\n";
    let project = Project::new("hostile-detached", &[("src/lib.rs", source)]);
    let ran = project.run(["test", "--executions", "50"]);
    assert!(matches!(ran.code, Some(0 | 1)), "{ran}");
    ran.says(&["hostile-detached detaches"]).says(&["1 sequential and passed"]);
}

#[test]
fn memory_without_end_is_a_finding() {
    let source = "#[test] fn grows() {\n    let mut all = Vec::new();\n    loop { all.push(vec![1u8; 1 << 20]); }\n}\n";
    let project = Project::new("hostile-memory", &[("src/lib.rs", source)]);
    let ran = project.run(["test", "--set", "memory=64M"]);
    ran.left_with(1).says(&["hostile-memory grows", "memory"]);
}
