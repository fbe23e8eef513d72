//! Traces that somebody has made up, with checksums that are right: no panic, and no more memory than a
//! reader may take. `SELVEDGE_FUZZ` says how many; without it there are few.

mod forger;

use forger::{Bytes, Forger, Random};
use selvedge_model::{Config, OperationKind};
use selvedge_observe::Watchers;
use selvedge_observe::trace::{MEMORY, Trace, analyse};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts what is allocated.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: Everything is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(live, Ordering::Relaxed);
        // SAFETY: As above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: As above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Nobody may take more.
const LIMIT: usize = 256 << 20;

/// Everybody looks at it.
fn read(bytes: &[u8]) -> Result<u64, String> {
    let mut config = Config { own_memory: MEMORY, ..Config::default() };
    for (key, value) in [("detectors", "all"), ("metrics", "all"), ("races", "on")] {
        config.set(key, value).expect("a setting");
    }
    let trace = Trace::read(bytes).map_err(|error| error.to_string())?;
    let mut watchers = Watchers::of_config(&config);
    let analysed = analyse(&trace, &mut watchers).map_err(|error| error.to_string())?;
    if let Some(coverage) = &watchers.coverage {
        coverage.reports();
    }
    if let Some(detectors) = watchers.detectors {
        detectors.into_suspicions();
    }
    Ok(analysed.records)
}

fn peak(f: impl FnOnce()) -> usize {
    let before = LIVE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    f();
    MOST.load(Ordering::Relaxed) - before
}

#[test]
fn forged_traces_are_read_or_refused() {
    let count: u64 = std::env::var("SELVEDGE_FUZZ").map_or(400, |n| n.parse().expect("a number"));
    let mut forger = Forger::new(Random(0x5eed));
    let (mut read_whole, mut most) = (0, 0);
    for number in 0..count {
        let bytes = forger.trace();
        let took = peak(|| read_whole += u64::from(read(&bytes).is_ok()));
        assert!(took <= LIMIT, "trace {number} took {took} bytes");
        most = most.max(took);
    }
    #[expect(clippy::print_stdout, reason = "the figure that the fuzzer is run for")]
    {
        println!(
            "{read_whole} of {count} were read to their end; at most {most} bytes were allocated"
        );
    }
    assert!(read_whole > 0, "none of {count} made sense");

    // Two words for a clock that has an entry for each of many threads.
    let mut body = Bytes::default();
    [1, 0].into_iter().for_each(|n| body.number(n));
    body.text("a.rs");
    [1, 0, 1, 1].into_iter().for_each(|n| body.number(n));
    for thread in 0..100_000_u64 {
        [2, 0, thread.min(1), 0, 0, 0, 0, 0].into_iter().for_each(|n| body.number(n));
    }
    for thread in 0..100_000_u64 {
        body.byte(0x46);
        [thread, 1, 99_999, 2].into_iter().for_each(|n| body.number(n));
        body.byte(0);
        [0, 0, 0].into_iter().for_each(|n| body.number(n));
    }
    refused(&body.0, "more threads");
    // A byte for a page of shadow memory, and a number for all memory there is.
    let many = alone(&accesses(1, 1_000_000));
    let took = peak(|| assert_eq!(read(&many), Ok(1_000_000), "there are such tests"));
    assert!(took <= LIMIT, "{took}");
    refused(&accesses(1 << 40, 1), "more memory");
    // Whoever watches has a place for each object; this one would be the last of all.
    for kind in [OperationKind::Unpark, OperationKind::FutexWoken, OperationKind::FutexWake] {
        refused(&lone(kind), "nothing to act on");
    }
    refused(&wait_without_mutex(), "nothing to act on");
    // A few places in very many pairs, and a name that each of them would say.
    assert_eq!(read(&alone(&pairs("a.rs", 30, 2000))), Ok(2000), "there are such tests");
    refused(&pairs(&"long/".repeat(20), 2000, 20_000), "more in it");
    refused(&pairs(&"long/".repeat(1000), 2, 2), "the name of a file");
}

