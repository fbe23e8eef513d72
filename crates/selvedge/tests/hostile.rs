//! Tests that misbehave: each gives a clear message, and the next test still runs.
//!
//! All of them run in one process, one after the other or in parallel, as `cargo test` does it.

use selvedge::sync::atomic::AtomicUsize;
use selvedge::sync::{Arc, Mutex};
use selvedge::{Builder, FindingKind, Report, StrategyName, Toggle, thread};
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn explore(test: impl Fn() + Send + Sync + 'static) -> Report {
    Builder::new().executions(50).explore(test).unwrap()
}

/// The kind of the finding; there has to be one.
#[track_caller]
fn finding(test: impl Fn() + Send + Sync + 'static) -> FindingKind {
    explore(test).finding.expect("the test misbehaves").kind
}

/// What a healthy test shows: that the process still works.
#[track_caller]
fn the_next_test_runs() {
    let report = explore(|| {
        let counter = Arc::new(Mutex::new(0));
        let other = Arc::clone(&counter);
        let worker = thread::spawn(move || *other.lock().unwrap() += 1);
        *counter.lock().unwrap() += 1;
        worker.join().unwrap();
        assert_eq!(*counter.lock().unwrap(), 2);
    });
    assert!(report.finding.is_none(), "{:?}", report.finding);
}

#[expect(unconditional_recursion, reason = "this is what the test is about")]
fn recurse(depth: &[u64; 64]) -> u64 {
    let deeper = std::hint::black_box([depth[0] + 1; 64]);
    recurse(&deeper) + deeper[1]
}

#[test]
fn a_stack_overflow_is_a_finding() {
    let kind = finding(|| {
        let worker = thread::spawn(|| recurse(&[0; 64]));
        let _ = worker.join();
    });
    let FindingKind::StackOverflow { thread, stack_size, .. } = kind else { panic!("{kind:?}") };
    assert_eq!(thread.path.to_string(), "1");
    assert_eq!(stack_size, 2 << 20);
    the_next_test_runs();
}

#[test]
fn a_stack_overflow_of_the_test_function_itself_is_a_finding() {
    let kind = finding(|| {
        recurse(&[0; 64]);
    });
    assert!(matches!(kind, FindingKind::StackOverflow { .. }), "{kind:?}");
    the_next_test_runs();
}

/// Goes deeper for ever, with an operation of each kind at every level, so that the stack may end anywhere: in
/// the test, in the engine, in the strategy or in an observer.
#[expect(unconditional_recursion, reason = "this is what the test is about")]
fn dive<const WORDS: usize>(lock: &Mutex<u64>, count: &AtomicUsize) -> u64 {
    let frame = std::hint::black_box([1; WORDS]);
    *lock.lock().unwrap() += frame[0];
    count.fetch_add(1, Ordering::SeqCst);
    dive::<WORDS>(lock, count) + frame[WORDS - 1]
}

/// Each is reported as what it is, whatever the frames are, however large the stack is and whoever watches.
#[test]
fn forty_stack_overflows_are_forty_findings() {
    macro_rules! dives {
        ($($words:literal)+) => {
            [$(dive::<$words> as fn(&Mutex<u64>, &AtomicUsize) -> u64),+]
        };
    }
    let dives = dives![1 2 3 5 8 13 21 34 55 610];
    for stack_size in ["16k", "48k", "200k", "2M"] {
        for (number, dive) in dives.into_iter().enumerate() {
            let report = Builder::new()
                .executions(2)
                .set("stack_size", stack_size)
                .set("detectors", "all")
                .set("metrics", "sp,hbpair,dupairs,avio")
                .shrink(Toggle::Off)
                .explore(move || {
                    let shared = Arc::new((Mutex::new(0), AtomicUsize::new(0)));
                    let other = Arc::clone(&shared);
                    let worker = thread::spawn(move || dive(&other.0, &other.1));
                    *shared.0.lock().unwrap() += 1;
                    shared.1.fetch_add(1, Ordering::SeqCst);
                    let _ = worker.join();
                })
                .unwrap();
            let kind = report.finding.expect("the stack overflows").kind;
            assert!(
                matches!(kind, FindingKind::StackOverflow { .. }),
                "program {number} with {stack_size}: {kind:?}"
            );
        }
    }
    the_next_test_runs();
}

/// A thread may use what it has asked for. (The array is there twice without optimisation.)
#[test]
fn a_stack_that_is_nearly_full_is_no_finding() {
    let report = Builder::new()
        .executions(20)
        .set("stack_size", "512k")
        .set("detectors", "all")
        .explore(|| {
            let lock = Arc::new(Mutex::new(0));
            let other = Arc::clone(&lock);
            let worker = thread::spawn(move || {
                let filled = std::hint::black_box([1_u8; 240 << 10]);
                *other.lock().unwrap() += usize::from(filled[7]);
            });
            *lock.lock().unwrap() += 1;
            worker.join().unwrap();
        })
        .unwrap();
    assert!(report.finding.is_none(), "{:?}", report.finding);
}

#[test]
fn leaving_the_process_is_a_finding_again_and_again() {
    let kind = finding(|| {
        let worker = thread::spawn(|| std::process::exit(7));
        let _: Result<(), _> = worker.join();
    });
    let FindingKind::Exit { code, thread, .. } = kind else { panic!("{kind:?}") };
    assert_eq!((code, thread.path.to_string().as_str()), (Some(7), "1"));
    the_next_test_runs();

    // Once more: std remembers the first call, and still this is a finding and not the end.
    let kind = finding(|| std::process::exit(8));
    assert!(matches!(kind, FindingKind::Exit { code: None, .. }), "{kind:?}");
    the_next_test_runs();
}

