//! `isolation = fork` with the library. A binary of its own with one test, since a child has none of
//! the threads that other tests run on.
#![cfg(target_os = "linux")]

use selvedge::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use selvedge::thread;

#[test]
fn statics_are_as_new_in_every_execution() {
    static COUNTER: AtomicUsize = AtomicUsize::new(0);
    let report = selvedge::Builder::new()
        .set("isolation", "fork")
        .executions(30)
        .explore(|| {
            let threads = [(); 2].map(|()| thread::spawn(|| COUNTER.fetch_add(1, SeqCst)));
            let most = threads.map(|thread| thread.join().unwrap()).into_iter().max();
            assert_eq!(most, Some(1));
        })
        .unwrap();
    assert_eq!(report.finding, None);
    assert_eq!(report.executions, 30);
    assert_eq!(COUNTER.load(SeqCst), 0);
}
