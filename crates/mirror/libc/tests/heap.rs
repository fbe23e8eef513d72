//! The memory of executions, and what is found to be wrong with it.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod run;

use run::{config, executions};
use selvedge_engine::{Ending, Engine, Settings, Statics, Watch};
use selvedge_model::{FindingKind, MemoryUse, OperationKind, StrategyName, Toggle};
use selvedge_std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use selvedge_std::sync::{Mutex, mpsc};
use selvedge_std::thread;
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::sync::Arc;

/// The tests of this process run at the same time, so statics are left alone.
fn settings() -> Settings {
    Settings { statics: Statics::Leave, ..Settings::new(&config()) }
}

fn passes(times: usize, test: &(dyn Fn() + Sync)) {
    executions(settings(), &config(), times, test, |outcome| {
        assert_eq!(*outcome.ending(), Ending::Passed, "{:?}", outcome.finding());
    });
}

/// What goes wrong in one execution, if anything does.
fn once(settings: Settings, test: &(dyn Fn() + Sync)) -> Option<FindingKind> {
    let mut found = None;
    executions(settings, &config(), 1, test, |outcome| found = outcome.finding());
    found
}

/// The memory that the process takes up, in bytes.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = text.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096
}

/// A pointer that may go to another thread.
struct Shared<T>(*mut T);
// SAFETY: The tests that use it are wrong on purpose; the engine keeps their threads apart.
unsafe impl<T> Send for Shared<T> {}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shared<T> {}

impl<T> Shared<T> {
    fn get(&self) -> *mut T {
        self.0
    }
}

#[test]
fn memory_of_an_execution_lies_at_the_same_addresses_every_time() {
    let seen = std::sync::Mutex::new([0_usize; 21]);
    let test = || {
        let boxes: Vec<Box<u64>> = (0..20).map(Box::new).collect();
        let text = format!("{boxes:?}");
        let mut seen = seen.lock().unwrap();
        seen[20] = text.as_ptr() as usize;
        for (place, boxed) in seen.iter_mut().zip(&boxes) {
            *place = &raw const **boxed as usize;
        }
    };
    let mut all = Vec::new();
    for _ in 0..3 {
        executions(settings(), &config(), 5, &test, |_| all.push(*seen.lock().unwrap()));
    }
    // Other tests run at the same time, so this one may get another slot with its next engine.
    let in_slot = |address: &usize| address % (16 << 30);
    let all: Vec<Vec<usize>> = all.iter().map(|seen| seen.iter().map(in_slot).collect()).collect();
    assert!(all.iter().all(|seen| *seen == all[0]), "{all:x?}");
}

#[test]
fn collections_grow_and_shrink() {
    passes(10, &|| {
        let mut numbers = Vec::new();
        let mut map = HashMap::new();
        let mut text = String::new();
        for number in 0..2_000_usize {
            numbers.push(number);
            map.insert(number, number.to_string());
            text.push_str(&number.to_string());
        }
        numbers.truncate(700);
        numbers.shrink_to_fit();
        assert!(numbers.iter().enumerate().all(|(index, number)| index == *number));
        assert_eq!(numbers.len(), 700);
        assert!(map.iter().all(|(number, text)| number.to_string() == *text));
        assert!(text.ends_with("1999") && text.len() == 10 + 180 + 2_700 + 4_000);
    });
}

#[test]
fn alignment_and_zeros_are_as_asked() {
    passes(3, &|| {
        for shift in 0..14 {
            for size in [1, 24, 4_096, 100_000, 3 << 20] {
                let layout = Layout::from_size_align(size, 1 << shift).unwrap();
                // SAFETY: The layout has a size, and the block is freed with the same.
                unsafe {
                    let block = alloc(layout);
                    assert_eq!(block as usize % layout.align(), 0);
                    block.write_bytes(0xff, size);
                    dealloc(block, layout);
                    let block = alloc_zeroed(layout);
                    assert_eq!(block as usize % layout.align(), 0);
                    assert!(std::slice::from_raw_parts(block, size).iter().all(|byte| *byte == 0));
                    dealloc(block, layout);
                }
            }
        }
    });
}

