//! Tests that sleep, migrated.

use crate::support::Project;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

const QUEUE: &str = r#"
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};

#[derive(Default)]
pub struct Queue { items: Mutex<VecDeque<u32>>, changed: Condvar }

impl Queue {
    pub fn add(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.changed.notify_all();
    }

    pub fn take(&self) -> u32 {
        let items = self.items.lock().unwrap();
        self.changed.wait_while(items, |items| items.is_empty()).unwrap().pop_front().unwrap()
    }

    pub fn is_empty(&self) -> bool {
        self.items.lock().unwrap().is_empty()
    }
}
"#;

const TESTS: &str = "use queue::Queue;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// The example of the paper.
#[test]
fn take_with_add() {
    let queue = Arc::new(Queue::default());
    let theirs = queue.clone();
    let add_thread = thread::spawn(move || {
        theirs.add(1);
        thread::sleep(ms(200)); // until the second take waits
        theirs.add(2);
    });
    thread::sleep(ms(100));
    assert_eq!(queue.take(), 1);
    assert!(queue.is_empty());
    assert_eq!(queue.take(), 2);
    add_thread.join().unwrap();
}
";

const MIGRATED: &str = "use queue::Queue;
use std::sync::Arc;
use std::thread;

/// The example of the paper.
#[selvedge::test(schedule = \"finished_add1 -> starting_take1, [starting_take2] -> starting_add2\")]
fn take_with_add() {
    let queue = Arc::new(Queue::default());
    let theirs = queue.clone();
    let add_thread = thread::spawn(move || {
        theirs.add(1);
        selvedge::event!(finished_add1);
        selvedge::event!(starting_add2); // until the second take waits
        theirs.add(2);
    });
    selvedge::event!(starting_take1);
    assert_eq!(queue.take(), 1);
    assert!(queue.is_empty());
    selvedge::event!(starting_take2);
    assert_eq!(queue.take(), 2);
    add_thread.join().unwrap();
}
";

fn manifest(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n"
    )
}

/// One project for all tests, one after the other: what the library needs is built once.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn project(tests: &str) -> (MutexGuard<'static, ()>, Project) {
    let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let files =
        [("Cargo.toml", &*manifest("queue")), ("src/lib.rs", QUEUE), ("tests/queue.rs", tests)];
    (alone, Project::new("migrate", &files))
}

#[test]
fn the_queue_of_the_paper_is_migrated_verified_and_written_when_asked() {
    let (_alone, project) = project(TESTS);
    let shown = project.run(["migrate"]);
    shown.left_with(0).says(&["Migrated queue::test/queue take_with_add", "1000 executions"]);
    assert!(shown.stdout.contains("-        thread::sleep(ms(200)); // until"), "{shown}");
    shown.says(&["nothing has been written"]);
    assert_eq!(project.read("tests/queue.rs"), TESTS);
    let json = project.run(["migrate", "--format", "json"]);
    assert!(json.left_with(0).stdout.contains("\"status\": \"migrated\""), "{json}");
    assert!(json.stdout.contains("\"blocking\": true"), "{json}");
    project.run(["migrate", "--apply"]).left_with(0).says(&["2 files written"]);
    assert_eq!(project.read("tests/queue.rs"), MIGRATED);
    assert!(project.read("Cargo.toml").contains("[dev-dependencies]\nselvedge = "));
    project.run(["migrate"]).left_with(4).says(&["no test that was asked for sleeps"]);
    project.run(["test"]).left_with(0).says(&["passed queue::test/queue take_with_add"]);
}

#[test]
fn tests_that_differ_in_their_sleeps_only_become_one_and_tests_may_be_meant_to_panic() {
    const TESTS: &str = "use queue::Queue;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

#[test]
fn take_waits() {
    let queue = Arc::new(Queue::default());
    let theirs = queue.clone();
    let taker = thread::spawn(move || {
        theirs.take()
    });
    thread::sleep(Duration::from_millis(100));
    queue.add(1);
    assert_eq!(taker.join().unwrap(), 1);
}

#[test]
fn take_finds() {
    let queue = Arc::new(Queue::default());
    let theirs = queue.clone();
    let taker = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        theirs.take()
    });
    queue.add(1);
    assert_eq!(taker.join().unwrap(), 1);
}

