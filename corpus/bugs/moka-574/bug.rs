//! moka 0.12.13: <https://github.com/moka-rs/moka/issues/574>
//!
//! `and_compute_with` promises that computations for one key come one after the other. The asynchronous cache lets the next one
//! begin when the value has been computed, but not yet put into the cache, so that an update is lost.

use futures::executor::block_on;
use moka::future::Cache;
use moka::ops::compute::Op;
use std::future::ready;
use std::thread;

#[test]
fn no_increment_is_lost() {
    let cache: Cache<&str, u32> = Cache::new(10);
    let increment = || {
        block_on(cache.entry("hits").and_compute_with(|entry| {
            ready(Op::Put(entry.map_or(0, |entry| entry.into_value()) + 1))
        }))
    };
    thread::scope(|scope| {
        scope.spawn(increment);
        increment();
    });
    assert_eq!(block_on(cache.get("hits")), Some(2));
}
