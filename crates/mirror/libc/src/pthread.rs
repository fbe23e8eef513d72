//! The locks of the C library (`pthread_mutex_t` and its like, `sem_t`), on controlled threads; what they
//! mean to the engine is in `engine/objects/foreign.rs` and in the files of the kinds.
//!
//! Each function does two things. It asks the engine, which decides whose turn it is, sees deadlocks and
//! keeps the order of events; and it does the same to the real object, without waiting, since all threads
//! of an execution are one to the C library. So the object is locked for threads outside of the
//! execution as well, and if one of those has it, the controlled thread waits until its word changes.
//!
//! Limits: a barrier is for controlled threads or for others, not for both. Waits for other processes, by objects in shared memory, are waits for the outside.

mod barrier;
mod condvar;
mod mutex;
mod once;
mod rwlock;
mod semaphore;
mod spin;

use crate::clock::virtual_clock;
use crate::timespec;
use libc::{clockid_t, timespec as Timespec};
use selvedge_engine::{Controlled, FutexWait, FutexWaited, FutexWake, Restart, kept};
use selvedge_model::Site;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(crate) fn install() {
    barrier::install();
    condvar::install_all();
    mutex::install();
    once::install_and_warm_up();
    rwlock::install();
    semaphore::install();
    spin::install();
}

kept! {
    /// Whether threads were started that are not under control and may use the same objects.
    static OUTSIDERS: AtomicBool = AtomicBool::new(false);
}

/// Notes that a test has a thread that is not under control.
pub(crate) fn has_outsiders() {
    OUTSIDERS.store(true, Ordering::Relaxed);
}

/// Whether there may be threads outside of the execution that use the same objects.
fn are_there_outsiders() -> bool {
    OUTSIDERS.load(Ordering::Relaxed)
}

/// Waits while a word is what it is, for no longer than is said. Says whether the time is over.
///
/// # Safety
///
/// The word can be read, and is aligned.
unsafe fn await_change(
    controlled: Controlled,
    word: *const u32,
    timeout: Option<Duration>,
) -> FutexWaited {
    // SAFETY: Passed on to the caller, here and below.
    unsafe {
        let (expected, restart) = (word.read_volatile(), Restart::Always);
        let wait = FutexWait { expected, bits: u32::MAX, timeout, restart };
        controlled.futex_wait(word, wait, Site::caller())
    }
}

/// Lets those try again that wait for a word by [`await_change`].
fn changed(controlled: Controlled, word: *const u32) {
    if controlled.futex_is_awaited(word) {
        let all = FutexWake { most: u32::MAX, bits: u32::MAX };
        controlled.futex_wake(word, all, Site::caller());
    }
}

/// How long it is until a moment of a clock; an error if there is no such moment or clock.
///
/// # Safety
///
/// The pointer is one to a time.
unsafe fn time_left(
    controlled: Controlled,
    clock: clockid_t,
    moment: *const Timespec,
) -> Result<Duration, c_int> {
    // SAFETY: Passed on to the caller.
    let moment = unsafe { moment.as_ref() }.and_then(|&moment| timespec::duration(moment));
    match (virtual_clock(clock), moment) {
        (Some(clock), Some(moment)) => Ok(controlled.time_until(clock, moment)),
        _ => Err(libc::EINVAL),
    }
}

/// Tries again and again to get what is to be had, until a moment has come. `attempt` says whether it
/// has worked, or fails for good.
///
/// # Safety
///
/// The word can be read, and is aligned. It changes whenever another attempt may work.
unsafe fn until(
    controlled: Controlled,
    word: *const u32,
    (clock, moment): (clockid_t, *const Timespec),
    mut attempt: impl FnMut() -> c_int,
) -> c_int {
    loop {
        match attempt() {
            libc::EBUSY => {}
            result => return result,
        }
        // SAFETY: Passed on to the caller.
        let waited = match unsafe { time_left(controlled, clock, moment) } {
            Err(error) => return error,
            // SAFETY: As above.
            Ok(left) => unsafe { await_change(controlled, word, Some(left)) },
        };
        if waited == FutexWaited::TimedOut {
            return libc::ETIMEDOUT;
        }
    }
}
