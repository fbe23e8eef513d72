//! Files that threads of an execution have opened. Alone in their process, since children of other
//! tests might have them as well.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use selvedge_engine::{Ending, Engine};
use selvedge_strategy::Random;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

fn eventfd() -> OwnedFd {
    // As some libraries do it, past the function.
    // SAFETY: Has no preconditions; nobody else owns the file.
    unsafe { OwnedFd::from_raw_fd(libc::syscall(libc::SYS_eventfd2, 0, libc::EFD_CLOEXEC) as i32) }
}

/// Runs the test once.
fn run(test: impl Fn() + Sync) -> Ending {
    let mut engine = Engine::new(sample::settings(), Arc::default());
    engine.run(&test, &mut Random::new(7), None).ending().clone()
}

#[test]
fn an_event_loop_that_nobody_can_wake_is_stuck() {
    selvedge_libc::install();
    let ending = run(|| {
        let event = eventfd();
        let (here, _there) = UnixStream::pair().unwrap();
        let here = here.try_clone().unwrap();
        // SAFETY: Has no preconditions; nobody else owns the file.
        let group = unsafe { OwnedFd::from_raw_fd(libc::epoll_create1(0)) };
        for file in [event.as_raw_fd(), here.as_raw_fd()] {
            let mut interest = libc::epoll_event { events: libc::EPOLLIN as u32, u64: 42 };
            let add = libc::EPOLL_CTL_ADD;
            // SAFETY: The interest lives as long as the call.
            unsafe { libc::epoll_ctl(group.as_raw_fd(), add, file, &raw mut interest) };
        }
        let mut found = libc::epoll_event { events: 0, u64: 0 };
        // SAFETY: The event lives as long as the call.
        unsafe { libc::epoll_wait(group.as_raw_fd(), &raw mut found, 1, -1) };
    });
    assert_eq!(ending, Ending::Stuck);
}
