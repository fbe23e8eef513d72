//! Functions that concern the calling thread: park, sleep, yield.

use real::io;
use real::num::NonZero;
use real::time::Duration;
use selvedge_engine::Controlled;
use selvedge_model::{OperationKind, Site};

/// Blocks unless or until the current thread's token is made available.
#[track_caller]
pub fn park() {
    match Controlled::current() {
        Some(controlled) => controlled.park(None, Site::caller()),
        None => real::thread::park(),
    }
}

/// Blocks unless or until the current thread's token is made available or the specified duration
/// has been reached (may wake spuriously).
#[track_caller]
pub fn park_timeout(dur: Duration) {
    match Controlled::current() {
        Some(controlled) => controlled.park(Some(dur), Site::caller()),
        None => real::thread::park_timeout(dur),
    }
}

/// Uses [`park_timeout`].
#[deprecated(since = "1.6.0", note = "replaced by `std::thread::park_timeout`")]
#[track_caller]
pub fn park_timeout_ms(ms: u32) {
    park_timeout(Duration::from_millis(ms.into()));
}

/// Puts the current thread to sleep for at least the specified amount of time, which under
/// control is virtual.
#[track_caller]
pub fn sleep(dur: Duration) {
    match Controlled::current() {
        Some(controlled) => controlled.sleep(dur, Site::caller()),
        None => real::thread::sleep(dur),
    }
}

/// Uses [`sleep`].
#[deprecated(since = "1.6.0", note = "replaced by `std::thread::sleep`")]
#[track_caller]
pub fn sleep_ms(ms: u32) {
    sleep(Duration::from_millis(ms.into()));
}

/// Cooperatively gives up a timeslice to the scheduler.
#[track_caller]
pub fn yield_now() {
    match Controlled::current() {
        Some(controlled) => controlled.yield_now(OperationKind::Yield, Site::caller()),
        None => real::thread::yield_now(),
    }
}

/// Determines whether the current thread is unwinding because of panic.
#[inline]
#[must_use]
pub fn panicking() -> bool {
    crate::sync::poison::panicking()
}

/// Returns an estimate of the default amount of parallelism a program should use; under control
/// it is a setting, the same on every machine.
pub fn available_parallelism() -> io::Result<NonZero<usize>> {
    match Controlled::current().and_then(|controlled| NonZero::new(controlled.parallelism())) {
        Some(parallelism) => Ok(parallelism),
        None => real::thread::available_parallelism(),
    }
}