/// An execution in which a thread waits on a condition variable and gives back nothing.
fn wait_without_mutex() -> Vec<u8> {
    let mut body = Bytes::default();
    [1, 0].into_iter().for_each(|n| body.number(n));
    body.text("a.rs");
    [1, 0, 1, 1].into_iter().for_each(|n| body.number(n));
    [3, 3, 0, 0].into_iter().for_each(|n| body.number(n));
    [2, 0, 0, 0, 0, 0, 0, 0].into_iter().for_each(|n| body.number(n));
    [6, 0, 0, OperationKind::CondvarWait as u64, 1, 0, 0].into_iter().for_each(|n| body.number(n));
    [9, 0].into_iter().for_each(|n| body.number(n));
    body.0
}

/// An execution in which a thread does something to nothing.
fn lone(kind: OperationKind) -> Vec<u8> {
    let mut body = Bytes::default();
    [1, 0].into_iter().for_each(|n| body.number(n));
    body.text("a.rs");
    [1, 0, 1, 1].into_iter().for_each(|n| body.number(n));
    [2, 0, 0, 0, 0, 0, 0, 0].into_iter().for_each(|n| body.number(n));
    [6, 0, 0, kind as u64, 0, 0].into_iter().for_each(|n| body.number(n));
    [9, 0].into_iter().for_each(|n| body.number(n));
    body.0
}

/// An execution in which two threads access the same data at so many places, in turns, with a name of
/// the file.
fn pairs(file: &str, places: u64, accesses: u64) -> Vec<u8> {
    let mut random = Random(0x5eed);
    let mut body = Bytes::default();
    [1, 0].into_iter().for_each(|n| body.number(n));
    body.text(file);
    (1..=places).for_each(|line| [1, 0, line, 1].into_iter().for_each(|n| body.number(n)));
    [3, 6, 0, 0].into_iter().for_each(|n| body.number(n));
    for ordinal in 0..2 {
        [2, 0, ordinal, 0, 0, 0, 0, 0].into_iter().for_each(|n| body.number(n));
    }
    for number in 0..accesses {
        let site = random.below(places);
        [7, number % 2, 0x01, 0, site].into_iter().for_each(|n| body.number(n));
    }
    [9, 0].into_iter().for_each(|n| body.number(n));
    body.0
}

/// An execution that accesses so many bytes of each of so many pages.
fn accesses(size: u64, count: u64) -> Vec<u8> {
    let mut body = Bytes::default();
    [1, 0].into_iter().for_each(|n| body.number(n));
    body.text("a.rs");
    [1, 0, 1, 1].into_iter().for_each(|n| body.number(n));
    [3, 6, 0, 0].into_iter().for_each(|n| body.number(n));
    [2, 0, 0, 0, 0, 0, 0, 0].into_iter().for_each(|n| body.number(n));
    for _ in 0..count {
        [7, 0, 0x09, 4096 << 1, size, 0].into_iter().for_each(|n| body.number(n));
    }
    [9, 0].into_iter().for_each(|n| body.number(n));
    body.0
}

/// A trace of one execution.
fn alone(execution: &[u8]) -> Vec<u8> {
    let mut forger = Forger::new(Random(1));
    let whole = forger.trace();
    let header = 17 + 17 + u64::from_le_bytes(whole[18..26].try_into().expect("eight")) as usize;
    let mut out = Bytes(whole[..header].to_vec());
    out.chunk(b'X', execution);
    out.chunk(b'E', &[1, 0]);
    out.0
}

fn refused(execution: &[u8], why: &str) {
    let trace = alone(execution);
    let took = peak(|| {
        let error = read(&trace).expect_err("it asks for too much");
        assert!(error.contains(why), "{error}");
    });
    assert!(took <= LIMIT, "{why}: {took}");
}
