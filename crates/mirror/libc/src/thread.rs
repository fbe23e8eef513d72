//! Yielding and sleeping; what they mean to the engine is in `engine/objects/thread.rs`.

use crate::clock::virtual_clock;
use crate::errno::fail;
use crate::timespec;
use libc::{clockid_t, timespec as Timespec};
use selvedge_engine::Controlled;
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

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn sleep_seconds(controlled: Controlled, seconds: c_uint) -> Option<c_uint> {
    controlled.sleep(Duration::from_secs(seconds.into()), Site::caller());
    Some(0)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn sleep_micros(controlled: Controlled, micros: c_uint) -> Option<c_int> {
    controlled.sleep(Duration::from_micros(micros.into()), Site::caller());
    Some(0)
}

/// # Safety
///
/// The arguments are as nanosleep(2) has them.
pub(crate) unsafe fn sleep_nanos(
    controlled: Controlled,
    time: *const Timespec,
    _: *mut Timespec,
) -> Option<c_int> {
    // SAFETY: The pointer is null or one to a time, as the caller has promised.
    let time = unsafe { time.as_ref() }?;
    Some(match timespec::duration(*time) {
        Some(duration) => {
            controlled.sleep(duration, Site::caller());
            0
        }
        None => fail(libc::EINVAL),
    })
}

/// Unlike its siblings the function returns the reason for which it fails. Nothing ever interrupts
/// a sleep, so nothing is ever left of it.
///
/// # Safety
///
/// The arguments are as clock_nanosleep(2) has them.
unsafe fn sleep_on_clock(
    controlled: Controlled,
    clock: clockid_t,
    flags: c_int,
    time: *const Timespec,
    _: *mut Timespec,
) -> Option<c_int> {
    let clock = virtual_clock(clock)?;
    // SAFETY: The pointer is null or one to a time, as the caller has promised.
    let time = unsafe { time.as_ref() }?;
    let Some(time) = timespec::duration(*time) else { return Some(libc::EINVAL) };
    let duration = match flags & libc::TIMER_ABSTIME {
        0 => time,
        _ => controlled.time_until(clock, time),
    };
    controlled.sleep(duration, Site::caller());
    Some(0)
}