#[test]
#[should_panic(expected = \"in the end\")]
fn panics() {
    let queue = Arc::new(Queue::default());
    let theirs = queue.clone();
    let taker = thread::spawn(move || assert_eq!(theirs.take(), 3));
    thread::sleep(Duration::from_millis(100));
    queue.add(3);
    taker.join().unwrap();
    panic!(\"in the end\");
}
";
    let (_alone, project) = project(TESTS);
    let migrated = project.run(["migrate", "--merge", "--apply"]);
    for test in ["take_waits", "take_finds", "panics"] {
        migrated.says(&["Migrated queue::test/queue", test]);
    }
    migrated.left_with(0);
    let text = project.read("tests/queue.rs");
    assert!(!text.contains("sleep"), "{text}");
    assert!(text.contains("take_waits = \"[starting_take] -> starting_add\""), "{text}");
    assert!(text.contains("take_finds = \"finished_add -> starting_take\""), "{text}");
    assert_eq!(text.matches("fn take_").count(), 1, "{text}");
}

#[test]
fn what_can_not_be_migrated_is_refused_with_the_reason_and_nothing_is_written() {
    const TESTS: &str = "use std::thread;
use std::time::Duration;

#[test]
fn fails_already() {
    let t = thread::spawn(|| ());
    thread::sleep(Duration::from_millis(1));
    t.join().unwrap();
    panic!(\"it never worked\");
}

#[test]
fn never_ends() {
    thread::spawn(|| ());
    thread::sleep(Duration::from_millis(1));
    loop {
        thread::park();
    }
}

#[test]
fn polls() {
    let (tx, rx) = std::sync::mpsc::channel();
    let t = thread::spawn(move || rx.recv().unwrap());
    while !t.is_finished() {
        thread::sleep(Duration::from_millis(1));
        let _ = tx.send(());
    }
}

#[test]
fn is_about_time() {
    let began = std::time::Instant::now();
    let t = thread::spawn(|| ());
    thread::sleep(Duration::from_millis(20));
    assert!(began.elapsed() >= Duration::from_millis(20));
    t.join().unwrap();
}

#[test]
fn sleeps_in_a_library() {
    queue::wait_a_little();
}
";
    let library = format!(
        "{QUEUE}\npub fn wait_a_little() {{\n    std::thread::sleep(std::time::Duration::from_millis(1));\n}}\n"
    );
    let (_alone, project) = project(TESTS);
    project.write("src/lib.rs", &library);
    let ran = project.run(["migrate", "--apply", "--runs", "1", "--time-limit", "10s"]);
    ran.left_with(1);
    ran.says(&["fails_already: it fails with its sleeps"]).says(&["it never worked"]);
    ran.says(&["never_ends: it does not come to its end within 10 seconds"]);
    ran.says(&["polls: its sleeps stay"]).says(&["tests/queue.rs:26", "asks again and again"]);
    // Whether the other thread has ended when the sleep begins is up to the machine.
    let about_time = ran.line("is_about_time: ");
    let reasons = ["its sleeps stay", "without sleeps it fails"];
    assert!(reasons.iter().any(|reason| about_time.contains(reason)), "{about_time}");
    ran.is_silent_about("sleeps_in_a_library");
    let ran = project.run(["migrate", "--apply", "--runs", "1", "--exact", "sleeps_in_a_library"]);
    ran.says(&["sleeps_in_a_library: its sleeps stay"]).says(&["a library sleeps"]);
    assert_eq!(project.read("tests/queue.rs"), TESTS);
    assert!(!project.read("Cargo.toml").contains("selvedge"));
}

#[test]
fn source_that_does_not_parse_is_named_and_a_read_only_file_is_left() {
    let (_alone, project) = project("#[test]\nfn broken( {\n");
    let ran = project.run(["migrate", "--apply"]);
    ran.left_with(3).says(&["tests/queue.rs:2:", "tests in this file are left as they are"]);
    project.write("tests/queue.rs", TESTS);
    let path = project.folder.join("tests/queue.rs");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let ran = project.run(["migrate", "--apply", "--runs", "1"]);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    ran.left_with(1).says(&["take_with_add: tests/queue.rs is read-only"]);
    assert_eq!(project.read("tests/queue.rs"), TESTS);
    assert!(!project.read("Cargo.toml").contains("selvedge"));
}

#[test]
fn tests_that_sleep_are_listed() {
    let (_alone, project) = project(TESTS);
    let ran = project.run(["migrate", "--list"]);
    assert_eq!(ran.left_with(0).stdout, "queue::test/queue take_with_add (tests/queue.rs:12)\n");
    project.run(["migrate", "--list", "another"]).left_with(4);
}
