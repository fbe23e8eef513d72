//! Yielding and sleeping; what they mean to the engine is in `engine/objects/thread.rs`.

use crate::clock::virtual_clock;
use crate::errno::fail;
use crate::timespec;
use libc::{clockid_t, timespec as Timespec};
use selvedge_engine::{Controlled, Restart};
use selvedge_model::{OperationKind, Site};
use std::ffi::{c_int, c_uint};
use std::time::Duration;

in_front! {
    fn sched_yield() -> c_int => yield_now;
    fn sleep(seconds: c_uint) -> c_uint => sleep_seconds;
    fn usleep(micros: c_uint) -> c_int => sleep_micros;
    fn nanosleep(time: *const Timespec, left: *mut Timespec) -> c_int => sleep_nanos;
    fn clock_nanosleep(
        clock: clockid_t,
        flags: c_int,
        time: *const Timespec,
        left: *mut Timespec,
    ) -> c_int => sleep_on_clock;
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn yield_now(controlled: Controlled) -> Option<c_int> {
    controlled.yield_now(OperationKind::Yield, Site::caller());
    Some(0)
}

/// Sleeps until a signal comes or the time is over. Says what is left of it, if anything is.
fn rest(controlled: Controlled, time: Duration, site: Site) -> Option<Duration> {
    controlled.sleep_or(time, Restart::Never, site)
}

/// Tells the caller what is left, if it wants to know.
///
/// # Safety
///
/// The pointer is null or one to a time.
unsafe fn tell(left: *mut Timespec, time: Duration) {
    if !left.is_null() {
        // SAFETY: Passed on to the caller.
        unsafe { left.write(timespec::of_duration(time)) };
    }
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn sleep_seconds(controlled: Controlled, seconds: c_uint) -> Option<c_uint> {
    let left = rest(controlled, Duration::from_secs(seconds.into()), Site::caller());
    // The rest of a second counts as none.
    Some(left.map_or(0, |left| left.as_secs() as c_uint))
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn sleep_micros(controlled: Controlled, micros: c_uint) -> Option<c_int> {
    let left = rest(controlled, Duration::from_micros(micros.into()), Site::caller());
    Some(if left.is_some() { fail(libc::EINTR) } else { 0 })
}

/// # Safety
///
/// The arguments are as nanosleep(2) has them.
pub(crate) unsafe fn sleep_nanos(
    controlled: Controlled,
    time: *const Timespec,
    left: *mut Timespec,
) -> Option<c_int> {
    // SAFETY: The pointer is null or one to a time, as the caller has promised.
    let time = unsafe { time.as_ref() }?;
    let Some(duration) = timespec::duration(*time) else { return Some(fail(libc::EINVAL)) };
    Some(match rest(controlled, duration, Site::caller()) {
        None => 0,
        Some(rest) => {
            // SAFETY: As above.
            unsafe { tell(left, rest) };
            fail(libc::EINTR)
        }
    })
}

/// Unlike its siblings the function returns the reason for which it fails.
///
/// # Safety
///
/// The arguments are as clock_nanosleep(2) has them.
unsafe fn sleep_on_clock(
    controlled: Controlled,
    clock: clockid_t,
    flags: c_int,
    time: *const Timespec,
    left: *mut Timespec,
) -> Option<c_int> {
    let clock = virtual_clock(clock)?;
    // SAFETY: The pointer is null or one to a time, as the caller has promised.
    let time = unsafe { time.as_ref() }?;
    let Some(time) = timespec::duration(*time) else { return Some(libc::EINVAL) };
    let is_moment = flags & libc::TIMER_ABSTIME != 0;
    let duration = if is_moment { controlled.time_until(clock, time) } else { time };
    Some(match rest(controlled, duration, Site::caller()) {
        None => 0,
        Some(rest) => {
            if !is_moment {
                // SAFETY: As above.
                unsafe { tell(left, rest) };
            }
            libc::EINTR
        }
    })
}
