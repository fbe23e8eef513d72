//! Static state is as new in every execution.
//!
//! One test, because nobody else may use the statics of the program meanwhile.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod run;

use run::{config, executions};
use selvedge_campaign::Watched;
use selvedge_engine::{Ending, Settings};
use selvedge_model::{Config, Finding, Replayed};
use selvedge_std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use selvedge_std::sync::{LazyLock, Mutex, OnceLock, RwLock};
use selvedge_std::thread;
use std::collections::HashMap;
use std::sync::Arc;

#[test]
fn executions_begin_with_the_same_statics() {
    what_std_knows_of_the_system();
    locks_and_cells();
    real_ones();
    a_registry_that_grows();
    memory_from_before();
    abandoned_executions();
    exit_and_panics();
    nothing_is_touched_outside();
    campaign();
    watched_campaign();
}

/// Runs the test many times; every execution must pass. Says how many bytes of static data the
/// last one had changed.
fn passes(times: usize, test: &(dyn Fn() + Sync)) -> usize {
    let mut bytes = 0;
    executions(Settings::new(&config()), &config(), times, test, |outcome| {
        assert_eq!(*outcome.ending(), Ending::Passed, "{:?}", outcome.finding());
        bytes = outcome.statics().bytes;
    });
    bytes
}

/// Whoever watches an execution reads files, and std notes what the system can do when it first asks.
/// This goes first: nobody has asked yet.
fn what_std_knows_of_the_system() {
    assert_eq!(passes(3, &|| assert!(selvedge_engine::footprint::resident() > 0)), 0);
}

