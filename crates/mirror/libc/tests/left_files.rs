//! Files that an execution leaves open. The only test of its process: statics are put back, and nobody else may use those
//! meanwhile, as a runner does that prints.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use selvedge_engine::{Engine, Settings, Statics};
use selvedge_std::thread;
use selvedge_strategy::Random;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::{fs, mem};

fn eventfd() -> OwnedFd {
    // As some libraries do it, past the function.
    // SAFETY: Has no preconditions; nobody else owns the file.
    unsafe { OwnedFd::from_raw_fd(libc::syscall(libc::SYS_eventfd2, 0, libc::EFD_CLOEXEC) as i32) }
}

#[test]
fn files_that_are_left_are_closed_where_nobody_can_reach_them() {
    selvedge_libc::install();
    let settings = Settings { statics: Statics::PutBack, ..sample::settings() };
    let mut engine = Engine::new(settings, Arc::default());
    let test = || {
        mem::forget(eventfd());
        mem::forget(UnixStream::pair().unwrap());
        let closed = eventfd();
        thread::spawn(move || drop(closed)).join().unwrap();
    };
    let files = || fs::read_dir("/proc/self/fd").unwrap().count();
    engine.run(&test, &mut Random::new(7), None);
    let before = files();
    for _ in 0..100 {
        engine.run(&test, &mut Random::new(7), None);
    }
    assert_eq!(files(), before);
}
