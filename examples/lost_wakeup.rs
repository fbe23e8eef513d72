//! A notification that nobody hears: it falls between the waiter's look and its sleep.
//!
//!     cargo run -p selvedge-examples --example lost_wakeup

use selvedge::Builder;
use selvedge::sync::atomic::{AtomicBool, Ordering::SeqCst};
use selvedge::sync::{Condvar, Mutex};
use selvedge::thread;

struct Gate {
    open: AtomicBool,
    lock: Mutex<()>,
    opened: Condvar,
}

impl Gate {
    fn pass(&self) {
        let mut guard = self.lock.lock().unwrap();
        while !self.open.load(SeqCst) {
            guard = self.opened.wait(guard).unwrap();
        }
    }

    /// The bug: the lock is not taken, so this may happen when `pass` has seen a closed gate and
    /// does not wait yet.
    fn open(&self) {
        self.open.store(true, SeqCst);
        self.opened.notify_all();
    }
}

/// One thread passes the gate that another one opens.
pub(crate) fn test() {
    let gate = Gate { open: AtomicBool::new(false), lock: Mutex::new(()), opened: Condvar::new() };
    thread::scope(|scope| {
        scope.spawn(|| gate.pass());
        scope.spawn(|| gate.open());
    });
}

/// Explores the test.
pub(crate) fn main() {
    let command = "cargo run -p selvedge-examples --example lost_wakeup";
    selvedge_examples::show(command, Builder::new(), test);
}
