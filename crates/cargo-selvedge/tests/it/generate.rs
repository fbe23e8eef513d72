//! Generated tests.

use crate::support::Project;
use std::process::Command;

/// A queue that counts its items in two steps, and one that does so at once.
const RACY: &str = r#"
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

pub struct Queue<T> { items: Mutex<VecDeque<T>>, size: AtomicUsize }

impl<T> Queue<T> {
    pub fn new() -> Self { Self { items: Mutex::new(VecDeque::new()), size: AtomicUsize::new(0) } }
    pub fn push(&self, item: T) {
        self.items.lock().unwrap().push_back(item);
        let size = self.size.load(SeqCst);
        self.size.store(size + 1, SeqCst);
    }
    pub fn pop(&self) -> Option<T> {
        let item = self.items.lock().unwrap().pop_front()?;
        self.size.fetch_sub(1, SeqCst);
        Some(item)
    }
    pub fn len(&self) -> usize { self.size.load(SeqCst) }
}
"#;

fn right() -> String {
    let two_steps =
        "let size = self.size.load(SeqCst);\n        self.size.store(size + 1, SeqCst);";
    RACY.replace(two_steps, "self.size.fetch_add(1, SeqCst);")
}

const MANIFEST: &str =
    "[package]\nname = \"generated-queue\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";

#[test]
fn a_type_that_is_not_thread_safe_is_found_and_the_written_test_fails_until_it_is() {
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", RACY)];
    let project = Project::new("generate-queue", &files);
    let written = "tests/selvedge_generated_queue_queue.rs";
    let _ = std::fs::remove_file(project.folder.join(written));
    let ran = project.run(["generate", "--write", "--matrix", "--json", "came.json"]);
    ran.left_with(1).says(&["FOUND", "generated_queue::Queue"]);
    assert!(ran.stdout.contains("# at the same time"), "{ran}");
    assert!(project.read("came.json").contains("\"type\":\"generated_queue::Queue\""));

    let plain = Command::new("cargo")
        .args(["test", "--no-run"])
        .current_dir(&project.folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&plain.stderr);
    assert!(plain.status.success() && !said.contains("warning"), "{said}");
    project.run(["test"]).left_with(1);

    project.write("src/lib.rs", &right());
    project.run(["test"]).left_with(0);
    let ran = project.run(["generate", "--tests", "300"]);
    ran.left_with(0).says(&["passed", "generated_queue::Queue", "300 tests"]);
}

#[test]
fn methods_that_can_not_be_called_are_named_with_the_reason_and_the_rest_goes_on() {
    let source = r#"
use std::sync::{Condvar, Mutex};

#[derive(Default)]
pub struct Odd { number: Mutex<u64>, never: Condvar }

impl Odd {
    pub fn new() -> Self { Self::default() }
    pub fn add(&self) -> u64 { let mut number = self.number.lock().unwrap(); *number += 1; *number }
    pub fn exits(&self) { std::process::exit(7) }
    pub fn blocks(&self) { drop(self.never.wait(self.number.lock().unwrap())) }
    pub fn panics(&self) { panic!("always") }
    pub fn raw(&self, _: *const u8) {}
    pub unsafe fn dangerous(&self) {}
    pub fn object(&self, _: &dyn std::fmt::Debug) {}
}

pub struct Unmakable { number: Mutex<u64> }

impl Unmakable {
    pub fn get(&self) -> u64 { *self.number.lock().unwrap() }
}
"#;
    let project = Project::new("generate-odd", &[("src/lib.rs", source)]);
    let ran = project.run(["generate", "--tests", "200"]);
    ran.left_with(0).says(&["passed", "Odd", "200 tests"]);
    ran.says(&["exits crashes alone"]).says(&["blocks waits for ever alone"]);
    ran.says(&["panics panics alone"]).says(&["raw is not called", "a raw pointer"]);
    ran.says(&["dangerous is not called", "unsafe"])
        .says(&["object is not called", "trait object"]);
    ran.says(&["Unmakable is not tested", "no function makes one"]);
    let listed = project.run(["generate", "--list", "--method", "add"]);
    assert_eq!(listed.left_with(0).stdout, "generate_odd::Odd: add\n");
}

#[test]
fn a_crate_that_does_not_build_or_has_no_such_type_is_told_apart() {
    let broken =
        Project::new("generate-broken", &[("src/lib.rs", "pub fn f() -> u64 { \"text\" }\n")]);
    assert_ne!(broken.run(["generate"]).code, Some(0));
    let empty = Project::new("generate-empty", &[("src/lib.rs", "pub struct Plain(pub u64);\n")]);
    empty.run(["generate"]).left_with(4).says(&["no type that threads may share"]);
    empty.run(["generate", "-p", "nobody"]).left_with(2).says(&["no package nobody"]);
}