#[test]
fn new_memory_has_the_same_content_in_every_execution() {
    let seen = std::sync::Mutex::new((0_u64, 0_u64));
    let mut first = None;
    for _ in 0..3 {
        passes(2, &|| {
            let sizes = [64, 1 << 20];
            // SAFETY: The blocks are large enough for a word, which is initialised by the arena.
            let [small, large] = sizes.map(|size| unsafe {
                let layout = Layout::from_size_align(size, 8).unwrap();
                let block = alloc(layout).cast::<u64>();
                let word = block.add(1).read_volatile();
                block.add(1).write_volatile(!word);
                dealloc(block.cast(), layout);
                word
            });
            *seen.lock().unwrap() = (small, large);
        });
        let seen = *seen.lock().unwrap();
        assert_eq!(*first.get_or_insert(seen), seen);
    }
}

#[test]
fn a_million_allocations_do_not_make_the_process_grow() {
    let mut settings = settings();
    let config = selvedge_model::Config { quarantine: 4 << 20, ..config() };
    settings.heap = Settings::new(&config).heap;
    let test = || {
        for number in 0..100_000_usize {
            let boxed = std::hint::black_box(Box::new([number; 8]));
            assert_eq!(boxed[7], number);
        }
    };
    executions(settings.clone(), &config, 2, &test, |_| {});
    let before = resident();
    executions(settings, &config, 10, &test, |outcome| {
        assert_eq!(*outcome.ending(), Ending::Passed);
    });
    let grown = resident().saturating_sub(before);
    assert!(grown < 64 << 20, "{grown}");
}

#[test]
fn executions_that_are_given_up_leave_nothing_behind() {
    let test = || {
        let (a, b) = (Arc::new(Mutex::new(vec![0_u8; 5_000])), Arc::new(Mutex::new(0)));
        let (other_a, other_b) = (Arc::clone(&a), Arc::clone(&b));
        let thread = thread::spawn(move || {
            let _b = other_b.lock().unwrap();
            let _a = other_a.lock().unwrap();
        });
        let _a = a.lock().unwrap();
        let _b = b.lock().unwrap();
        thread.join().unwrap();
    };
    let mut deadlocks = 0;
    executions(settings(), &config(), 1_000, &test, |_| {});
    let before = resident();
    executions(settings(), &config(), 10_000, &test, |outcome| {
        deadlocks += usize::from(matches!(outcome.ending(), Ending::Deadlock { .. }));
    });
    assert!(deadlocks > 1_000);
    let grown = resident().saturating_sub(before);
    // Other tests of this process run meanwhile.
    assert!(grown < 64 << 20, "{grown}");
}

#[test]
fn panics_are_told_right_after_their_memory_is_used_again() {
    let mut messages = Vec::new();
    let number = std::sync::atomic::AtomicUsize::new(0);
    executions(
        settings(),
        &config(),
        5,
        &|| {
            let number = number.fetch_add(1, SeqCst);
            let caught = thread::spawn(move || panic!("thread {number}")).join();
            assert!(caught.is_err());
            panic!("test {number}");
        },
        |outcome| {
            let panics: Vec<_> = outcome.panics().into_iter().map(|panic| panic.message).collect();
            messages.push((outcome.finding(), panics));
        },
    );
    for (number, (finding, panics)) in messages.iter().enumerate() {
        let Some(FindingKind::Panic(panic)) = finding else { panic!("{finding:?}") };
        assert_eq!(panic.message, format!("test {number}"));
        assert_eq!(*panics, [format!("thread {number}"), format!("test {number}")]);
    }
}

#[test]
fn messages_thread_locals_and_names_are_the_test_s() {
    selvedge_std::thread_local! {
        static SEEN: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
        static COUNT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }
    passes(200, &|| {
        let (sender, receiver) = mpsc::channel();
        let threads: Vec<_> = (0..3)
            .map(|number| {
                let sender = sender.clone();
                let work = move || {
                    for turn in 0..10 {
                        SEEN.with_borrow_mut(|seen| seen.push(format!("{number}:{turn}")));
                        COUNT.set(COUNT.get() + 1);
                        sender.send(SEEN.with_borrow(|seen| seen.join(" "))).unwrap();
                    }
                    thread::current().name().map(str::to_owned)
                };
                thread::Builder::new().name(format!("worker {number}")).spawn(work).unwrap()
            })
            .collect();
        drop(sender);
        let messages: Vec<_> = receiver.iter().collect();
        assert_eq!(messages.len(), 30);
        for (number, thread) in threads.into_iter().enumerate() {
            assert_eq!(thread.join().unwrap().unwrap(), format!("worker {number}"));
        }
    });
}

