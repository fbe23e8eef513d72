//! The time that this process has computed for.

use std::time::Duration;

/// Processor time of all threads of the process. Engines put their work on threads as they like,
/// and others use the machine at the same time, so neither the clock of one thread nor the one
/// on the wall would do.
pub(crate) fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: The pointer is to a local of the right type.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(failed, 0, "this system has no clock for the time of a process");
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}
