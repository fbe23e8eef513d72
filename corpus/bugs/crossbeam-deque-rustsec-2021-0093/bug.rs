//! crossbeam-deque 0.7.0 to 0.7.3 and 0.8.0: <https://rustsec.org/advisories/RUSTSEC-2021-0093.html>
//!
//! A thief that steals a batch looks up the buffer once and takes job after job out of it. If the owner moves its jobs to
//! another buffer in the meantime, because it has done many of them, and adds new ones there, then the thief takes
//! jobs from the old buffer which are done already, in the place of the new ones.

use crossbeam_deque::Worker;
use std::iter;
use std::thread;

#[test]
fn every_job_is_done_once() {
    let owner = Worker::new_lifo();
    let stealer = owner.stealer();
    (0..65).for_each(|job| owner.push(job));
    let thief = thread::spawn(move || {
        let stolen = Worker::new_lifo();
        let _ = stealer.steal_batch(&stolen);
        iter::from_fn(|| stolen.pop()).collect::<Vec<_>>()
    });
    let mut done: Vec<_> = iter::from_fn(|| owner.pop()).take(50).collect();
    (65..70).for_each(|job| owner.push(job));
    done.extend(iter::from_fn(|| owner.pop()));
    done.extend(thief.join().unwrap());
    done.sort_unstable();
    assert_eq!(done, (0..70).collect::<Vec<_>>());
}
