//! Looking at the clock, and sleeping.

use crate::supported::clock;
use crate::supported::errno::set_errno;
use crate::supported::member::Inside;
use libc::{clockid_t, timespec};
use std::ffi::{c_int, c_uint};
use std::time::Duration;

selvedge_front::in_front! {
    Inside::enter;
    fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int => get;
    fn sleep(seconds: c_uint) -> c_uint => sleep_seconds;
    fn usleep(micros: c_uint) -> c_int => sleep_micros;
    fn nanosleep(time: *const timespec, left: *mut timespec) -> c_int => sleep_nanos;
    fn clock_nanosleep(
        clock: clockid_t,
        flags: c_int,
        time: *const timespec,
        left: *mut timespec,
    ) -> c_int => sleep_on_clock;
}

/// # Safety
///
/// The arguments are as clock_gettime(2) has them.
unsafe fn get(member: Inside, clock: clockid_t, time: *mut timespec) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let error = unsafe { real::clock_gettime.get()(clock, time) };
    if error == 0 {
        // SAFETY: The C library has written there without complaint.
        let time = unsafe { &mut *time };
        if let Some(shown) = member.group.clock.shown(clock, clock::duration(*time)?) {
            *time = clock::timespec(shown);
        }
    }
    Some(error)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn sleep_seconds(member: Inside, seconds: c_uint) -> Option<c_uint> {
    member.group.sleep(member.key, Duration::from_secs(seconds.into()));
    Some(0)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn sleep_micros(member: Inside, micros: c_uint) -> Option<c_int> {
    member.group.sleep(member.key, Duration::from_micros(micros.into()));
    Some(0)
}

/// # Safety
///
/// The arguments are as nanosleep(2) has them.
unsafe fn sleep_nanos(member: Inside, time: *const timespec, _: *mut timespec) -> Option<c_int> {
    // SAFETY: The pointer is null or one to a time, as the caller has promised.
    let time = unsafe { time.as_ref() }?;
    Some(match clock::duration(*time) {
        Some(time) => {
            member.group.sleep(member.key, time);
            0
        }
        None => {
            set_errno(libc::EINVAL);
            -1
        }
    })
}

/// Unlike its siblings the function returns the reason for which it fails. A sleep is never cut
/// short by a signal, so nothing is ever left of it.
///
/// # Safety
///
/// The arguments are as clock_nanosleep(2) has them.
unsafe fn sleep_on_clock(
    member: Inside,
    clock: clockid_t,
    flags: c_int,
    time: *const timespec,
    _: *mut timespec,
) -> Option<c_int> {
    // SAFETY: The pointer is null or one to a time, as the caller has promised.
    let time = unsafe { time.as_ref() }?;
    let Some(time) = clock::duration(*time) else { return Some(libc::EINVAL) };
    let until = member.group.clock.until(clock, time)?;
    let time = if flags & libc::TIMER_ABSTIME == 0 { time } else { until };
    member.group.sleep(member.key, time);
    Some(0)
}
