//! The other kinds of finding, one small program each; without a name, the list of them:
//!
//!     cargo run -p selvedge-examples --example findings -- livelock

use selvedge::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering::SeqCst};
use selvedge::sync::{Mutex, mpsc};
use selvedge::{Builder, StrategyName, Toggle, thread};
use std::hint::black_box;
use std::ptr;
use std::time::Duration;

/// A program that shows one kind of finding.
pub(crate) struct Example {
    /// The kind, as the findings call it.
    pub(crate) name: &'static str,
    /// How the program is to be run.
    pub(crate) builder: fn() -> Builder,
    /// The program.
    pub(crate) test: fn(),
}

/// The kinds of finding for which there is no example of their own.
pub(crate) const EXAMPLES: &[Example] = &[
    Example { name: "double-lock", builder: Builder::new, test: double_lock },
    Example { name: "livelock", builder: || Builder::new().max_steps(20_000), test: livelock },
    Example { name: "leaked-threads", builder: Builder::new, test: leaked_threads },
    Example { name: "crash", builder: Builder::new, test: crash },
    Example { name: "stack-overflow", builder: Builder::new, test: stack_overflow },
    Example { name: "exit", builder: Builder::new, test: exit },
    Example {
        name: "stalled",
        builder: || Builder::new().stall(Duration::from_millis(500)),
        test: stalled,
    },
    Example {
        name: "nondeterminism",
        builder: || Builder::new().strategy(StrategyName::Random).check_determinism(Toggle::On),
        test: nondeterminism,
    },
    Example {
        name: "infeasible",
        builder: || Builder::new().schedule("[receiving] -> sending"),
        test: infeasible,
    },
];

/// Logs under the lock that logging takes as well.
fn double_lock() {
    fn log(lines: &Mutex<Vec<String>>, line: &str) {
        lines.lock().unwrap().push(line.to_owned());
    }
    let lines = Mutex::new(Vec::new());
    let guard = lines.lock().unwrap();
    if guard.is_empty() {
        log(&lines, "the log is empty");
    }
}

/// Waits for a flag that may be lowered before it was seen.
fn livelock() {
    let ready = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !ready.load(SeqCst) {
                selvedge::hint::spin_loop();
            }
        });
        ready.store(true, SeqCst);
        ready.store(false, SeqCst);
    });
}

/// Returns while a worker still waits for work that will never come.
fn leaked_threads() {
    let (work, queue) = mpsc::channel::<u32>();
    thread::spawn(move || {
        while let Ok(number) = queue.recv() {
            black_box(number);
        }
    });
    work.send(1).unwrap();
    std::mem::forget(work);
}

/// Follows a pointer that is not valid before another thread has set it.
fn crash() {
    static SEVEN: u32 = 7;
    let value = AtomicPtr::new(ptr::without_provenance_mut(0x40));
    thread::scope(|scope| {
        scope.spawn(|| value.store(ptr::from_ref(&SEVEN).cast_mut(), SeqCst));
        scope.spawn(|| {
            let value: *const u32 = value.load(SeqCst);
            // SAFETY: There is none, which is what the example shows.
            assert_eq!(unsafe { *value }, 7);
        });
    });
}

/// Recurses until there is no stack left.
fn stack_overflow() {
    fn depth(n: u64) -> u64 {
        if n == u64::MAX { 0 } else { 1 + depth(black_box(n + 1)) }
    }
    thread::spawn(|| black_box(depth(0))).join().unwrap();
}

/// Ends the process in the middle of the test.
fn exit() {
    let failed = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| failed.store(true, SeqCst));
        if failed.load(SeqCst) {
            std::process::exit(3);
        }
    });
}

/// Waits for a real channel, which is not under control.
fn stalled() {
    let (_sender, receiver) = std::sync::mpsc::channel::<()>();
    let listener = thread::spawn(move || receiver.recv());
    let _: thread::Result<_> = listener.join();
}

/// Does something else each time, because of what the executions before have left behind.
fn nondeterminism() {
    static EXECUTIONS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let earlier = EXECUTIONS.fetch_add(1, SeqCst);
    let seen = AtomicU32::new(0);
    thread::scope(|scope| {
        scope.spawn(|| seen.store(earlier, SeqCst));
        seen.load(SeqCst);
    });
}

/// Nobody blocks on a channel that has a message already.
fn infeasible() {
    let (sender, receiver) = mpsc::channel();
    sender.send(1).unwrap();
    let receives = thread::spawn(move || {
        selvedge::event!(receiving);
        receiver.recv().unwrap()
    });
    selvedge::event!(sending);
    let _: Result<_, _> = sender.send(2);
    receives.join().unwrap();
}

/// Explores the named program.
#[expect(clippy::print_stdout, reason = "an example talks to whoever runs it")]
pub(crate) fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match EXAMPLES.iter().find(|example| example.name == name) {
        Some(example) => {
            let command = format!("cargo run -p selvedge-examples --example findings -- {name}");
            selvedge_examples::show(&command, (example.builder)(), example.test);
        }
        None => {
            let names: Vec<_> = EXAMPLES.iter().map(|example| example.name).collect();
            println!("which of these? {}", names.join(", "));
        }
    }
}
