//! Functions that wait for a signal; `pause` is the business of `engine/crash/exit.rs`.
//!
//! Signals that are to be read are waited for by way of a file that tells of them. The kernel has them for
//! all threads of an execution, which are one to it: who reads first gets them.

use crate::errno::{fail, keeping_errno};
use crate::io::ready::ready_or;
use crate::signal_mask;
use crate::syscall::kernel;
use libc::{siginfo_t, sigset_t, timespec as Timespec};
use selvedge_engine::{Controlled, FileInterest, Patience, Restart};
use selvedge_model::Site;
use std::ffi::c_int;
use std::ptr;

in_front! {
    fn sigwait(set: *const sigset_t, signal: *mut c_int) -> c_int => inside_wait;
    fn sigwaitinfo(set: *const sigset_t, info: *mut siginfo_t) -> c_int => inside_info;
    fn sigtimedwait(
        set: *const sigset_t,
        info: *mut siginfo_t,
        timeout: *const Timespec,
    ) -> c_int => inside_timed;
    fn sigsuspend(set: *const sigset_t) -> c_int => inside_suspend;
}

/// Waits for one of the signals to be there, and takes it. Fails if there is none.
///
/// # Safety
///
/// The set is one, and the information can be written, unless it is null.
unsafe fn take(
    controlled: Controlled,
    set: *const sigset_t,
    info: *mut siginfo_t,
    (patience, restart): (Patience, Restart),
    site: Site,
) -> c_int {
    // SAFETY: Passed on to the caller; the file is nobody else's.
    let file = unsafe { libc::signalfd(-1, set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
    if file < 0 {
        return -1;
    }
    let files = [FileInterest::new(file, libc::POLLIN)];
    let none = Timespec { tv_sec: 0, tv_nsec: 0 };
    let taken = ready_or(controlled, &files, patience, restart, site, || {
        // SAFETY: As above; the time lives as long as the call.
        unsafe { real::sigtimedwait.get()(set, info, &raw const none) }
    });
    let _errno = keeping_errno();
    // SAFETY: The file was opened here, and nobody else knows it.
    unsafe { kernel(libc::SYS_close, [file.into(), 0, 0, 0, 0, 0]) };
    taken
}

/// # Safety
///
/// The arguments are as sigwait(3) has them.
unsafe fn inside_wait(
    controlled: Controlled,
    set: *const sigset_t,
    signal: *mut c_int,
) -> Option<c_int> {
    let how = (Patience::Endless, Restart::Always);
    loop {
        // SAFETY: Passed on to the caller.
        let taken = unsafe { take(controlled, set, ptr::null_mut(), how, Site::caller()) };
        if taken > 0 {
            // SAFETY: As above.
            unsafe { signal.write(taken) };
            return Some(0);
        }
        match std::io::Error::last_os_error().raw_os_error() {
            // Somebody else was faster.
            Some(libc::EAGAIN) => {}
            error => return Some(error.unwrap_or(libc::EINVAL)),
        }
    }
}

/// # Safety
///
/// The arguments are as sigwaitinfo(2) has them.
unsafe fn inside_info(
    controlled: Controlled,
    set: *const sigset_t,
    info: *mut siginfo_t,
) -> Option<c_int> {
    let how = (Patience::Endless, Restart::Never);
    // SAFETY: Passed on to the caller.
    Some(unsafe { take(controlled, set, info, how, Site::caller()) })
}

/// # Safety
///
/// The arguments are as sigtimedwait(2) has them.
unsafe fn inside_timed(
    controlled: Controlled,
    set: *const sigset_t,
    info: *mut siginfo_t,
    timeout: *const Timespec,
) -> Option<c_int> {
    // SAFETY: The pointer is null or one to a time, as the caller has promised.
    let patience = match unsafe { timeout.as_ref() } {
        None => Patience::Endless,
        Some(time) => match crate::timespec::duration(*time) {
            Some(time) if time.is_zero() => Patience::None,
            Some(time) => Patience::For(time),
            None => return Some(fail(libc::EINVAL)),
        },
    };
    // SAFETY: Passed on to the caller.
    Some(unsafe { take(controlled, set, info, (patience, Restart::Never), Site::caller()) })
}

/// Waits until a handler has run.
fn await_handler(controlled: Controlled, site: Site) -> c_int {
    // It must not be missed when it runs between the change of what is blocked and the wait.
    let restart = Restart::NotEvenBefore;
    ready_or(controlled, &[], Patience::Endless, restart, site, || fail(libc::EINTR))
}

/// # Safety
///
/// The argument is as sigsuspend(2) has it.
unsafe fn inside_suspend(controlled: Controlled, set: *const sigset_t) -> Option<c_int> {
    // What has come meanwhile for what is let through now ends the wait before it begins.
    // SAFETY: Passed on to the caller.
    let has_come = unsafe { signal_mask::is_any_pending(controlled, set) };
    // SAFETY: As above.
    let before = unsafe { signal_mask::replace(controlled, set) };
    let result = if has_come { -1 } else { await_handler(controlled, Site::caller()) };
    signal_mask::put_back(controlled, before);
    debug_assert_eq!(result, -1, "only a handler ends the wait");
    Some(fail(libc::EINTR))
}
