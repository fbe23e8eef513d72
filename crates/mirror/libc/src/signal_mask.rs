//! Which signals a thread blocks.
//!
//! Each controlled thread has a set of its own (`engine/signals.rs`), and begins with that of the thread that
//! has started it. The kernel knows one for all of them: what any of them blocks. So a signal that somebody
//! waits for by reading it is there to be read, and one that is for another thread is let through when that
//! one handles it.
//!
//! Limits: what the system call sets past the C library, and what `ppoll`, `pselect` and `epoll_pwait` block while
//! they wait, is not a thread's own. A signal that was sent to a thread which blocks it may be read
//! by another thread of the execution.

use crate::errno::fail;
use libc::sigset_t;
use selvedge_engine::{Controlled, ProcessState};
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;

in_front! {
    fn sigprocmask(how: c_int, set: *const sigset_t, old: *mut sigset_t) -> c_int => inside_process;
    fn pthread_sigmask(how: c_int, set: *const sigset_t, old: *mut sigset_t) -> c_int =>
        inside_thread;
}

/// # Safety
///
/// The arguments are as sigprocmask(2) has them.
unsafe fn inside_process(
    controlled: Controlled,
    how: c_int,
    set: *const sigset_t,
    old: *mut sigset_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    Some(match unsafe { mask(controlled, how, set, old) } {
        0 => 0,
        error => fail(error),
    })
}

/// # Safety
///
/// The arguments are as pthread_sigmask(3) has them.
unsafe fn inside_thread(
    controlled: Controlled,
    how: c_int,
    set: *const sigset_t,
    old: *mut sigset_t,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    Some(unsafe { mask(controlled, how, set, old) })
}

/// What the kernel does, whoever calls.
///
/// # Safety
///
/// The arguments are as pthread_sigmask(3) has them.
pub(crate) unsafe fn set(how: c_int, set: *const sigset_t, old: *mut sigset_t) -> c_int {
    // SAFETY: Passed on to the caller.
    unsafe { real::pthread_sigmask.get()(how, set, old) }
}

/// What the kernel blocks.
fn of_system() -> u64 {
    let mut now = MaybeUninit::<sigset_t>::zeroed();
    // SAFETY: The set lives as long as the call, and all zeroes are a value of it.
    unsafe {
        set(libc::SIG_BLOCK, ptr::null(), now.as_mut_ptr());
        bits(now.as_ptr())
    }
}

/// The signals of a set, one bit for each.
///
/// # Safety
///
/// The pointer is one to a set.
unsafe fn bits(set: *const sigset_t) -> u64 {
    // SAFETY: Passed on to the caller.
    let contains = |signal: c_int| unsafe { libc::sigismember(set, signal) } == 1;
    (1..=64).filter(|&signal| contains(signal)).fold(0, |all, signal| all | 1 << (signal - 1))
}

/// The set of the signals whose bits are set.
fn of_bits(bits: u64) -> sigset_t {
    let mut set = MaybeUninit::<sigset_t>::zeroed();
    // SAFETY: The set lives as long as the calls, and all zeroes are a value of it.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in (1..=64).filter(|signal| bits >> (signal - 1) & 1 == 1) {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        set.assume_init()
    }
}

/// Changes what the calling thread blocks, and tells what it was; zero, or why that is not possible.
///
/// # Safety
///
/// The arguments are as pthread_sigmask(3) has them.
unsafe fn mask(
    controlled: Controlled,
    how: c_int,
    wanted: *const sigset_t,
    old: *mut sigset_t,
) -> c_int {
    let before = controlled.blocked_signals().unwrap_or_else(of_system);
    let mut error = 0;
    if !wanted.is_null() {
        // SAFETY: The pointer is not null, and so is one to a set, as the caller has promised.
        let wanted = unsafe { bits(wanted) };
        match how {
            libc::SIG_BLOCK => block(controlled, before, before | wanted),
            libc::SIG_UNBLOCK => block(controlled, before, before & !wanted),
            libc::SIG_SETMASK => block(controlled, before, wanted),
            _ => error = libc::EINVAL,
        }
    }
    if error == 0 && !old.is_null() {
        // SAFETY: As above.
        unsafe { old.write(of_bits(before)) };
    }
    error
}

/// Whether a signal has come that the calling thread blocks and that is not in a set.
///
/// # Safety
///
/// The pointer is one to a set.
pub(crate) unsafe fn is_any_pending(controlled: Controlled, set: *const sigset_t) -> bool {
    let own = controlled.blocked_signals().unwrap_or_else(of_system);
    let mut pending = MaybeUninit::<sigset_t>::zeroed();
    // SAFETY: Passed on to the caller; the other set lives as long as the calls.
    unsafe {
        libc::sigpending(pending.as_mut_ptr());
        bits(pending.as_ptr()) & own & !bits(set) != 0
    }
}

/// The calling thread blocks the signals of a set, and nothing else, until what it blocked is put back.
///
/// # Safety
///
/// The pointer is one to a set.
pub(crate) unsafe fn replace(controlled: Controlled, set: *const sigset_t) -> u64 {
    let before = controlled.blocked_signals().unwrap_or_else(of_system);
    // SAFETY: Passed on to the caller.
    block(controlled, before, unsafe { bits(set) });
    before
}

/// The calling thread blocks again what it did before [`replace`].
pub(crate) fn put_back(controlled: Controlled, before: u64) {
    let now = controlled.blocked_signals().unwrap_or_else(of_system);
    block(controlled, now, before);
}

/// The calling thread blocks these signals from now on.
fn block(controlled: Controlled, before: u64, now: u64) {
    controlled.about_to_change(ProcessState::SignalMask);
    let all = controlled.block_signals(before, now);
    // What has come meanwhile for those that it lets through again comes now.
    let come = of_bits(all & !(before & !now));
    let all = of_bits(all);
    // SAFETY: The sets live as long as the calls.
    unsafe {
        set(libc::SIG_SETMASK, &raw const come, ptr::null_mut());
        set(libc::SIG_SETMASK, &raw const all, ptr::null_mut());
    }
}
