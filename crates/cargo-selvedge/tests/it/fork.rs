//! Executions in processes of their own: asked for, and chosen where it takes them.

use crate::support::Project;

/// Two threads that can come in either order, and which one it was.
const ORDER: &str = r#"
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

fn in_the_wrong_order() -> bool {
    let last = Arc::new(AtomicUsize::new(0));
    let other = Arc::clone(&last);
    let thread = std::thread::spawn(move || other.store(1, SeqCst));
    last.store(2, SeqCst);
    let wrong = last.load(SeqCst) == 1;
    thread.join().unwrap();
    wrong
}
"#;

#[test]
fn a_killed_process_is_a_finding_that_is_kept_and_comes_again() {
    let source = format!(
        r#"{ORDER}
unsafe extern "C" {{ fn raise(signal: i32) -> i32; }}

#[test]
fn is_killed() {{
    if in_the_wrong_order() {{ unsafe {{ raise(9) }}; }}
}}

#[test]
fn is_well() {{ in_the_wrong_order(); }}
"#
    );
    let project = Project::new("fork-killed", &[("src/lib.rs", &source)]);
    let ran = project.run(["test"]);
    ran.left_with(1).says(&["1 finding, 1 explored and passed"]);
    let found = ran.line("fork-killed is_killed");
    assert!(found.contains("FOUND") && found.contains("SIGKILL"), "{ran}");
    assert!(found.ends_with("each execution forked, since its process died"), "{ran}");
    let well = ran.line("fork-killed is_well");
    assert!(!well.contains("forked"), "{ran}");
    let replayed = project.run(["replay", "--times", "2", &project.only_finding()]);
    replayed.left_with(1).says(&["2 of 2 executions failed in this way"]);
}

#[test]
fn an_allocator_with_a_list_of_its_blocks_has_it_for_itself() {
    let source = format!(
        r#"{ORDER}
use std::alloc::{{GlobalAlloc, Layout, System}};

const BLOCKS: usize = 1 << 16;
static KNOWN: [AtomicUsize; BLOCKS] = [const {{ AtomicUsize::new(0) }}; BLOCKS];

fn replace(from: usize, to: usize) {{
    let start = from.max(to) / 16 % BLOCKS;
    for n in 0..BLOCKS {{
        let place = &KNOWN[(start + n) % BLOCKS];
        if place.compare_exchange(from, to, SeqCst, SeqCst).is_ok() {{ return }}
    }}
    std::process::abort();
}}

struct Ledger;

unsafe impl GlobalAlloc for Ledger {{
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {{
        let block = System.alloc(layout);
        replace(0, block as usize);
        block
    }}
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {{
        replace(block as usize, 0);
        System.dealloc(block, layout);
    }}
}}

#[global_allocator]
static LEDGER: Ledger = Ledger;

#[test]
fn allocates() {{
    let text = std::thread::spawn(|| "x".repeat(100)).join().unwrap();
    in_the_wrong_order();
    assert_eq!(text.len(), 100);
}}
"#
    );
    let project = Project::new("fork-ledger", &[("src/lib.rs", &source)]);
    let ran = project.run(["test", "--executions", "50"]);
    ran.left_with(0);
    let said = ran.line("fork-ledger allocates");
    assert!(said.contains("50 executions") && !said.contains("forked"), "{ran}");
}

/// What the engine allocates is not the test's, whatever the test's allocator does with its own blocks.
#[test]
fn an_allocator_sees_what_the_test_allocates_and_nothing_else() {
    let source = r#"
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// Counts, has its memory from a static for a while, and can be told to fail.
struct Own;

const ROOM: usize = 1 << 16;
#[repr(align(16))]
struct Room(std::cell::UnsafeCell<[u8; ROOM]>);
unsafe impl Sync for Room {}
static ROOM_OF_ITS_OWN: Room = Room(std::cell::UnsafeCell::new([0; ROOM]));
static NEXT: AtomicUsize = AtomicUsize::new(0);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static FAILS: AtomicBool = AtomicBool::new(false);

unsafe impl GlobalAlloc for Own {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if FAILS.load(SeqCst) {
            return std::ptr::null_mut();
        }
        LIVE.fetch_add(layout.size(), SeqCst);
        let at = NEXT.fetch_add(layout.size().next_multiple_of(16), SeqCst);
        if layout.align() <= 16 && at + layout.size() <= ROOM {
            return unsafe { ROOM_OF_ITS_OWN.0.get().cast::<u8>().add(at) };
        }
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), SeqCst);
        let begin = ROOM_OF_ITS_OWN.0.get() as usize;
        if !(begin..begin + ROOM).contains(&(block as usize)) {
            unsafe { System.dealloc(block, layout) };
        }
    }
}

