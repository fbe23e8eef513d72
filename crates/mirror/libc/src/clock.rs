//! Clocks; what they show in an execution is in `engine/clock.rs`.
//!
//! The clocks that count the time of a processor, of a process or of a device are real. Timers that
//! are files are not there, as on systems that have none: the kernel would let them run by the real
//! clock. Whoever waits for files knows how to wait with a timeout instead.

use crate::errno::fail;
use crate::timespec;
use libc::{clockid_t, timespec as Timespec, timeval};
use selvedge_engine::{Controlled, VirtualClock};
use selvedge_model::Site;
use std::ffi::{c_int, c_void};

in_front! {
    fn clock_gettime(clock: clockid_t, time: *mut Timespec) -> c_int => get;
    fn gettimeofday(time: *mut timeval, zone: *mut c_void) -> c_int => get_micros;
    fn time(time: *mut libc::time_t) -> libc::time_t => get_seconds;
    fn timerfd_create(clock: c_int, flags: c_int) -> c_int => no_timer;
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn no_timer(_: Controlled, _: c_int, _: c_int) -> Option<c_int> {
    Some(fail(libc::ENOSYS))
}

/// The virtual clock that stands for a clock of the system, if one does.
pub(crate) fn virtual_clock(clock: clockid_t) -> Option<VirtualClock> {
    match clock {
        libc::CLOCK_MONOTONIC
        | libc::CLOCK_MONOTONIC_RAW
        | libc::CLOCK_MONOTONIC_COARSE
        | libc::CLOCK_BOOTTIME
        | libc::CLOCK_BOOTTIME_ALARM => Some(VirtualClock::Monotonic),
        libc::CLOCK_REALTIME
        | libc::CLOCK_REALTIME_COARSE
        | libc::CLOCK_REALTIME_ALARM
        | libc::CLOCK_TAI => Some(VirtualClock::Calendar),
        _ => None,
    }
}

/// # Safety
///
/// The arguments are as clock_gettime(3) has them.
pub(crate) unsafe fn get(
    controlled: Controlled,
    clock: clockid_t,
    time: *mut Timespec,
) -> Option<c_int> {
    let clock = virtual_clock(clock)?;
    if time.is_null() {
        return None;
    }
    let now = controlled.read_clock(clock, Site::caller());
    // SAFETY: The pointer is not null, and so is one to a time, as the caller has promised.
    unsafe { time.write(timespec::of_duration(now)) };
    Some(0)
}

/// # Safety
///
/// The arguments are as gettimeofday(2) has them.
unsafe fn get_micros(
    controlled: Controlled,
    time: *mut timeval,
    zone: *mut c_void,
) -> Option<c_int> {
    if time.is_null() || !zone.is_null() {
        return None;
    }
    let now = controlled.read_clock(VirtualClock::Calendar, Site::caller());
    let (seconds, micros) = (now.as_secs() as _, now.subsec_micros().into());
    // SAFETY: The pointer is not null, and so is one to a time, as the caller has promised.
    unsafe { time.write(timeval { tv_sec: seconds, tv_usec: micros }) };
    Some(0)
}

/// # Safety
///
/// The argument is as time(2) has it.
unsafe fn get_seconds(controlled: Controlled, time: *mut libc::time_t) -> Option<libc::time_t> {
    let now = controlled.read_clock(VirtualClock::Calendar, Site::caller());
    let seconds = now.as_secs() as libc::time_t;
    if !time.is_null() {
        // SAFETY: The pointer is not null, and so is one to a time, as the caller has promised.
        unsafe { time.write(seconds) };
    }
    Some(seconds)
}
