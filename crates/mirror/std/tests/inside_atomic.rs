//! Under control the mirrors of the atomics do what std's do, one operation at a time, and tell
//! what they did.

mod sample;

use sample::{endings, events, panics, passes, results, settings};
use selvedge_engine::{Ending, Settings};
use selvedge_model::{Effect, OperationKind, Rate};
use selvedge_std::sync::atomic::{AtomicBool, AtomicI8, AtomicPtr, AtomicU32, Ordering, fence};
use selvedge_std::sync::{Barrier, LazyLock, Once, OnceLock, RwLock, RwLockWriteGuard};
use selvedge_std::thread;
use std::collections::BTreeSet;
use std::ptr;
use std::sync::Mutex;

#[test]
fn an_update_in_two_steps_gets_lost_and_one_in_one_step_does_not() {
    let add: [fn(&AtomicU32); 3] = [
        |it| it.store(it.load(Ordering::SeqCst) + 1, Ordering::SeqCst),
        |it| _ = it.fetch_add(1, Ordering::SeqCst),
        |it| _ = it.update(Ordering::SeqCst, Ordering::SeqCst, |value| value + 1),
    ];
    let sums = add.map(|add| {
        results(|| {
            let it = AtomicU32::new(0);
            thread::scope(|scope| (0..2).for_each(|_| _ = scope.spawn(|| add(&it))));
            it.into_inner()
        })
    });
    assert_eq!(sums, [BTreeSet::from([1, 2]), BTreeSet::from([2]), BTreeSet::from([2])]);
}

#[test]
fn only_weak_exchanges_fail_for_no_reason() {
    let seen = Mutex::new(BTreeSet::new());
    let ended = endings(Settings { weak_cas: Rate::Eager, ..settings() }, || {
        let it = AtomicBool::new(false);
        let (order, failure) = (Ordering::AcqRel, Ordering::Acquire);
        assert_eq!(it.compare_exchange(false, true, order, failure), Ok(false));
        assert_eq!(it.compare_exchange_weak(false, true, order, failure), Err(true));
        let weak = it.compare_exchange_weak(true, false, order, failure);
        assert_eq!(it.load(Ordering::Relaxed), weak.is_err());
        seen.lock().unwrap().insert(weak);
        assert!(it.fetch_update(order, failure, |value| Some(!value)).is_ok());
    });
    assert!(ended.iter().all(|ending| *ending == Ending::Passed));
    assert_eq!(seen.into_inner().unwrap(), BTreeSet::from([Ok(true), Err(true)]));
}

#[test]
fn orderings_without_sense_panic_under_control_too() {
    use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    passes(|| {
        let it = AtomicU32::new(0);
        assert!(panics(|| _ = it.load(Release)) && panics(|| _ = it.load(AcqRel)));
        assert!(panics(|| it.store(1, Acquire)) && panics(|| it.store(1, AcqRel)));
        for failure in [Release, AcqRel] {
            assert!(panics(|| _ = it.compare_exchange(0, 1, SeqCst, failure)));
            assert!(panics(|| _ = it.compare_exchange_weak(0, 1, SeqCst, failure)));
            assert!(panics(|| _ = it.fetch_update(SeqCst, failure, Some)));
        }
        assert!(panics(|| fence(Relaxed)));
        assert_eq!(it.load(Relaxed), 0);
    });
}

#[test]
fn events_show_values_and_never_addresses() {
    let order = Ordering::SeqCst;
    let seen = events(|| {
        let number = AtomicI8::new(-1);
        number.fetch_sub(1, order);
        let (mut first, mut second) = (1, 2);
        let pointer = AtomicPtr::new(ptr::null_mut());
        pointer.store(&raw mut first, order);
        pointer.swap(&raw mut second, order);
        let _ = pointer.compare_exchange(&raw mut first, ptr::null_mut(), order, order);
        assert_eq!(format!("{number:?}"), "-2");
        let _ = format!("{pointer:?} {pointer:p}");
    });
    let effects: Vec<_> = seen
        .iter()
        .filter(|event| event.operation.kind.name() != "start")
        .map(|event| event.effect)
        .take(4)
        .collect();
    let minus = |value: i64| value.cast_unsigned();
    assert_eq!(
        effects,
        [
            Effect::Changed { from: minus(-1), to: minus(-2) },
            Effect::Wrote(1),
            Effect::Changed { from: 1, to: 1 },
            Effect::Kept(1),
        ]
    );
    // Besides those, only the begin and the end: to show an atomic is no operation.
    assert_eq!(seen.len(), 6);
}

/// Every operation is reported at the line of the test that asked for it.
#[test]
fn sites_are_those_of_the_caller() {
    let seen = events(|| {
        let order = Ordering::SeqCst;
        let lock = RwLock::new(0);
        drop(RwLockWriteGuard::downgrade(lock.write().unwrap()));
        drop((lock.read(), lock.try_read()));
        drop(lock.try_write());
        let once = Once::new();
        once.call_once(|| ());
        once.wait();
        let cell = OnceLock::new();
        let _ = (cell.set(1), cell.get(), cell.wait(), cell.get_or_init(|| 1), cell.clone());
        let lazy = LazyLock::new(|| 1_u32);
        let _ = (*lazy + 1, LazyLock::get(&lazy), LazyLock::force(&lazy), lazy.pow(2));
        Barrier::new(1).wait();
        let it = AtomicU32::new(0);
        it.store(it.load(order) + it.swap(1, order) + it.fetch_max(1, order), order);
        let _ = it.fetch_update(order, order, |value| Some(value + 1));
        it.update(order, order, |value| value + 1);
        fence(order);
    });
    // Nobody called for the test's own thread.
    let own = [OperationKind::ThreadStart, OperationKind::ThreadEnd];
    for event in seen.iter().filter(|event| !own.contains(&event.operation.kind)) {
        let source = event.operation.site.source();
        assert!(source.file.ends_with("inside_atomic.rs"), "{event:?}");
    }
    let count = |kind| seen.iter().filter(|event| event.operation.kind == kind).count();
    assert_eq!(count(OperationKind::RwDowngrade), 1);
    assert_eq!(count(OperationKind::RwReadUnlock), 3);
    assert_eq!(count(OperationKind::OnceDone), 3);
    assert_eq!(count(OperationKind::Fence), 1);
}