#[test]
fn outside_of_executions_memory_is_the_c_library_s() {
    selvedge_libc::install();
    let before = Box::new(1_u64);
    let inside = std::sync::Mutex::new((0_usize, None));
    passes(1, &|| {
        let boxed = Box::new(7_u64);
        *inside.lock().unwrap() = (&raw const *boxed as usize, Some(boxed));
    });
    let (address, boxed) = inside.into_inner().unwrap();
    let after = Box::new(1_u64);
    for outside in [&before, &after] {
        assert!((&raw const **outside as usize).abs_diff(address) > 1 << 30);
    }
    // To free what an execution has left behind does nothing.
    drop(boxed);
    let mut numbers: Vec<u64> = (0..100_000).collect();
    numbers.shrink_to(10);
    numbers.extend(0..100_000);
    assert_eq!(numbers.len(), 200_000);
}

/// One thread reads an atomic that the other one frees when it thinks that it is alone.
fn freed_too_early() {
    let counter = Shared(Box::into_raw(Box::new([AtomicUsize::new(1), AtomicUsize::new(0)])));
    let thread = thread::spawn(move || {
        // SAFETY: Wrong on purpose.
        unsafe { (*counter.get())[0].fetch_add(1, SeqCst) };
    });
    // SAFETY: Wrong on purpose: the thread may come later.
    unsafe {
        if (*counter.get())[0].load(SeqCst) == 1 {
            drop(Box::from_raw(counter.get()));
        }
    }
    thread.join().unwrap();
}

#[test]
fn use_after_free_is_found_with_its_schedule_and_comes_again() {
    let config = selvedge_model::Config { strategy: StrategyName::Random, ..config() };
    let (mut used, mut passed, mut frames) = (0, 0, Vec::new());
    executions(settings(), &config, 200, &freed_too_early, |outcome| match outcome.finding() {
        None => passed += 1,
        Some(FindingKind::UseAfterFree {
            used: MemoryUse::Operation { kind, at, thread },
            block,
        }) => {
            used += 1;
            let block = block.unwrap();
            assert_eq!(kind, Some(OperationKind::AtomicRmw));
            assert!(at.file.ends_with("heap.rs"), "{at:?}");
            assert_eq!(thread.path.to_string(), "1");
            assert_eq!(block.size, 16);
            let freed = block.freed.unwrap();
            assert_eq!(freed.thread.unwrap().path.to_string(), "0");
            assert!(freed.after.unwrap().line > at.line);
            assert_eq!(block.allocated.thread.unwrap().path.to_string(), "0");
            assert_eq!(block.allocated.after, None);
            frames.push((block.allocated.frames, freed.frames));
        }
        Some(other) => panic!("{other:?}"),
    });
    assert!(used > 10 && passed > 10, "{used} {passed}");
    assert!(frames.iter().all(|these| *these == frames[0] && !these.0.is_empty()));
}

