//! Atomics order what their orderings say, no more and no less.

use super::Order::{After, Before, Unordered};
use super::{At, Order, Trace, orders};
use selvedge::Effect::Read;
use selvedge::OperationKind::{AtomicLoad, AtomicRmw, AtomicStore, Fence, MutexLock};
use selvedge::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use selvedge::sync::atomic::{AtomicU32, fence};
use selvedge::sync::{Arc, Mutex};
use selvedge::thread;

/// One thread stores, the test loads. Thread 1 stores, thread 0 loads.
fn message(store: Ordering, load: Ordering) {
    let flag = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&flag);
    let writer = thread::spawn(move || theirs.store(1, store));
    flag.load(load);
    writer.join().unwrap();
}

/// The store and the load, if the load has read it.
fn store_and_load(trace: &Trace) -> Option<(At<'_>, At<'_>)> {
    let load = trace.only(0, AtomicLoad);
    (load.effect() == Read(1)).then(|| (trace.only(1, AtomicStore), load))
}

#[test]
fn an_acquire_load_that_reads_a_release_store_comes_after_it() {
    for (store, load) in
        [(Release, Acquire), (SeqCst, Acquire), (Release, SeqCst), (SeqCst, SeqCst)]
    {
        let seen = orders(|| message(store, load), store_and_load);
        assert_eq!(seen, [Before], "{store:?} {load:?}");
    }
}

#[test]
fn relaxed_accesses_order_nothing() {
    for (store, load) in [(Relaxed, Relaxed), (Release, Relaxed), (Relaxed, Acquire)] {
        let seen = orders(|| message(store, load), store_and_load);
        assert_eq!(seen, [Unordered], "{store:?} {load:?}");
    }
}

#[test]
fn a_load_that_reads_an_older_value_is_not_ordered_with_the_store() {
    let seen = orders(
        || message(SeqCst, SeqCst),
        |trace| {
            let load = trace.only(0, AtomicLoad);
            (load.effect() == Read(0)).then(|| (trace.only(1, AtomicStore), load))
        },
    );
    assert_eq!(seen, [Unordered]);
}

/// A thread works and raises a flag; the test looks at the flag and works. Work is a lock of a
/// private mutex.
fn work_and_flag(raise: fn(&AtomicU32), look: fn(&AtomicU32) -> u32) {
    let flag = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&flag);
    let writer = thread::spawn(move || {
        drop(Mutex::new(()).lock().unwrap());
        raise(&theirs);
    });
    look(&flag);
    drop(Mutex::new(()).lock().unwrap());
    writer.join().unwrap();
}

/// How the work before the flag lies to the work after a look that has seen it raised.
fn work_to_work(raise: fn(&AtomicU32), look: fn(&AtomicU32) -> u32) -> Vec<Order> {
    orders(
        move || work_and_flag(raise, look),
        |trace| {
            let raised = trace.of(0, AtomicLoad).any(|load| load.effect() == Read(1));
            raised.then(|| (trace.only(1, MutexLock), trace.only(0, MutexLock)))
        },
    )
}

#[test]
fn release_and_acquire_order_the_work_around_them() {
    let seen = work_to_work(|flag| flag.store(1, Release), |flag| flag.load(Acquire));
    assert_eq!(seen, [Before]);
    let seen = work_to_work(|flag| flag.store(1, Relaxed), |flag| flag.load(Relaxed));
    assert_eq!(seen, [Unordered]);
}

#[test]
fn fences_order_the_work_around_relaxed_accesses() {
    fn fence_and_store(flag: &AtomicU32) {
        fence(Release);
        flag.store(1, Relaxed);
    }
    fn load_and_fence(flag: &AtomicU32) -> u32 {
        let seen = flag.load(Relaxed);
        fence(Acquire);
        seen
    }
    assert_eq!(work_to_work(fence_and_store, load_and_fence), [Before]);
    // Each fence works with the fitting access, too.
    assert_eq!(work_to_work(fence_and_store, |flag| flag.load(Acquire)), [Before]);
    assert_eq!(work_to_work(|flag| flag.store(1, Release), load_and_fence), [Before]);
    // And is worth nothing without the other half.
    assert_eq!(work_to_work(fence_and_store, |flag| flag.load(Relaxed)), [Unordered]);
    assert_eq!(work_to_work(|flag| flag.store(1, Relaxed), load_and_fence), [Unordered]);
}

#[test]
fn a_fence_on_the_wrong_side_orders_nothing() {
    fn store_and_fence(flag: &AtomicU32) {
        flag.store(1, Relaxed);
        fence(Release);
    }
    fn fence_and_load(flag: &AtomicU32) -> u32 {
        fence(Acquire);
        flag.load(Relaxed)
    }
    assert_eq!(work_to_work(store_and_fence, |flag| flag.load(Acquire)), [Unordered]);
    assert_eq!(work_to_work(|flag| flag.store(1, Release), fence_and_load), [Unordered]);
}

#[test]
fn a_release_fence_comes_before_the_acquire_fence_that_it_reaches() {
    let program = || {
        work_and_flag(
            |flag| {
                fence(Release);
                flag.store(1, Relaxed);
            },
            |flag| {
                let seen = flag.load(Relaxed);
                fence(Acquire);
                seen
            },
        );
    };
    let seen = orders(program, |trace| {
        let raised = trace.only(0, AtomicLoad).effect() == Read(1);
        raised.then(|| (trace.only(1, Fence), trace.only(0, Fence)))
    });
    assert_eq!(seen, [Before]);
}

/// A thread stores 1, the next does `between`, the test loads; the first is joined by nobody
/// before.
fn relay(between: fn(&AtomicU32)) -> Vec<Order> {
    let program = move || {
        let flag = AtomicU32::new(0);
        thread::scope(|scope| {
            scope.spawn(|| flag.store(1, Release));
            scope.spawn(|| between(&flag));
            flag.load(Acquire);
        });
    };
    orders(program, |trace| {
        let load = trace.only(0, AtomicLoad);
        // Both happened, in this order, and the load read what came last.
        (load.effect() == Read(2)).then(|| (trace.only(1, AtomicStore), load))
    })
}

#[test]
fn a_read_modify_write_continues_a_release_sequence() {
    // The value is 2 only if the store came first.
    assert_eq!(relay(|flag| _ = flag.fetch_add(1, Relaxed)), [Before]);
}

#[test]
fn a_plain_store_of_another_thread_ends_a_release_sequence() {
    assert_eq!(relay(|flag| flag.store(2, Relaxed)), [Unordered]);
}

#[test]
fn read_modify_writes_are_ordered_one_after_the_other() {
    let program = |ordering| {
        let counter = AtomicU32::new(0);
        thread::scope(|scope| {
            scope.spawn(|| counter.fetch_add(1, ordering));
            scope.spawn(|| counter.fetch_add(1, ordering));
        });
    };
    fn both(trace: &Trace) -> Option<(At<'_>, At<'_>)> {
        Some((trace.only(1, AtomicRmw), trace.only(2, AtomicRmw)))
    }
    assert_eq!(orders(|| program(AcqRel), both), [Before, After]);
    assert_eq!(orders(|| program(Relaxed), both), [Unordered]);
}
