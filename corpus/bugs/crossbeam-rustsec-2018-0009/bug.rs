//! crossbeam 0.4.0: <https://rustsec.org/advisories/RUSTSEC-2018-0009.html>
//!
//! A job that was popped out of an `MsQueue` is dropped again with the node that it came from, when its turn to be freed has come.
//! That takes no second thread: an ordinary test that counts drops fails as well.

use crossbeam::queue::MsQueue;
use std::sync::atomic::{AtomicIsize, Ordering};

static DROPPED: AtomicIsize = AtomicIsize::new(0);

struct Job(#[expect(dead_code, reason = "a job has something in it")] u32);

impl Drop for Job {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn every_job_is_dropped_once() {
    let before = DROPPED.load(Ordering::SeqCst);
    let queue = MsQueue::new();
    for number in 0..500 {
        queue.push(Job(number));
        drop(queue.try_pop());
    }
    drop(queue);
    assert_eq!(DROPPED.load(Ordering::SeqCst) - before, 500);
}