#[global_allocator]
static OWN: Own = Own;

#[test]
fn counts() {
    let before = LIVE.load(SeqCst);
    let sum = Arc::new(Mutex::new(0));
    let threads = [1, 2].map(|number| {
        let sum = Arc::clone(&sum);
        std::thread::spawn(move || {
            for _ in 0..200 {
                *sum.lock().unwrap() += number;
            }
        })
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(*sum.lock().unwrap(), 600);
    drop(sum);
    assert!(LIVE.load(SeqCst) - before < 1_000, "{} bytes", LIVE.load(SeqCst) - before);
}

#[test]
fn fails_for_a_while() {
    let flag = Arc::new(AtomicBool::new(false));
    let theirs = Arc::clone(&flag);
    let thread = std::thread::spawn(move || theirs.store(true, SeqCst));
    FAILS.store(true, SeqCst);
    let refused = Vec::<u8>::new().try_reserve(100).is_err();
    while !flag.load(SeqCst) {
        std::hint::spin_loop();
    }
    FAILS.store(false, SeqCst);
    thread.join().unwrap();
    assert!(refused);
}
"#;
    let project = Project::new("fork-own-allocator", &[("src/lib.rs", source)]);
    let ran = project.run(["test", "--executions", "100"]);
    ran.left_with(0).says(&["Finished 2 explored and passed"]).is_silent_about("forked");
}

/// Has a shared library made that is linked with the tests.
const BUILD: &str = r#"
use std::{env, process::Command};

fn main() {
    let out = env::var("OUT_DIR").unwrap();
    let made = Command::new(env::var_os("RUSTC").unwrap())
        .args(["--crate-type", "cdylib", "--edition", "2024", "counting.rs", "--out-dir", &out])
        .status();
    assert!(made.unwrap().success());
    println!("cargo::rustc-link-search=native={out}");
    println!("cargo::rustc-link-lib=dylib=counting");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{out}");
}
"#;

const COUNTING: &str = r#"
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};

static CALLS: AtomicI32 = AtomicI32::new(0);

#[unsafe(no_mangle)]
extern "C" fn calls() -> i32 { CALLS.fetch_add(1, SeqCst) }
"#;

#[test]
fn state_of_shared_libraries_is_as_new_in_every_execution() {
    let source = format!(
        r#"{ORDER}
unsafe extern "C" {{ fn calls() -> i32; }}

#[test]
fn calls_once() {{
    in_the_wrong_order();
    assert_eq!(unsafe {{ calls() }}, 0);
}}

#[test]
fn calls_never() {{
    in_the_wrong_order();
}}
"#
    );
    let files = [("src/lib.rs", source.as_str()), ("build.rs", BUILD), ("counting.rs", COUNTING)];
    let ran = Project::new("fork-library", &files).run(["test", "--executions", "50"]);
    ran.left_with(0);
    let once = ran.line("fork-library calls_once");
    assert!(once.contains("50 executions"), "{ran}");
    assert!(
        once.ends_with("each execution forked, since it changes statics of shared libraries"),
        "{ran}"
    );
    assert!(!ran.line("fork-library calls_never").contains("forked"), "{ran}");
}

#[test]
fn it_can_be_asked_for() {
    let source = format!("{ORDER}\n#[test] fn plain() {{ in_the_wrong_order(); }}\n");
    let project = Project::new("fork-asked", &[("src/lib.rs", &source)]);
    let asked = project.run(["test", "--executions", "20", "--set", "isolation=fork"]);
    asked.left_with(0);
    assert!(asked.line("fork-asked plain").ends_with("; each execution forked"), "{asked}");
    let not = project.run(["test", "--executions", "20"]);
    not.left_with(0).is_silent_about("forked");
    let wrong = project.run(["test", "--set", "isolation=forks"]);
    wrong.left_with(2).says(&["did you mean 'fork'?"]);
}
