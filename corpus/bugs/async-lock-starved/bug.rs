//! async-lock 1.1.1: <https://github.com/smol-rs/async-lock/commit/2ceca7d>
//!
//! Who has waited for more than half a millisecond takes the lock in another way, and mistakes the moment in which it has got it
//! for a failure. Nobody holds the lock from then on, and nobody gets it.

use async_lock::Lock;
use futures::executor::block_on;
use std::thread;
use std::time::Duration;

#[test]
fn a_slow_owner_holds_nobody_up_for_ever() {
    let lock = Lock::new(0);
    let patient = {
        let lock = lock.clone();
        thread::spawn(move || *block_on(lock.lock()) += 1)
    };
    {
        let mut value = block_on(lock.lock());
        thread::sleep(Duration::from_millis(1));
        *value += 1;
    }
    *block_on(lock.lock()) += 1;
    patient.join().unwrap();
    assert_eq!(*block_on(lock.lock()), 3);
}
