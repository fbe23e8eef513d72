//! spin 0.9.3 to 0.9.7: <https://rustsec.org/advisories/RUSTSEC-2023-0031.html>
//!
//! `Once::try_call_once` believes that an initialisation which has begun will be completed. If another thread's
//! initialisation fails, it returns the value that was never written (in debug builds it panics).

use spin::Once;
use std::thread;

#[test]
fn after_a_failure_the_next_one_initialises() {
    let config: Once<u32> = Once::new();
    thread::scope(|scope| {
        scope.spawn(|| assert!(config.try_call_once(|| Err::<u32, _>("no such file")) != Ok(&0)));
        assert_eq!(config.try_call_once(|| Ok::<_, &str>(7)), Ok(&7));
    });
}
