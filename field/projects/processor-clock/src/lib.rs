//! Time as libraries measure it that ask the processor and not the system.

#![cfg(test)]

use std::thread;
use std::time::Duration;

/// Cycles of the processor, of which there are more than 10,000,000 in a second.
#[cfg(target_arch = "x86_64")]
fn cycles() -> u64 {
    // SAFETY: Every processor of this kind has the instruction.
    unsafe { core::arch::x86_64::_rdtsc() }
}

#[cfg(not(target_arch = "x86_64"))]
fn cycles() -> u64 {
    std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64
}

#[test]
fn cycles_pass_while_threads_sleep() {
    let start = cycles();
    let sleepers =
        [1, 2].map(|seconds| thread::spawn(move || thread::sleep(Duration::from_secs(seconds))));
    for sleeper in sleepers {
        sleeper.join().unwrap();
    }
    assert!(cycles() - start > 20_000_000);
}
