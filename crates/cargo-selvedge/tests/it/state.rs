//! What belongs to the process: put back after each execution, noticed, and never told as a finding.

use crate::support::{Project, Ran};
use std::sync::LazyLock;

const SOURCE: &str = r#"
use std::cell::UnsafeCell;
use std::ffi::{c_int, c_uint};
use std::io::Read;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

unsafe extern "C" {
    fn umask(mask: c_uint) -> c_uint;
    fn setsid() -> c_int;
    fn srand(seed: c_uint);
    fn rand() -> c_int;
    fn pthread_mutex_lock(mutex: *mut [u64; 5]) -> c_int;
    fn pthread_mutex_unlock(mutex: *mut [u64; 5]) -> c_int;
    fn pthread_cond_wait(condvar: *mut [u64; 6], mutex: *mut [u64; 5]) -> c_int;
    fn pthread_cond_signal(condvar: *mut [u64; 6]) -> c_int;
}

fn two() {
    thread::scope(|scope| for _ in 0..2 { scope.spawn(thread::yield_now); });
}

#[test]
fn changes_its_process() {
    let folder = std::env::current_dir().unwrap();
    assert!(folder.ends_with("state"), "{folder:?}");
    assert!(std::env::var("STATE_TEST").is_err());
    two();
    std::env::set_current_dir("/").unwrap();
    unsafe { std::env::set_var("STATE_TEST", "1") };
    assert_ne!(unsafe { umask(0o123) }, 0o123);
}

#[test]
fn leads_a_session() {
    two();
    assert!(unsafe { setsid() } > 0, "it was one already");
}

/// The C library's own state is not put back.
#[test]
fn draws_numbers() {
    static SEEDED: std::sync::Once = std::sync::Once::new();
    two();
    let drawn = unsafe { rand() };
    assert_eq!(drawn, 1804289383, "the first number that there is");
    SEEDED.call_once(|| unsafe { srand(7) });
}

#[test]
fn leaves_a_file() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("left");
    assert!(!file.exists(), "somebody was here");
    two();
    std::fs::write(file, "here").unwrap();
}

struct Gate { mutex: UnsafeCell<[u64; 5]>, condvar: UnsafeCell<[u64; 6]>, open: UnsafeCell<bool> }
unsafe impl Sync for Gate {}
unsafe impl Send for Gate {}

fn gate() -> Arc<Gate> {
    let (mutex, condvar) = (UnsafeCell::new([0; 5]), UnsafeCell::new([0; 6]));
    Arc::new(Gate { mutex, condvar, open: UnsafeCell::new(false) })
}

#[test]
fn waits_with_pthread() {
    let gate = gate();
    let other = Arc::clone(&gate);
    let thread = thread::spawn(move || unsafe {
        pthread_mutex_lock(other.mutex.get());
        *other.open.get() = true;
        pthread_cond_signal(other.condvar.get());
        pthread_mutex_unlock(other.mutex.get());
    });
    unsafe {
        pthread_mutex_lock(gate.mutex.get());
        while !*gate.open.get() { pthread_cond_wait(gate.condvar.get(), gate.mutex.get()); }
        pthread_mutex_unlock(gate.mutex.get());
    }
    thread.join().unwrap();
}

#[test]
fn waits_with_pthread_for_nobody() {
    let gate = gate();
    let other = Arc::clone(&gate);
    let thread = thread::spawn(move || unsafe { pthread_cond_signal(other.condvar.get()); });
    unsafe {
        pthread_mutex_lock(gate.mutex.get());
        pthread_cond_wait(gate.condvar.get(), gate.mutex.get());
        pthread_mutex_unlock(gate.mutex.get());
    }
    thread.join().unwrap();
}

/// By the real clock, as far as this can be: every turn takes about the same time.
#[test]
fn computes_for_long() {
    let mut sum = 0_u64;
    for number in 0..150_000_000_u64 { sum = std::hint::black_box(sum ^ number); }
    assert!(sum < u64::MAX);
}

/// A pipe from a child that says nothing.
#[test]
fn reads_what_nobody_writes() {
    two();
    let child = std::process::Command::new("sleep")
        .arg("1000")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdout.unwrap().read(&mut [0]);
}

#[test]
fn waits_for_a_deadline() {
    two();
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(5) { thread::sleep(Duration::from_millis(1)); }
}

/// Room that is set apart for the memory of tests counts as well.
#[test]
fn weighs_its_process() {
    let sizes = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = sizes.split(' ').next().unwrap().parse().unwrap();
    assert!(pages < 1 << 24, "{pages} pages");
}

#[test]
fn reads_what_it_has_freed() {
    let numbers = Box::new([7_u64; 16]);
    let last: *const u64 = &numbers[15];
    drop(numbers);
    assert_eq!(unsafe { last.read_volatile() }, 7);
}
"#;

static RAN: LazyLock<Ran> = LazyLock::new(|| {
    let project = Project::new("state", &[("src/lib.rs", SOURCE)]);
    let _ = std::fs::remove_file(project.folder.join("left"));
    project.run(["test", "--executions", "50", "--set", "stall=1s"])
});

fn said(test: &str) -> &'static str {
    RAN.line(&format!("state {test}"))
}

#[test]
fn what_a_test_does_to_its_process_is_put_back() {
    assert!(said("changes_its_process").contains("passed"), "{}", *RAN);
    assert!(!said("changes_its_process").contains("forked"), "{}", *RAN);
}

#[test]
fn what_can_not_be_put_back_is_noticed() {
    let said = said("leads_a_session");
    assert!(said.contains("passed"), "{}", *RAN);
    assert!(
        said.ends_with("each execution forked, since it changes its process for good"),
        "{said}"
    );
}

#[test]
fn what_earlier_executions_left_behind_is_no_finding() {
    let numbers = said("draws_numbers");
    assert!(numbers.contains("passed"), "{}", *RAN);
    let why = "since executions in one process found what earlier ones had left behind";
    assert!(numbers.contains(why), "{numbers}");
    let file = said("leaves_a_file");
    assert!(file.contains("passed"), "{}", *RAN);
    assert!(
        file.contains("which had passed: the test finds what an earlier execution left"),
        "{file}"
    );
}

#[test]
fn the_locks_of_the_c_library_are_under_control() {
    assert!(said("waits_with_pthread: ").contains("passed"), "{}", *RAN);
    let stuck = said("waits_with_pthread_for_nobody");
    assert!(stuck.contains("FOUND") && !stuck.contains("stalled"), "{}", *RAN);
}

#[test]
fn only_who_waits_for_nothing_stands_still() {
    RAN.is_silent_about("computes_for_long").says(&["2 sequential and passed"]);
    assert!(said("waits_for_a_deadline").contains("passed"), "{}", *RAN);
    let reads = said("reads_what_nobody_writes");
    assert!(reads.contains("FOUND") && reads.contains("stalled"), "{}", *RAN);
    // With its schedule, and seen twice.
    RAN.says(&["stalled: "]).says(&["to see it again:"]);
}

#[test]
fn what_one_thread_does_only_under_control_is_no_finding() {
    let weighs = said("weighs_its_process");
    assert!(weighs.contains("passes without control only"), "{}", *RAN);
    // Nothing tells it from a test that passes, but for the memory that it has freed.
    assert!(said("reads_what_it_has_freed").contains("FOUND"), "{}", *RAN);
}
