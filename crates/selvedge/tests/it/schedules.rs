//! Schedules: a finding is seen again, exactly; what does not fit is told.

mod determinism;
mod misfit;
mod replay;
mod shrink;

use selvedge::sync::atomic::AtomicU32;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::sync::{Arc, Mutex};
use selvedge::thread;

/// Two threads add one to a counter, each by a load and a store.
fn lost_update() {
    let counter = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&counter);
    let adder = thread::spawn(move || theirs.store(theirs.load(SeqCst) + 1, SeqCst));
    counter.store(counter.load(SeqCst) + 1, SeqCst);
    adder.join().unwrap();
    assert_eq!(counter.load(SeqCst), 2, "an update was lost");
}

/// Two threads take two locks in opposite orders.
fn abba() {
    let locks = Arc::new((Mutex::new(()), Mutex::new(())));
    let theirs = Arc::clone(&locks);
    let backwards = thread::spawn(move || {
        let _second = theirs.1.lock().unwrap();
        let _first = theirs.0.lock().unwrap();
    });
    {
        let _first = locks.0.lock().unwrap();
        let _second = locks.1.lock().unwrap();
    }
    backwards.join().unwrap();
}
