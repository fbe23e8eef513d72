//! Two visits at the same time, and a counter that may lose one of them.

use selvedge::sync::atomic::{AtomicU32, Ordering::SeqCst};
use selvedge::thread;

#[selvedge::test]
fn no_visit_is_lost() {
    let visits = AtomicU32::new(0);
    let visit = || {
        let seen = visits.load(SeqCst);
        visits.store(seen + 1, SeqCst);
    };
    thread::scope(|scope| {
        scope.spawn(visit);
        scope.spawn(visit);
    });
    assert_eq!(visits.load(SeqCst), 2, "a visit was lost");
}
