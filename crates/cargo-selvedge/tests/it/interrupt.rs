//! Somebody presses Ctrl-C.

use crate::support::Project;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

const SOURCE: &str = "
use std::sync::atomic::{AtomicU32, Ordering};

#[test]
fn a_racy() {
    let n = AtomicU32::new(0);
    std::thread::scope(|s| {
        s.spawn(|| n.store(n.load(Ordering::SeqCst) + 1, Ordering::SeqCst));
        n.store(n.load(Ordering::SeqCst) + 1, Ordering::SeqCst);
    });
    assert_eq!(n.into_inner(), 2);
}

#[test]
fn b_hangs() { loop { std::hint::black_box(0); } }

#[test]
fn c_never_reached() { loop { std::hint::black_box(0); } }
";

#[test]
fn what_was_found_before_is_kept_and_told() {
    let project = Project::new("interrupt", &[("src/lib.rs", SOURCE)]);
    let mut command = project.command([
        "test",
        "--jobs",
        "1",
        "--set",
        "stall=300s",
        "--junit",
        "target/junit.xml",
    ]);
    let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    // The last line of the first test; the second one never has any.
    while !line.starts_with("found in execution") {
        line.clear();
        assert_ne!(lines.read_line(&mut line).unwrap(), 0, "the first test has a finding");
    }
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(rest.contains("Interrupted 2 tests were not run to the end"), "{rest}");
    assert!(rest.contains("Finished 1 finding"), "{rest}");
    project.run(["replay", &project.only_finding()]).left_with(1);
    assert!(project.read("target/junit.xml").contains("a_racy"));
}

#[test]
fn no_test_goes_on_when_the_command_is_gone() {
    let source = r#"
        #[test]
        fn hangs() {
            let _open = std::fs::File::create(concat!(env!("CARGO_MANIFEST_DIR"), "/pipe")).unwrap();
            loop { std::hint::black_box(0); }
        }
    "#;
    let project = Project::new("interrupt-killed", &[("src/lib.rs", source)]);
    let pipe = project.folder.join("pipe");
    // It may be there from an earlier run of the tests.
    let _ = fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = project.command(["test", "--set", "stall=300s"]);
    let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    // Opened when the test has opened it, too.
    let mut reader = fs::File::open(&pipe).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    // The end is read when the process of the test has ended; it never does so by itself.
    assert_eq!(reader.read(&mut [0]).unwrap(), 0);
}