#[test]
fn an_object_may_be_freed_by_the_last_one_who_gives_it_up() {
    passes(2_000, &|| {
        let shared = Shared(Box::into_raw(Box::new((AtomicUsize::new(3), Mutex::new(0)))));
        let work = move || {
            // SAFETY: The object is alive until all three have given it up.
            unsafe {
                *(*shared.get()).1.lock().unwrap() += 1;
                if (*shared.get()).0.fetch_sub(1, SeqCst) == 1 {
                    assert_eq!(*(*shared.get()).1.lock().unwrap(), 3);
                    drop(Box::from_raw(shared.get()));
                }
            }
        };
        let threads = [thread::spawn(work), thread::spawn(work)];
        work();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn what_the_c_library_allocates_for_itself_outlives_the_execution() {
    unsafe extern "C" {
        fn strdup(text: *const std::ffi::c_char) -> *mut std::ffi::c_char;
    }
    passes(20, &|| {
        // SAFETY: The text is valid, and the copy is the caller's to free.
        unsafe {
            let text = strdup(c"a text".as_ptr());
            assert_eq!(std::ffi::CStr::from_ptr(text), c"a text");
            libc::free(text.cast());
        }
        let mut grown = Vec::<u8>::new();
        // A stream of the C library has a buffer of its own.
        // SAFETY: A stream is opened, written to and closed.
        unsafe {
            let stream = libc::fopen(c"/dev/null".as_ptr(), c"w".as_ptr());
            assert!(!stream.is_null());
            libc::fputs(c"text".as_ptr(), stream);
            libc::fclose(stream);
        }
        grown.extend([7; 10_000]);
        assert!(grown.iter().all(|byte| *byte == 7));
    });
}

#[test]
fn memory_that_left_its_execution_can_be_grown_elsewhere() {
    let kept = std::sync::Mutex::new(Vec::<u64>::new());
    let test = || kept.lock().unwrap().extend(0..100);
    selvedge_libc::install();
    let mut engine = Engine::new(settings(), Arc::new(Watch::default()));
    let config = config();
    let mut strategy = selvedge_strategy::of_config(&config);
    strategy.begin();
    assert_eq!(*engine.run(&test, strategy.as_mut(), None).ending(), Ending::Passed);
    std::thread::scope(|scope| {
        scope.spawn(|| kept.lock().unwrap().extend(100..10_000));
    });
    drop(engine);
    let kept = kept.into_inner().unwrap();
    assert!(kept.iter().enumerate().all(|(index, number)| index as u64 == *number));
    assert_eq!(kept.len(), 10_000);
}

#[test]
fn a_lock_in_freed_memory_is_found() {
    let finding = once(settings(), &|| {
        let mutex = Shared(Box::into_raw(Box::new(Mutex::new(0))));
        // SAFETY: Wrong on purpose.
        unsafe {
            *(*mutex.get()).lock().unwrap() += 1;
            drop(Box::from_raw(mutex.get()));
            *(*mutex.get()).lock().unwrap() += 1;
        }
    });
    let Some(FindingKind::UseAfterFree { used, .. }) = finding else { panic!("{finding:?}") };
    let MemoryUse::Operation { kind, .. } = used else { panic!("{used:?}") };
    assert_eq!(kind, Some(OperationKind::MutexLock));
}

#[test]
fn double_free_ends_the_execution_there() {
    let reached = std::sync::atomic::AtomicUsize::new(0);
    let finding = once(settings(), &|| {
        let block = Shared(Box::into_raw(Box::new(5_u64)));
        // SAFETY: Wrong on purpose.
        unsafe {
            drop(Box::from_raw(block.get()));
            thread::yield_now();
            drop(Box::from_raw(block.get()));
        }
        reached.fetch_add(1, SeqCst);
    });
    let Some(FindingKind::DoubleFree { block, again }) = finding else { panic!("{finding:?}") };
    assert_eq!(block.size, 8);
    assert!(block.freed.unwrap().after.is_none());
    assert!(again.after.is_some());
    assert_eq!(reached.into_inner(), 0);
}

#[test]
fn free_of_what_is_no_block_is_found() {
    let finding = once(settings(), &|| {
        let block: *mut [u64; 8] = Box::into_raw(Box::new([5_u64; 8]));
        // SAFETY: Wrong on purpose.
        unsafe { dealloc(block.cast::<u8>().add(16), Layout::new::<u64>()) };
    });
    let Some(FindingKind::InvalidFree { block, free }) = finding else { panic!("{finding:?}") };
    assert_eq!(block.unwrap().size, 64);
    assert_eq!(free.thread.unwrap().path.to_string(), "0");
}

#[test]
fn free_of_a_local_or_a_static_is_found() {
    static STATIC: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(3);
    let local = || {
        let mut local = [3_u64; 8];
        // SAFETY: Wrong on purpose.
        unsafe { dealloc(local.as_mut_ptr().cast(), Layout::new::<u64>()) };
    };
    // SAFETY: Wrong on purpose.
    let fixed = || unsafe { dealloc(STATIC.as_ptr().cast(), Layout::new::<u64>()) };
    for finding in [once(settings(), &local), once(settings(), &fixed)] {
        let Some(FindingKind::InvalidFree { block: None, .. }) = finding else {
            panic!("{finding:?}")
        };
    }
}

#[test]
fn a_write_to_freed_memory_is_found_at_the_end() {
    let test = || {
        let block: *mut [u64; 8] = Box::into_raw(Box::new([5_u64; 8]));
        // SAFETY: Wrong on purpose.
        unsafe {
            drop(Box::from_raw(block));
            (&raw mut (*block)[3]).write_volatile(1);
        }
    };
    let finding = once(settings(), &test);
    let Some(FindingKind::UseAfterFree { used, block }) = finding else { panic!("{finding:?}") };
    assert_eq!(used, MemoryUse::Write);
    assert_eq!(block.unwrap().size, 64);
}

#[test]
fn a_write_to_freed_memory_is_found_when_it_leaves_the_quarantine() {
    let config = selvedge_model::Config { quarantine: 16 << 10, ..config() };
    let settings = Settings { heap: Settings::new(&config).heap, ..settings() };
    let reached = std::sync::atomic::AtomicUsize::new(0);
    let finding = once(settings, &|| {
        let block: *mut [u64; 8] = Box::into_raw(Box::new([5_u64; 8]));
        // SAFETY: Wrong on purpose.
        unsafe {
            drop(Box::from_raw(block));
            (&raw mut (*block)[3]).write_volatile(1);
        }
        for number in 0..1_000_u64 {
            std::hint::black_box(Box::new(number));
        }
        reached.fetch_add(1, SeqCst);
    });
    assert!(matches!(finding, Some(FindingKind::UseAfterFree { .. })), "{finding:?}");
    assert_eq!(reached.into_inner(), 0);
}

#[test]
fn a_pointer_out_of_freed_memory_leads_to_a_finding_not_a_crash() {
    let finding = once(settings(), &|| {
        let block: *mut Box<[u64; 4]> = Box::into_raw(Box::new(Box::new([5; 4])));
        // SAFETY: Wrong on purpose.
        unsafe {
            drop(Box::from_raw(block));
            let inner = block.cast::<*const u64>().read_volatile();
            std::hint::black_box(inner.add(2).read_volatile());
        }
    });
    let Some(FindingKind::UseAfterFree { used, .. }) = finding else { panic!("{finding:?}") };
    assert!(matches!(&used, MemoryUse::Pointer { signal, .. } if signal == "SIGSEGV"), "{used:?}");
}

#[test]
fn too_much_memory_is_a_finding() {
    let config = selvedge_model::Config { memory: 10 << 20, ..config() };
    let settings = Settings { heap: Settings::new(&config).heap, ..settings() };
    let grow = || {
        let mut kept = Vec::new();
        loop {
            kept.push(vec![1_u8; 100_000]);
        }
    };
    let finding = once(settings.clone(), &grow);
    let Some(FindingKind::Memory { bytes, limit, last }) = finding else { panic!("{finding:?}") };
    assert_eq!(limit, 10 << 20);
    assert!(bytes > limit && bytes < 2 * limit, "{bytes}");
    assert_eq!(last.thread.unwrap().path.to_string(), "0");
    // All at once.
    let finding = once(settings.clone(), &|| {
        std::hint::black_box(vec![1_u8; 20 << 20]);
    });
    assert!(matches!(finding, Some(FindingKind::Memory { .. })), "{finding:?}");
    // What is never touched is nothing that the test uses.
    let finding = once(settings.clone(), &|| {
        std::hint::black_box(Vec::<u8>::with_capacity(20 << 20));
    });
    assert_eq!(finding, None);
}

#[test]
fn more_memory_than_there_is_is_refused_as_the_c_library_does() {
    passes(2, &|| {
        let mut bytes = vec![1_u8, 2, 3];
        assert!(bytes.try_reserve_exact(isize::MAX as usize - 3).is_err());
        assert_eq!(bytes, [1, 2, 3]);
        let zeros = Layout::from_size_align(isize::MAX as usize / 2, 1).unwrap();
        // SAFETY: The layout has a size.
        assert!(unsafe { alloc_zeroed(zeros) }.is_null());
        let aligned = Layout::from_size_align(1 << 62, 1 << 20).unwrap();
        // SAFETY: As above.
        assert!(unsafe { alloc(aligned) }.is_null());
    });
}

#[test]
fn leaks_are_found_if_they_are_looked_for() {
    static KEPT: std::sync::Mutex<Option<&'static [Box<u64>]>> = std::sync::Mutex::new(None);
    let config = selvedge_model::Config { leaks: Toggle::On, ..config() };
    let with_leaks = || Settings { heap: Settings::new(&config).heap, ..settings() };
    let leak = || {
        std::hint::black_box(Box::leak(Box::new([1_u64, 2, 3])));
    };
    assert_eq!(once(settings(), &leak), None);
    let finding = once(with_leaks(), &leak);
    let Some(FindingKind::Leak { blocks, count, bytes }) = finding else { panic!("{finding:?}") };
    assert_eq!((count, bytes, blocks[0].size), (1, 24, 24));
    let clean = || {
        let values: Vec<_> = (0..10).map(|n| thread::spawn(move || vec![n; n])).collect();
        values.into_iter().for_each(|value| drop(value.join().unwrap()));
    };
    assert_eq!(once(with_leaks(), &clean), None);
    // What a static refers to, and what that refers to, is in use.
    let reachable = || {
        let boxes: Vec<Box<u64>> = (0..10).map(Box::new).collect();
        *KEPT.lock().unwrap() = Some(Box::leak(boxes.into_boxed_slice()));
    };
    assert_eq!(once(with_leaks(), &reachable), None);
    *KEPT.lock().unwrap() = None;
}