#[test]
fn aborting_the_process_is_a_finding() {
    let kind = finding(|| std::process::abort());
    let FindingKind::Crash { signal, .. } = kind else { panic!("{kind:?}") };
    assert_eq!(signal, "SIGABRT");
    the_next_test_runs();
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("in a destructor");
    }
}

#[test]
fn a_panic_in_a_destructor_is_a_panic_of_the_test() {
    let kind = finding(|| drop(PanicsWhenDropped));
    let FindingKind::Panic(panic) = kind else { panic!("{kind:?}") };
    assert_eq!(panic.message, "in a destructor");
    the_next_test_runs();
}

#[test]
fn a_panic_during_unwinding_is_a_finding() {
    let kind = finding(|| {
        let _guard = PanicsWhenDropped;
        panic!("the first");
    });
    let FindingKind::Crash { signal, cause, .. } = kind else { panic!("{kind:?}") };
    assert_eq!(signal, "SIGABRT");
    assert!(cause.contains("during unwinding"), "{cause}");
    the_next_test_runs();
}

#[test]
fn a_thread_that_is_switched_while_it_unwinds_disturbs_nobody() {
    struct LocksWhenDropped(Arc<Mutex<u32>>);
    impl Drop for LocksWhenDropped {
        fn drop(&mut self) {
            *self.0.lock().unwrap() += 1;
        }
    }
    let report = explore(|| {
        let shared = Arc::new(Mutex::new(0));
        let (theirs, other) = (Arc::clone(&shared), Arc::clone(&shared));
        let unwinds = thread::spawn(move || {
            let _guard = LocksWhenDropped(theirs);
            panic!("on purpose");
        });
        let calm = thread::spawn(move || {
            for _ in 0..3 {
                assert!(!thread::panicking(), "somebody else panics, not this thread");
                *other.lock().unwrap() += 1;
            }
        });
        assert!(unwinds.join().is_err());
        calm.join().unwrap();
        assert!(!shared.is_poisoned(), "the lock was taken and given back by a destructor");
        assert_eq!(*shared.lock().unwrap(), 4);
    });
    assert!(report.finding.is_none(), "{:#?}", report.finding);
}

#[test]
fn an_invalid_access_is_a_finding() {
    let kind = finding(|| {
        let address = std::hint::black_box(64_usize);
        // SAFETY: There is nothing at this address; that is what the test is about. The fault is
        // caught and the thread never goes on.
        unsafe { std::ptr::read_volatile(address as *const u8) };
    });
    let FindingKind::Crash { signal, cause, .. } = kind else { panic!("{kind:?}") };
    assert_eq!(signal, "SIGSEGV");
    assert!(cause.contains("0x40"), "{cause}");
    the_next_test_runs();
}

#[test]
fn blocking_in_real_input_is_a_finding() {
    let (reader, _writer) = std::io::pipe().unwrap();
    let reader = std::sync::Mutex::new(reader);
    let report = Builder::new()
        .stall(Duration::from_millis(300))
        .explore(move || {
            let mut byte = [0];
            // Nobody ever writes, and the write end stays open.
            let _ = reader.lock().unwrap().read(&mut byte);
        })
        .unwrap();
    let finding = report.finding.expect("it blocks for ever");
    assert!(matches!(finding.kind, FindingKind::Stalled { .. }), "{:?}", finding.kind);
    // Seen twice, and with what came before.
    assert_eq!(finding.replayed, selvedge::Replayed::Yes);
    assert!(!finding.steps.is_empty());
    the_next_test_runs();
}

#[test]
fn a_test_that_computes_for_long_is_not_stalled_however_busy_the_machine_is() {
    let (end, busy) = (Arc::new(AtomicBool::new(false)), 4);
    let load: Vec<_> = (0..busy)
        .map(|_| {
            let end = Arc::clone(&end);
            std::thread::spawn(move || while !end.load(Ordering::Relaxed) {})
        })
        .collect();
    let report = Builder::new()
        .stall(Duration::from_millis(300))
        .explore(|| {
            // The real clock: nothing here is an operation.
            let began = std::time::Instant::now();
            while began.elapsed() < Duration::from_millis(1500) {
                std::hint::black_box(());
            }
        })
        .unwrap();
    end.store(true, Ordering::Relaxed);
    load.into_iter().for_each(|thread| thread.join().unwrap());
    assert!(report.finding.is_none(), "{:?}", report.finding.map(|finding| finding.kind));
}

#[test]
fn ten_thousand_threads_are_no_problem() {
    let report = Builder::new()
        .strategy(StrategyName::Random)
        .executions(2)
        .time(Duration::from_secs(600))
        .explore(|| {
            let threads: Vec<_> = (0..10_000).map(|n| thread::spawn(move || n)).collect();
            let sum: u64 = threads.into_iter().map(|handle| handle.join().unwrap()).sum();
            assert_eq!(sum, (0..10_000).sum());
        })
        .unwrap();
    assert!(report.finding.is_none(), "{:?}", report.finding.map(|finding| finding.kind));
    assert_eq!(report.threads, 10_001);
    the_next_test_runs();
}

#[test]
fn more_threads_than_the_system_has_room_for_are_an_error_of_spawn() {
    let report = Builder::new()
        .executions(1)
        .explore(|| {
            let huge = thread::Builder::new().stack_size(1 << 60).spawn(|| {});
            assert!(huge.is_err(), "no machine has such a stack");
        })
        .unwrap();
    assert!(report.finding.is_none(), "{:?}", report.finding.map(|finding| finding.kind));
}
