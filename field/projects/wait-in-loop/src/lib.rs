#![cfg(test)]

use std::sync::{Arc, Condvar, Mutex};
use std::thread;

/// Right: whoever was woken gives the lock back and looks again at the top of the loop.
#[test]
fn the_loop_looks_again() {
    let shared = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
    let other = Arc::clone(&shared);
    let waiter = thread::spawn(move || {
        loop {
            let mut queue = other.0.lock().unwrap();
            if let Some(number) = queue.pop() {
                return number;
            }
            drop(other.1.wait(queue));
        }
    });
    shared.0.lock().unwrap().push(7);
    shared.1.notify_one();
    assert_eq!(waiter.join().unwrap(), 7);
}
