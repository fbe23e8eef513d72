//! Timers that are files, inside an execution and outside.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use sample::{passes, results};
use selvedge_std::thread;
use std::io::{PipeReader, Read, pipe};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::time::{Duration, Instant};

const HOUR: Duration = Duration::from_secs(3600);

fn timer(clock: libc::clockid_t) -> OwnedFd {
    // SAFETY: Has no preconditions; nobody else owns the file.
    unsafe { OwnedFd::from_raw_fd(libc::timerfd_create(clock, libc::TFD_CLOEXEC)) }
}

fn time(duration: Duration) -> libc::timespec {
    let seconds = duration.as_secs() as libc::time_t;
    libc::timespec { tv_sec: seconds, tv_nsec: duration.subsec_nanos().into() }
}

fn duration(time: libc::timespec) -> Duration {
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Sets the timer and says what was left of it.
fn set(file: RawFd, flags: i32, first: Duration, interval: Duration) -> Duration {
    let new = libc::itimerspec { it_interval: time(interval), it_value: time(first) };
    let mut old = new;
    // SAFETY: Both live as long as the call.
    let result = unsafe { libc::timerfd_settime(file, flags, &raw const new, &raw mut old) };
    assert_eq!(result, 0);
    duration(old.it_value)
}

fn left(file: RawFd) -> Duration {
    let mut setting = libc::itimerspec { it_interval: time(HOUR), it_value: time(HOUR) };
    // SAFETY: The setting lives as long as the call.
    assert_eq!(unsafe { libc::timerfd_gettime(file, &raw mut setting) }, 0);
    duration(setting.it_value)
}

/// Waits until the timer has expired, and says how often.
fn expirations(file: RawFd) -> u64 {
    let mut count = [0; 8];
    // SAFETY: The buffer is as long as is said.
    assert_eq!(unsafe { libc::read(file, count.as_mut_ptr().cast(), 8) }, 8);
    u64::from_ne_bytes(count)
}

fn is_ready(file: RawFd) -> bool {
    let mut file = libc::pollfd { fd: file, events: libc::POLLIN, revents: 0 };
    // SAFETY: The file lives as long as the call.
    unsafe { libc::poll(&raw mut file, 1, 0) == 1 }
}

#[test]
fn whoever_reads_a_timer_waits_in_virtual_time() {
    selvedge_libc::install();
    passes(|| {
        let timer = timer(libc::CLOCK_MONOTONIC);
        let before = Instant::now();
        assert_eq!(set(timer.as_raw_fd(), 0, HOUR, Duration::ZERO), Duration::ZERO);
        assert!(!is_ready(timer.as_raw_fd()));
        assert!(left(timer.as_raw_fd()) > HOUR / 2);
        assert_eq!(expirations(timer.as_raw_fd()), 1);
        assert!(before.elapsed() >= HOUR && before.elapsed() < 2 * HOUR);
        assert_eq!(left(timer.as_raw_fd()), Duration::ZERO);
    });
}

#[test]
fn an_event_loop_waits_for_a_timer_among_others() {
    selvedge_libc::install();
    passes(|| {
        // SAFETY: Has no preconditions; nobody else owns the file.
        let group = unsafe { OwnedFd::from_raw_fd(libc::epoll_create1(0)) };
        let timers = [timer(libc::CLOCK_MONOTONIC), timer(libc::CLOCK_BOOTTIME)];
        for (number, timer) in timers.iter().enumerate() {
            let (add, file) = (libc::EPOLL_CTL_ADD, timer.as_raw_fd());
            let events = libc::EPOLLIN as u32;
            let mut interest = libc::epoll_event { events, u64: number as u64 };
            // SAFETY: The interest lives as long as the call.
            let added = unsafe { libc::epoll_ctl(group.as_raw_fd(), add, file, &raw mut interest) };
            assert_eq!(added, 0);
        }
        set(timers[0].as_raw_fd(), 0, 2 * HOUR, Duration::ZERO);
        set(timers[1].as_raw_fd(), 0, HOUR, Duration::ZERO);
        for expected in [1, 0] {
            let mut found = libc::epoll_event { events: 0, u64: 7 };
            // SAFETY: The event lives as long as the call.
            let count = unsafe { libc::epoll_wait(group.as_raw_fd(), &raw mut found, 1, -1) };
            assert_eq!((count, { found.u64 }), (1, expected));
            assert_eq!(expirations(timers[expected as usize].as_raw_fd()), 1);
        }
    });
}

#[test]
fn a_timer_can_be_set_to_a_moment() {
    selvedge_libc::install();
    passes(|| {
        for clock in [libc::CLOCK_MONOTONIC, libc::CLOCK_REALTIME, libc::CLOCK_BOOTTIME] {
            let timer = timer(clock);
            let mut now = time(HOUR);
            // SAFETY: The time lives as long as the call.
            assert_eq!(unsafe { libc::clock_gettime(clock, &raw mut now) }, 0);
            let before = Instant::now();
            let until = duration(now) + HOUR;
            set(timer.as_raw_fd(), libc::TFD_TIMER_ABSTIME, until, Duration::ZERO);
            assert_eq!(expirations(timer.as_raw_fd()), 1);
            assert!(before.elapsed() > HOUR / 2 && before.elapsed() < 2 * HOUR);
            // A moment that is over.
            set(timer.as_raw_fd(), libc::TFD_TIMER_ABSTIME, until, Duration::ZERO);
            assert!(is_ready(timer.as_raw_fd()));
        }
    });
}

#[test]
fn a_timer_expires_while_others_sleep_and_counts_how_often() {
    selvedge_libc::install();
    passes(|| {
        let timer = timer(libc::CLOCK_MONOTONIC);
        set(timer.as_raw_fd(), 0, HOUR, 2 * HOUR);
        // It expires after one, three and five hours.
        thread::sleep(6 * HOUR);
        assert_eq!(expirations(timer.as_raw_fd()), 3);
        assert!(!is_ready(timer.as_raw_fd()));
        thread::sleep(2 * HOUR);
        thread::sleep(2 * HOUR);
        assert_eq!(expirations(timer.as_raw_fd()), 2);
        assert_eq!(expirations(timer.as_raw_fd()), 1);
        // Set anew, it knows nothing of what was.
        thread::sleep(2 * HOUR);
        set(timer.as_raw_fd(), 0, HOUR, Duration::ZERO);
        assert!(!is_ready(timer.as_raw_fd()));
        set(timer.as_raw_fd(), 0, Duration::ZERO, Duration::ZERO);
        thread::sleep(2 * HOUR);
        assert!(!is_ready(timer.as_raw_fd()));
    });
}

#[test]
fn a_thread_that_waits_for_a_timer_is_woken_when_time_passes_for_others() {
    selvedge_libc::install();
    let results = results(|| {
        let timer = timer(libc::CLOCK_MONOTONIC);
        let before = Instant::now();
        set(timer.as_raw_fd(), 0, HOUR, Duration::ZERO);
        let waiter = thread::spawn(move || {
            expirations(timer.as_raw_fd());
            before.elapsed() < 2 * HOUR
        });
        thread::sleep(3 * HOUR);
        waiter.join().unwrap()
    });
    assert!(results.contains(&true), "{results:?}");
}

#[test]
fn a_timer_may_be_early_as_if_others_were_slow() {
    selvedge_libc::install();
    let results = results(|| {
        let timer = timer(libc::CLOCK_MONOTONIC);
        set(timer.as_raw_fd(), 0, HOUR, Duration::ZERO);
        let (mut input, output) = pipe().unwrap();
        let other = thread::spawn(move || {
            thread::yield_now();
            drop(output);
        });
        let files = [timer.as_raw_fd(), input.as_raw_fd()];
        let mut files =
            files.map(|fd| libc::pollfd { fd, events: libc::POLLIN | libc::POLLHUP, revents: 0 });
        // SAFETY: The files live as long as the call.
        assert!(unsafe { libc::poll(files.as_mut_ptr(), 2, -1) } > 0);
        let early = files[1].revents == 0;
        assert_eq!(input.read(&mut [0]).unwrap(), 0);
        other.join().unwrap();
        early
    });
    assert_eq!(results, [false, true].into());
}

#[test]
fn a_timer_that_was_closed_disturbs_nobody() {
    selvedge_libc::install();
    passes(|| {
        let closed = timer(libc::CLOCK_MONOTONIC);
        set(closed.as_raw_fd(), 0, HOUR, HOUR);
        let number = closed.as_raw_fd();
        drop(closed);
        let (input, _output): (PipeReader, _) = pipe().unwrap();
        thread::sleep(2 * HOUR);
        assert!(!is_ready(input.as_raw_fd()));
        let another = timer(libc::CLOCK_MONOTONIC);
        thread::sleep(2 * HOUR);
        assert!(!is_ready(another.as_raw_fd()), "{number}");
    });
}

#[test]
fn bad_settings_are_refused() {
    selvedge_libc::install();
    passes(|| {
        let timer = timer(libc::CLOCK_MONOTONIC);
        let bad = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000_000 };
        let new = libc::itimerspec { it_interval: bad, it_value: bad };
        let old = ptr::null_mut();
        // SAFETY: The setting lives as long as the calls, and null is allowed.
        unsafe {
            assert_eq!(libc::timerfd_settime(timer.as_raw_fd(), 0, &raw const new, old), -1);
            assert_eq!(libc::timerfd_settime(-1, 0, &raw const new, old), -1);
            assert_eq!(libc::timerfd_create(12345, 0), -1);
        }
    });
}

#[test]
fn outside_of_an_execution_and_from_there_timers_are_real() {
    selvedge_libc::install();
    let timer = timer(libc::CLOCK_MONOTONIC);
    let file = timer.as_raw_fd();
    set(file, 0, Duration::from_millis(1), Duration::ZERO);
    assert_eq!(expirations(file), 1);
    passes(move || {
        set(file, 0, HOUR, Duration::ZERO);
        thread::sleep(2 * HOUR);
        assert!(!is_ready(file));
        set(file, 0, Duration::from_nanos(1), Duration::ZERO);
        assert_eq!(expirations(file), 1);
    });
}
