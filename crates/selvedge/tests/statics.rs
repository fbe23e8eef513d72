//! Tests of one process that share statics, run in parallel: each still has full control.

use selvedge::sync::Mutex;
use selvedge::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use selvedge::{Builder, Replayed, thread};
use std::time::Duration;

static SHARED: Mutex<u64> = Mutex::new(0);

/// Leaves the static as it was, if nobody else interferes.
fn uses_the_static() {
    let inside = std::sync::Arc::new(AtomicUsize::new(0));
    let workers: Vec<_> = (0..2)
        .map(|_| {
            let inside = std::sync::Arc::clone(&inside);
            thread::spawn(move || {
                let mut shared = SHARED.lock().unwrap();
                assert_eq!(inside.fetch_add(1, SeqCst), 0, "two threads hold the lock");
                *shared += 1;
                inside.fetch_sub(1, SeqCst);
                *shared -= 1;
            })
        })
        .collect();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    assert_eq!(*SHARED.lock().unwrap(), 0);
}

#[test]
fn campaigns_that_share_a_static_take_turns() {
    let campaigns: Vec<_> = (0..4)
        .map(|seed| {
            std::thread::Builder::new()
                .name(format!("campaign {seed}"))
                .spawn(move || {
                    Builder::new()
                        .seed(seed)
                        .executions(3_000)
                        .time(Duration::from_secs(60))
                        .explore(uses_the_static)
                        .unwrap()
                })
                .unwrap()
        })
        .collect();
    for campaign in campaigns {
        let report = campaign.join().unwrap();
        assert!(report.finding.is_none(), "{:#?}", report.finding.map(|finding| finding.kind));
        assert_eq!(report.executions, 3_000);
    }
}

#[test]
fn an_object_that_a_foreign_thread_holds_is_named() {
    static HELD: Mutex<()> = Mutex::new(());
    let held = HELD.lock().unwrap();
    let report = Builder::new().executions(1).explore(|| drop(HELD.lock())).unwrap();
    drop(held);
    let finding = report.finding.expect("the lock is held by a thread that is not under control");
    let selvedge::FindingKind::Panic(panic) = finding.kind else { panic!("{:?}", finding.kind) };
    assert!(panic.message.contains("in use by a thread that is not under control"), "{panic:?}");
}

/// Filled by the first execution that needs it, as caches of crates are.
static FILLED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

#[test]
fn a_finding_of_the_execution_that_fills_a_static_comes_again() {
    let report = Builder::new()
        .explore(|| {
            let filling = Mutex::new(());
            if !FILLED.swap(true, SeqCst) {
                drop(filling.lock());
            }
            let failing = thread::spawn(|| panic!("expected"));
            assert!(failing.join().is_ok());
        })
        .unwrap();
    let finding = report.finding.unwrap();
    assert_eq!((finding.execution, finding.replayed), (1, Replayed::Yes));
}
