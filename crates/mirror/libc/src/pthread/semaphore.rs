//! `sem_t`: a number that lies in its first word, on which threads wait as on a futex.
//!
//! The number is changed by the C library. To the engine that is an operation on an atomic, which lies
//! beside the number: so a wait for the number is seen to be one for whoever else may change it.

use super::{are_there_outsiders, time_left};
use crate::errno::fail;
use libc::{clockid_t, sem_t, timespec as Timespec};
use selvedge_engine::{
    Access, Controlled, FutexWait, FutexWaited, FutexWake, Restart, Wakers, Word,
};
use selvedge_model::Site;
use std::ffi::c_int;
use std::sync::atomic::Ordering;
use std::time::Duration;

in_front! {
    fn sem_post(semaphore: *mut sem_t) -> c_int => inside_post;
    fn sem_wait(semaphore: *mut sem_t) -> c_int => inside_wait;
    fn sem_trywait(semaphore: *mut sem_t) -> c_int => inside_try;
    fn sem_timedwait(semaphore: *mut sem_t, moment: *const Timespec) -> c_int => inside_timed;
    fn sem_clockwait(semaphore: *mut sem_t, clock: clockid_t, moment: *const Timespec) -> c_int =>
        inside_clock;
    fn sem_getvalue(semaphore: *mut sem_t, value: *mut c_int) -> c_int => inside_value;
}

/// The atomic that stands for the semaphore, behind the number and its waiters: whether other processes
/// use it as well.
fn beside(semaphore: *mut sem_t) -> *const u32 {
    const { assert!(size_of::<sem_t>() >= 12) };
    semaphore.cast::<u32>().wrapping_add(2)
}

fn word(semaphore: *mut sem_t) -> Word {
    Word { address: beside(semaphore) as usize, size: size_of::<u32>() }
}

/// The number. Nobody has to wait for it.
///
/// # Safety
///
/// The semaphore is one.
unsafe fn value(semaphore: *mut sem_t) -> u64 {
    let mut value = 0;
    // SAFETY: Passed on to the caller; the number lives as long as the call.
    unsafe { real::sem_getvalue.get()(semaphore, &raw mut value) };
    value as u64
}

/// Changes the number by a function of the C library, which says whether it could.
///
/// # Safety
///
/// The semaphore is one.
unsafe fn change(
    controlled: Controlled,
    semaphore: *mut sem_t,
    change: unsafe extern "C" fn(*mut sem_t) -> c_int,
) -> c_int {
    controlled.atomic_rmw(word(semaphore), Ordering::AcqRel, Site::caller(), || {
        // SAFETY: Passed on to the caller.
        unsafe {
            let before = value(semaphore);
            let result = change(semaphore);
            (result, Access::of_values(before, value(semaphore)))
        }
    })
}

/// # Safety
///
/// The semaphore is one.
unsafe fn inside_post(controlled: Controlled, semaphore: *mut sem_t) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let result = unsafe { change(controlled, semaphore, real::sem_post.get()) };
    if result == 0 && controlled.futex_is_awaited(semaphore.cast()) {
        let one = FutexWake { most: 1, bits: u32::MAX };
        controlled.futex_wake(semaphore.cast(), one, Site::caller());
    }
    Some(result)
}

/// # Safety
///
/// The semaphore is one.
unsafe fn inside_try(controlled: Controlled, semaphore: *mut sem_t) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    let result = unsafe { change(controlled, semaphore, real::sem_trywait.get()) };
    Some(if result == 0 { 0 } else { fail(libc::EAGAIN) })
}

/// # Safety
///
/// The semaphore is one.
unsafe fn inside_wait(controlled: Controlled, semaphore: *mut sem_t) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    Some(unsafe { wait(controlled, semaphore, || Ok(None)) })
}

/// # Safety
///
/// The arguments are as sem_timedwait(3) has them.
unsafe fn inside_timed(
    controlled: Controlled,
    semaphore: *mut sem_t,
    moment: *const Timespec,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe { inside_clock(controlled, semaphore, libc::CLOCK_REALTIME, moment) }
}

/// # Safety
///
/// The arguments are as sem_clockwait(3) has them.
unsafe fn inside_clock(
    controlled: Controlled,
    semaphore: *mut sem_t,
    clock: clockid_t,
    moment: *const Timespec,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller, here and below.
    let left = || unsafe { time_left(controlled, clock, moment) }.map(Some);
    // SAFETY: As above.
    Some(unsafe { wait(controlled, semaphore, left) })
}

/// Waits until the number can be made smaller, or no time is left.
///
/// # Safety
///
/// The semaphore is one.
unsafe fn wait(
    controlled: Controlled,
    semaphore: *mut sem_t,
    left: impl Fn() -> Result<Option<Duration>, c_int>,
) -> c_int {
    // SAFETY: Passed on to the caller, here and below.
    while unsafe { change(controlled, semaphore, real::sem_trywait.get()) } != 0 {
        let timeout = match left() {
            Ok(timeout) => timeout,
            Err(error) => return fail(error),
        };
        // SAFETY: As above.
        let is_shared = unsafe { beside(semaphore).read_volatile() } != 0;
        let wakers = match is_shared || are_there_outsiders() {
            true => Wakers::Anybody,
            false => Wakers::Execution,
        };
        let restart = Restart::IfAsked;
        let wait = FutexWait { expected: 0, bits: u32::MAX, timeout, restart };
        let number = semaphore.cast::<u32>();
        // SAFETY: As above.
        let waited = unsafe { controlled.futex_wait_for(number, wait, wakers, Site::caller()) };
        match waited {
            FutexWaited::TimedOut => return fail(libc::ETIMEDOUT),
            FutexWaited::Interrupted => return fail(libc::EINTR),
            FutexWaited::Woken | FutexWaited::Changed => {}
        }
    }
    0
}

/// # Safety
///
/// The arguments are as sem_getvalue(3) has them.
unsafe fn inside_value(
    controlled: Controlled,
    semaphore: *mut sem_t,
    result: *mut c_int,
) -> Option<c_int> {
    // SAFETY: Passed on to the caller.
    unsafe {
        let now =
            controlled.atomic_load(word(semaphore), Ordering::Acquire, Site::caller(), || {
                let now = value(semaphore);
                (now, now)
            });
        result.write(now as c_int);
    }
    Some(0)
}
