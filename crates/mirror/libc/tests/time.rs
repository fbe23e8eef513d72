//! Clocks and waiting by way of the C library, inside an execution and outside.

#![cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]

#[path = "../../std/tests/sample/mod.rs"]
mod sample;

use sample::{passes, results};
use selvedge_model::OperationKind;
use selvedge_std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use selvedge_std::thread;
use std::ptr;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

const HOUR: Duration = Duration::from_secs(3600);

fn nanosleep(duration: Duration) {
    let seconds = duration.as_secs() as libc::time_t;
    let time = libc::timespec { tv_sec: seconds, tv_nsec: duration.subsec_nanos().into() };
    // SAFETY: The time lives as long as the call.
    assert_eq!(unsafe { libc::nanosleep(&raw const time, ptr::null_mut()) }, 0);
}

fn clock(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: The time lives as long as the call.
    assert_eq!(unsafe { libc::clock_gettime(clock, &raw mut time) }, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[test]
fn sleeping_moves_the_clocks_of_the_real_std() {
    selvedge_libc::install();
    passes(|| {
        let (instant, system) = (Instant::now(), SystemTime::now());
        nanosleep(HOUR);
        std::thread::sleep(HOUR);
        assert!(instant.elapsed() >= 2 * HOUR);
        assert!(system.elapsed().unwrap() >= 2 * HOUR);
        assert!(instant.elapsed() < 3 * HOUR);
    });
}

#[test]
fn every_execution_begins_at_the_same_moment_on_every_clock() {
    selvedge_libc::install();
    let results = results(|| {
        // SAFETY: Null is allowed.
        let seconds = unsafe { libc::time(ptr::null_mut()) };
        let mut micros = libc::timeval { tv_sec: 0, tv_usec: 0 };
        // SAFETY: The time lives as long as the call.
        unsafe { libc::gettimeofday(&raw mut micros, ptr::null_mut()) };
        let monotonic = clock(libc::CLOCK_MONOTONIC);
        (seconds, micros.tv_sec, monotonic.as_secs(), clock(libc::CLOCK_REALTIME_COARSE).as_secs())
    });
    assert_eq!(results, [(1_735_689_600, 1_735_689_600, 1_000_000, 1_735_689_600)].into());
}

#[test]
fn the_mirror_and_the_real_std_read_the_same_clock() {
    selvedge_libc::install();
    passes(|| {
        let before = Instant::now();
        let mirrored = Instant::from(selvedge_std::time::Instant::now());
        let after = Instant::now();
        assert!(before <= mirrored && mirrored <= after, "{before:?} {mirrored:?} {after:?}");
        let mirrored = SystemTime::from(selvedge_std::time::SystemTime::now());
        assert!(mirrored <= SystemTime::now());
    });
}

#[test]
fn reading_the_clock_takes_the_same_steps_in_every_execution() {
    selvedge_libc::install();
    let test = || {
        let _ = selvedge_std::time::Instant::now();
        let _ = Instant::now();
    };
    assert_eq!(sample::events(test), sample::events(test));
}

#[test]
fn who_sleeps_until_a_moment_wakes_up_then() {
    selvedge_libc::install();
    passes(|| {
        let until = clock(libc::CLOCK_MONOTONIC) + HOUR;
        let time = libc::timespec { tv_sec: until.as_secs() as libc::time_t, tv_nsec: 0 };
        let sleep = || {
            let (clock, flags) = (libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME);
            // SAFETY: The time lives as long as the call.
            unsafe { libc::clock_nanosleep(clock, flags, &raw const time, ptr::null_mut()) }
        };
        assert_eq!(sleep(), 0);
        let now = clock(libc::CLOCK_MONOTONIC);
        assert!(now.as_secs() >= until.as_secs() && now < until + HOUR);
        assert_eq!(sleep(), 0);
        assert!(clock(libc::CLOCK_MONOTONIC) < until + HOUR);
    });
}

#[test]
fn who_sleeps_shorter_is_first() {
    selvedge_libc::install();
    passes(|| {
        let order = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&order);
        let other = thread::spawn(move || {
            // SAFETY: Has no preconditions.
            unsafe { libc::usleep(1_000) };
            theirs.store(1, SeqCst);
        });
        other.join().unwrap();
        // SAFETY: Has no preconditions.
        assert_eq!(unsafe { libc::sleep(1) }, 0);
        assert_eq!(order.load(SeqCst), 1);
    });
}

#[test]
fn who_yields_lets_others_run() {
    selvedge_libc::install();
    passes(|| {
        let flag = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&flag);
        let other = thread::spawn(move || theirs.store(1, SeqCst));
        while flag.load(SeqCst) == 0 {
            // SAFETY: Has no preconditions.
            assert_eq!(unsafe { libc::sched_yield() }, 0);
        }
        other.join().unwrap();
    });
    let events = sample::events(std::thread::yield_now);
    assert!(events.iter().any(|event| event.operation.kind == OperationKind::Yield));
}