fn locks_and_cells() {
    static COUNTER: AtomicUsize = AtomicUsize::new(5);
    static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    static ONCE: OnceLock<String> = OnceLock::new();
    static LAZY: LazyLock<RwLock<HashMap<usize, String>>> = LazyLock::new(RwLock::default);
    let bytes = passes(100, &|| {
        assert_eq!(COUNTER.load(SeqCst), 5);
        assert!(ONCE.get().is_none());
        let threads: Vec<_> = (0..3)
            .map(|number| {
                thread::spawn(move || {
                    COUNTER.fetch_add(1, SeqCst);
                    NAMES.lock().unwrap().push(format!("thread {number}"));
                    LAZY.write().unwrap().insert(number, format!("entry {number}"));
                    ONCE.get_or_init(|| format!("made by {number}")).len()
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), 9));
        assert_eq!(COUNTER.load(SeqCst), 8);
        assert_eq!(NAMES.lock().unwrap().len(), 3);
        assert_eq!(LAZY.read().unwrap().len(), 3);
        assert!(ONCE.get().unwrap().starts_with("made by"));
    });
    assert!(bytes > 0);
    assert_eq!(COUNTER.load(SeqCst), 5);
    assert_eq!(passes(3, &|| {}), 0);
}

/// What is not mirrored is static data as well.
fn real_ones() {
    static REAL: std::sync::Mutex<Vec<Vec<u8>>> = std::sync::Mutex::new(Vec::new());
    static LAZY: std::sync::LazyLock<HashMap<String, usize>> =
        std::sync::LazyLock::new(|| (0..100).map(|number| (number.to_string(), number)).collect());
    passes(50, &|| {
        let mut real = REAL.lock().unwrap();
        assert!(real.is_empty());
        real.extend((0..50).map(|size| vec![7; size * 10]));
        assert_eq!(LAZY["77"], 77);
    });
}

/// As of crates that register themselves lazily: a list of leaked nodes that only ever grows.
fn a_registry_that_grows() {
    use std::sync::atomic::AtomicPtr;
    struct Node {
        next: *mut Node,
        data: Vec<usize>,
    }
    static HEAD: AtomicPtr<Node> = AtomicPtr::new(std::ptr::null_mut());
    passes(50, &|| {
        for number in 0..10 {
            let next = HEAD.load(SeqCst);
            // SAFETY: Nodes are never freed.
            let before = unsafe { next.as_ref() }.map_or(0, |node| node.data.len());
            assert_eq!(before, number);
            let node = Node { next, data: vec![number; number + 1] };
            HEAD.store(Box::into_raw(Box::new(node)), SeqCst);
        }
        // SAFETY: As above.
        let nodes = std::iter::successors(unsafe { HEAD.load(SeqCst).as_ref() }, |node| {
            // SAFETY: As above.
            unsafe { node.next.as_ref() }
        });
        assert_eq!(nodes.count(), 10);
    });
}

/// Memory that a static had before the first execution is still there, whatever executions do to
/// the static.
fn memory_from_before() {
    static TABLE: std::sync::Mutex<Vec<u64>> = std::sync::Mutex::new(Vec::new());
    *TABLE.lock().unwrap() = (0..1_000).collect();
    passes(50, &|| {
        let mut table = TABLE.lock().unwrap();
        assert!(table.iter().enumerate().all(|(index, number)| index as u64 == *number));
        assert_eq!(table.len(), 1_000);
        table.extend(0..5_000);
        table.shrink_to_fit();
        *table = vec![3];
    });
    assert_eq!(TABLE.lock().unwrap().len(), 1_000);
    assert_eq!(TABLE.lock().unwrap()[999], 999);
    *TABLE.lock().unwrap() = Vec::new();
}

/// What a thread that is given up had locked is free in the next execution, real locks included.
fn abandoned_executions() {
    static REAL: std::sync::Mutex<u32> = std::sync::Mutex::new(0);
    static MIRROR: Mutex<u32> = Mutex::new(0);
    let mut deadlocks = 0;
    executions(
        Settings::new(&config()),
        &config(),
        2_000,
        &|| {
            let mut real = REAL.try_lock().expect("nobody holds it");
            *real += 1;
            assert_eq!(*real, 1);
            let _first = MIRROR.lock();
            let _second = MIRROR.lock();
        },
        |outcome| deadlocks += usize::from(matches!(outcome.ending(), Ending::Deadlock { .. })),
    );
    assert_eq!(deadlocks, 2_000);
    assert_eq!(*REAL.lock().unwrap(), 0);
}

/// What std remembers of panics and exits is static data, too.
fn exit_and_panics() {
    let mut codes = Vec::new();
    executions(
        Settings::new(&config()),
        &config(),
        5,
        &|| {
            drop(std::panic::catch_unwind(|| panic!("caught")));
            std::process::exit(3)
        },
        |outcome| codes.push(outcome.finding().map(|kind| format!("{kind:?}"))),
    );
    assert!(codes.iter().flatten().all(|text| text.contains("code: Some(3)")), "{codes:?}");
    assert_eq!(codes.len(), 5);
}

/// What is done between executions stays.
fn nothing_is_touched_outside() {
    static OUTSIDE: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let mut seen = 0;
    executions(
        Settings::new(&config()),
        &config(),
        10,
        &|| {
            OUTSIDE.fetch_add(100, SeqCst);
        },
        |_| {
            OUTSIDE.fetch_add(1, SeqCst);
            seen += 1;
        },
    );
    assert_eq!((seen, OUTSIDE.load(SeqCst)), (10, 10));
}

/// One thread reads an atomic that the other one frees when it thinks that it is alone.
fn freed_too_early() {
    struct Shared(*mut AtomicUsize);
    // SAFETY: Wrong on purpose; the engine keeps the threads apart.
    unsafe impl Send for Shared {}
    let counter = Box::into_raw(Box::new(AtomicUsize::new(1)));
    let shared = Shared(counter);
    let thread = thread::spawn(move || {
        let shared = shared;
        // SAFETY: Wrong on purpose.
        unsafe { (*shared.0).fetch_add(1, SeqCst) };
    });
    // SAFETY: Wrong on purpose: the thread may come later.
    unsafe {
        if (*counter).load(SeqCst) == 1 {
            drop(Box::from_raw(counter));
        }
    }
    thread.join().unwrap();
}

/// A campaign has all of it: what it finds comes again, also on another engine.
fn campaign() {
    let watch = Arc::new(selvedge_engine::Watch::default());
    let report = selvedge_campaign::explore(
        &config(),
        &[],
        "freed",
        &freed_too_early,
        &watch,
        &selvedge_campaign::Exchange::default(),
    );
    let finding: Finding = report.finding.expect("it is wrong");
    assert_eq!(finding.kind.name(), "use-after-free");
    assert_eq!(finding.replayed, Replayed::Yes);
    assert!(finding.schedule.decisions.len() <= 1, "{}", finding.schedule);
}

/// The thread that watches a campaign is not disturbed by it, nor disturbs it.
fn watched_campaign() {
    static COUNTER: AtomicUsize = AtomicUsize::new(0);
    static WRITTEN: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    let test = || {
        WRITTEN.lock().unwrap().push(format!("{:?}", std::thread::current().id()));
        let threads = [(); 2].map(|()| thread::spawn(|| COUNTER.fetch_add(1, SeqCst)));
        threads.into_iter().for_each(|thread| assert!(thread.join().unwrap() < 2));
        assert_eq!((COUNTER.load(SeqCst), WRITTEN.lock().unwrap().len()), (2, 1));
    };
    let config =
        Config { executions: u64::MAX, time: std::time::Duration::from_millis(300), ..config() };
    for _ in 0..3 {
        let name = "watched".to_owned();
        let (config, metrics) = (config.clone(), Vec::new());
        let watched = Watched {
            config,
            metrics,
            name,
            known: selvedge_model::Learned::default(),
            on_progress: &mut |_| {},
        };
        let report = selvedge_campaign::watched(watched, Arc::new(test)).unwrap().report;
        assert_eq!(report.finding, None);
        assert!(report.executions > 10);
    }
    assert_eq!(COUNTER.load(SeqCst), 0);
}
