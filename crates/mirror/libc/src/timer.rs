//! Timers that are files; what they mean in an execution is in `engine/timer.rs`.
//!
//! The real timer of a controlled thread is always off. The engine makes it expire when virtual time
//! has come so far.

use crate::clock::virtual_clock;
use crate::errno::{fail, keeping_errno};
use crate::timespec;
use libc::{itimerspec, timespec as Timespec};
use selvedge_engine::{Carries, Controlled, Reach, TimerSetting, TimerStart};
use std::ffi::c_int;
use std::ptr;
use std::time::Duration;

in_front! {
    fn timerfd_create(clock: c_int, flags: c_int) -> c_int => inside_create;
    fn timerfd_settime(
        file: c_int,
        flags: c_int,
        new: *const itimerspec,
        old: *mut itimerspec,
    ) -> c_int => inside_set;
    fn timerfd_gettime(file: c_int, setting: *mut itimerspec) -> c_int => inside_get;
}

/// Neither a moment nor a duration: off.
const OFF: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_create(controlled: Controlled, clock: c_int, flags: c_int) -> Option<c_int> {
    let virtual_clock = virtual_clock(clock)?;
    // SAFETY: Has no preconditions.
    let file = unsafe { real::timerfd_create.get()(clock, flags) };
    let _errno = keeping_errno();
    if file >= 0 {
        controlled.file_opened(file, Reach::Process);
        controlled.timer_created(file, virtual_clock);
    }
    Some(file)
}

/// # Safety
///
/// The arguments are as timerfd_settime(2) has them.
unsafe fn inside_set(
    controlled: Controlled,
    file: c_int,
    flags: c_int,
    new: *const itimerspec,
    old: *mut itimerspec,
) -> Option<c_int> {
    let before = controlled.timer_setting(file)?;
    // SAFETY: The pointer is null or one to a setting, as the caller has promised.
    let new = unsafe { new.as_ref() }?;
    let times = (timespec::duration(new.it_value), timespec::duration(new.it_interval));
    let (Some(first), Some(interval)) = times else { return Some(fail(libc::EINVAL)) };
    let off = itimerspec { it_interval: OFF, it_value: OFF };
    // The kernel has the last word about whether the file and the flags will do.
    // SAFETY: The setting lives as long as the call, and null is allowed.
    let result =
        unsafe { real::timerfd_settime.get()(file, flags, &raw const off, ptr::null_mut()) };
    let _errno = keeping_errno();
    if result == -1 {
        return Some(result);
    }
    let start = match flags & libc::TFD_TIMER_ABSTIME {
        _ if first.is_zero() => TimerStart::Never,
        0 => TimerStart::In(first),
        _ => TimerStart::At(first),
    };
    // Whoever finds that it has expired knows that it was set.
    controlled.carries(Carries::Release);
    controlled.set_timer(file, start, interval);
    if !old.is_null() {
        // SAFETY: The pointer is not null, and so is one to a setting, as the caller has promised.
        unsafe { old.write(of_setting(before)) };
    }
    Some(0)
}

/// # Safety
///
/// The arguments are as timerfd_gettime(2) has them.
unsafe fn inside_get(
    controlled: Controlled,
    file: c_int,
    setting: *mut itimerspec,
) -> Option<c_int> {
    let left = controlled.timer_setting(file)?;
    if setting.is_null() {
        return None;
    }
    // SAFETY: The pointer is not null, and so is one to a setting, as the caller has promised.
    unsafe { setting.write(of_setting(left)) };
    Some(0)
}

/// The setting as the C library has it.
fn of_setting(setting: TimerSetting) -> itimerspec {
    itimerspec {
        it_interval: timespec::of_duration(setting.interval),
        it_value: timespec::of_duration(setting.first.unwrap_or(Duration::ZERO)),
    }
}