#[test]
fn bad_times_are_refused() {
    selvedge_libc::install();
    passes(|| {
        let time = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000_000 };
        // SAFETY: The time lives as long as the calls.
        unsafe {
            assert_eq!(libc::nanosleep(&raw const time, ptr::null_mut()), -1);
            let (clock, none) = (libc::CLOCK_MONOTONIC, ptr::null_mut());
            assert_eq!(libc::clock_nanosleep(clock, 0, &raw const time, none), libc::EINVAL);
        }
    });
}

#[test]
fn outside_of_an_execution_the_clocks_are_real() {
    selvedge_libc::install();
    // Neither was the machine started just now, nor is it the year 2025 any more.
    let year_2026 = Duration::from_secs(1_767_225_600);
    assert!(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap() > year_2026);
    assert!(clock(libc::CLOCK_REALTIME) > year_2026);
    // SAFETY: Null is allowed.
    assert!(unsafe { libc::time(ptr::null_mut()) } > 1_767_225_600);
    let before = Instant::now();
    nanosleep(Duration::from_nanos(1));
    std::thread::yield_now();
    // SAFETY: Has no preconditions.
    unsafe { libc::usleep(1) };
    assert!(Instant::now() > before);
}

/// A file that is removed in the end.
struct Temporary(std::path::PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("selvedge-{name}-{}", std::process::id())))
    }

    fn modified(&self) -> SystemTime {
        std::fs::metadata(&self.0).unwrap().modified().unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn what_is_written_is_as_old_as_the_virtual_clock_says() {
    selvedge_libc::install();
    passes(|| {
        let file = Temporary::new("written");
        for _ in 0..3 {
            let before = SystemTime::now();
            std::fs::write(&file.0, "x").unwrap();
            let written = file.modified();
            assert!(before <= written && written <= SystemTime::now());
            nanosleep(HOUR);
            let age = written.elapsed().unwrap();
            assert!((HOUR..HOUR + Duration::from_secs(60)).contains(&age), "{age:?}");
        }
    });
}

#[test]
fn a_file_that_is_emptied_or_made_counts_as_written() {
    selvedge_libc::install();
    passes(|| {
        let file = Temporary::new("made");
        drop(std::fs::File::create_new(&file.0).unwrap());
        let made = file.modified();
        nanosleep(HOUR);
        drop(std::fs::File::create(&file.0).unwrap());
        assert!(file.modified().duration_since(made).unwrap() >= HOUR);
    });
}

#[test]
fn what_was_there_before_is_as_old_as_it_is() {
    selvedge_libc::install();
    let file = Temporary::new("before");
    std::fs::write(&file.0, "x").unwrap();
    let day = 24 * HOUR;
    let times = std::fs::FileTimes::new().set_modified(SystemTime::now() - day);
    std::fs::File::options().write(true).open(&file.0).unwrap().set_times(times).unwrap();
    passes(move || {
        let age = file.modified().elapsed().unwrap();
        assert!((day..day + HOUR).contains(&age), "{age:?}");
    });
}

#[test]
fn a_time_that_is_set_is_found_again() {
    selvedge_libc::install();
    passes(|| {
        let path = Temporary::new("set");
        let file = std::fs::File::create(&path.0).unwrap();
        let now = SystemTime::now();
        let moments = [SystemTime::UNIX_EPOCH + HOUR, now - HOUR, now, now + 1000 * HOUR];
        for moment in moments {
            file.set_modified(moment).unwrap();
            assert_eq!(path.modified(), moment);
        }
    });
}
