//! moka 0.12.13: <https://github.com/moka-rs/moka/issues/574>
//!
//! `and_compute_with` promises that calls for one key come one after the other. When one of them is done it takes the key's lock
//! out of the table although others wait for it, so that a newcomer computes at the same time as one of those, and an
//! update is lost.

use moka::ops::compute::Op;
use moka::sync::Cache;
use std::thread;

#[test]
fn no_increment_is_lost() {
    let cache: Cache<&str, u32> = Cache::new(10);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                cache.entry("hits").and_compute_with(|entry| {
                    Op::Put(entry.map_or(0, |entry| entry.into_value()) + 1)
                })
            });
        }
    });
    assert_eq!(cache.get("hits"), Some(3));
}
