//! Time as ordinary tests use it.

#![cfg(test)]

use std::hint::black_box;
use std::time::{Duration, Instant};

#[test]
fn many_looks_take_little_time() {
    let start = Instant::now();
    for _ in 0..40_000 {
        black_box(start.elapsed());
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn a_cache_keeps_what_is_fresh() {
    let mut cache = std::collections::BTreeMap::new();
    for key in 0..20_000_u32 {
        cache.insert(key % 100, (Instant::now(), key));
        let (stored, _) = cache[&(key % 100)];
        assert!(stored.elapsed() < Duration::from_secs(1), "{:?}", stored.elapsed());
    }
}

#[test]
fn a_spinning_wait_ends() {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2) {
        std::hint::spin_loop();
    }
}
