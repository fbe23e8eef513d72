//! Bugs that need weak memory are found, replayed and explained; without it they are not there.

use selvedge::sync::Arc;
use selvedge::sync::atomic::{AtomicBool, AtomicU32, Ordering, fence};
use selvedge::{Builder, Report, thread};
use selvedge_report::{Context, NoSources, Style, explain};

fn explore(memory: &str, test: impl Fn() + Send + Sync + 'static) -> Report {
    let settings = Builder::new().set("memory_model", memory).executions(2_000);
    settings.explore(test).expect("the settings are right")
}

/// Two threads announce themselves and look whether the other one has.
fn both_enter(between: impl Fn() + Copy + Send + Sync + 'static) -> impl Fn() + Send + Sync {
    move || {
        let wants = Arc::new([AtomicBool::new(false), AtomicBool::new(false)]);
        let theirs = Arc::clone(&wants);
        let enter = move |wants: &[AtomicBool; 2], me: usize| {
            wants[me].store(true, Ordering::Release);
            between();
            !wants[1 - me].load(Ordering::Acquire)
        };
        let other = thread::spawn(move || enter(&theirs, 1));
        let mine = enter(&wants, 0);
        assert!(!(mine && other.join().unwrap()), "both are in");
    }
}

#[test]
fn a_store_that_is_seen_too_late_is_found_and_replayed_and_explained() {
    let report = explore("weak", both_enter(|| {}));
    let finding = report.finding.expect("both may enter");
    assert!(finding.schedule.old_values() >= 1, "{}", finding.schedule);
    assert!(finding.schedule.old_values() <= 2, "{}", finding.schedule);
    // The schedule alone is enough.
    let schedule = finding.schedule.to_string();
    for _ in 0..2 {
        let again = Builder::new().set("replay", &schedule).explore(both_enter(|| {}));
        let again = again.expect("the settings are right").finding.expect("it comes again");
        assert!(again.kind.same_problem(&finding.kind));
    }
    let text = explain(&finding, Context::default(), Style::default(), &NoSources);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("saw the old value 0 at"), "{text}");
    assert!(words.contains("nothing orders that store before this"), "{text}");
    assert!(words.contains("load 0 (old)"), "{text}");
}

#[test]
fn it_is_not_there_without_weak_memory_and_not_with_a_fence() {
    assert!(explore("sc", both_enter(|| {})).finding.is_none());
    assert!(explore("weak", both_enter(|| fence(Ordering::SeqCst))).finding.is_none());
}

#[test]
fn a_loop_that_waits_comes_to_its_end() {
    let report = explore("weak", || {
        let (ready, data) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
        let (theirs, their_data) = (Arc::clone(&ready), Arc::clone(&data));
        let writer = thread::spawn(move || {
            their_data.store(7, Ordering::Relaxed);
            theirs.store(true, Ordering::Release);
        });
        while !ready.load(Ordering::Acquire) {
            thread::yield_now();
        }
        assert_eq!(data.load(Ordering::Relaxed), 7);
        writer.join().unwrap();
    });
    assert!(report.finding.is_none(), "{:?}", report.finding);
}

#[test]
fn locks_order_what_they_protect() {
    let report = explore("weak", || {
        let count = Arc::new((selvedge::sync::Mutex::new(()), AtomicU32::new(0)));
        let theirs = Arc::clone(&count);
        let add = |count: &(selvedge::sync::Mutex<()>, AtomicU32)| {
            let _guard = count.0.lock().unwrap();
            let seen = count.1.load(Ordering::Relaxed);
            count.1.store(seen + 1, Ordering::Relaxed);
        };
        let other = thread::spawn(move || add(&theirs));
        add(&count);
        other.join().unwrap();
        assert_eq!(count.1.load(Ordering::Relaxed), 2);
    });
    assert!(report.finding.is_none(), "{:?}", report.finding);
}

#[test]
fn values_that_are_written_by_other_means_are_seen() {
    let report = explore("weak", || {
        let mut value = AtomicU32::new(1);
        thread::scope(|scope| {
            scope.spawn(|| value.store(2, Ordering::Relaxed));
            scope.spawn(|| value.load(Ordering::Relaxed));
        });
        *value.get_mut() = 3;
        assert_eq!(value.load(Ordering::Relaxed), 3);
        thread::scope(|scope| {
            scope.spawn(|| assert_eq!(value.load(Ordering::Relaxed), 3));
        });
    });
    assert!(report.finding.is_none(), "{:?}", report.finding);
}
