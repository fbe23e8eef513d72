//! Times as the C library has them.

use libc::timespec;
use std::time::Duration;

const SECOND: libc::c_long = 1_000_000_000;

/// The duration, unless it is negative or has more than a second's worth of nanoseconds.
pub(crate) fn duration(time: timespec) -> Option<Duration> {
    let seconds = u64::try_from(time.tv_sec).ok()?;
    let nanos = u32::try_from(time.tv_nsec).ok().filter(|_| time.tv_nsec < SECOND)?;
    Some(Duration::new(seconds, nanos))
}

/// The time as the C library has it.
pub(crate) fn of_duration(duration: Duration) -> timespec {
    timespec { tv_sec: duration.as_secs() as _, tv_nsec: duration.subsec_nanos().into() }
}
