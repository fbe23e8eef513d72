//! spin up to 0.5.1: <https://rustsec.org/advisories/RUSTSEC-2019-0013.html>
//!
//! A writer gives the `RwLock` back with a relaxed store: the next owner need not see what was written under the lock.

use spin::RwLock;
use std::thread;

#[test]
fn no_increment_is_lost() {
    let total = RwLock::new(0);
    thread::scope(|scope| {
        scope.spawn(|| *total.write() += 1);
        *total.write() += 1;
    });
    assert_eq!(*total.read(), 2);
}
