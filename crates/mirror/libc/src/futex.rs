//! The system call `futex`; what futexes mean to the engine is in `engine/objects/futex.rs`.
//!
//! Supported are waiting, waking and requeueing, with and without bits, private or not. Locks with
//! priority inheritance and `FUTEX_WAKE_OP` fail with `ENOSYS`, as on a kernel that was built
//! without them: nobody but the C library's own insides uses them.

use crate::errno::fail;
use crate::syscall::kernel;
use crate::timespec;
use libc::{c_int, c_long};
use selvedge_engine::{
    Controlled, FutexRequeue, FutexWait, FutexWaited, FutexWake, Restart, VirtualClock,
};
use selvedge_model::Site;
use std::time::Duration;

/// Waiters and wakers that say nothing of bits have all of them.
const ALL_BITS: u32 = u32::MAX;

/// The arguments that follow the number of the system call. Most of them were narrower when the
/// caller wrote them down, and then the rest of the register means nothing.
pub(crate) type Arguments = [c_long; 6];

/// What the kernel does for `syscall(SYS_futex, …)`.
///
/// # Safety
///
/// The arguments are as futex(2) has them.
pub(crate) unsafe fn futex(controlled: Controlled, arguments: Arguments) -> c_long {
    let [word, operation, value, timeout, other, value3] = arguments;
    let (word, other) = (word as *const u32, other as *const u32);
    let (value, value3) = (value as u32, value3 as u32);
    if word.is_null() {
        return fail(libc::EFAULT);
    }
    if !word.is_aligned() {
        return fail(libc::EINVAL);
    }
    let operation = operation as c_int;
    let command = operation & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME);
    match command {
        libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET => {
            let bits = if command == libc::FUTEX_WAIT { ALL_BITS } else { value3 };
            // SAFETY: The argument is null or points to a time, as the caller has promised.
            let timeout = match unsafe { (timeout as *const libc::timespec).as_ref() } {
                None => None,
                Some(time) => match left(controlled, operation, *time) {
                    Some(left) => Some(left),
                    None => return fail(libc::EINVAL),
                },
            };
            let wait_for = FutexWait { expected: value, bits, timeout, restart: Restart::IfAsked };
            // SAFETY: The word can be read, as the caller has promised, and is aligned.
            unsafe { wait(controlled, word, wait_for) }
        }
        libc::FUTEX_WAKE => wake(controlled, word, FutexWake { most: value, bits: ALL_BITS }),
        libc::FUTEX_WAKE_BITSET => wake(controlled, word, FutexWake { most: value, bits: value3 }),
        libc::FUTEX_REQUEUE | libc::FUTEX_CMP_REQUEUE => {
            let expected = (command == libc::FUTEX_CMP_REQUEUE).then_some(value3);
            let requeue = FutexRequeue { expected, wake: value, most: timeout as u32 };
            // SAFETY: The word can be read, as the caller has promised, and is aligned.
            match unsafe { controlled.futex_requeue(word, other, requeue, Site::caller()) } {
                Some(count) => c_long::from(count),
                None => fail(libc::EAGAIN),
            }
        }
        _ => fail(libc::ENOSYS),
    }
}

/// The time until a wait's deadline, if that is a valid one. `FUTEX_WAIT` says how long to wait,
/// everything else until when.
fn left(controlled: Controlled, operation: c_int, time: libc::timespec) -> Option<Duration> {
    let time = timespec::duration(time)?;
    let clock = match operation & libc::FUTEX_CLOCK_REALTIME {
        0 => VirtualClock::Monotonic,
        _ => VirtualClock::Calendar,
    };
    Some(match operation & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME) {
        libc::FUTEX_WAIT => time,
        _ => controlled.time_until(clock, time),
    })
}

/// # Safety
///
/// The word can be read, and is aligned.
unsafe fn wait(controlled: Controlled, word: *const u32, wait: FutexWait) -> c_long {
    if wait.bits == 0 {
        return fail(libc::EINVAL);
    }
    // SAFETY: Passed on to the caller.
    match unsafe { controlled.futex_wait(word, wait, Site::caller()) } {
        FutexWaited::Woken => 0,
        FutexWaited::Changed => fail(libc::EAGAIN),
        FutexWaited::TimedOut => fail(libc::ETIMEDOUT),
        FutexWaited::Interrupted => fail(libc::EINTR),
    }
}

fn wake(controlled: Controlled, word: *const u32, wake: FutexWake) -> c_long {
    if wake.bits == 0 {
        return fail(libc::EINVAL);
    }
    let woken = c_long::from(controlled.futex_wake(word, wake, Site::caller()));
    if woken >= c_long::from(wake.most) || controlled.is_own_word(word) {
        return woken;
    }
    // Threads outside of the execution may wait for the same lock, such as one inside of std.
    let operation = libc::FUTEX_WAKE_BITSET | libc::FUTEX_PRIVATE_FLAG;
    let rest = c_long::from(wake.most) - woken;
    let bits = c_long::from(wake.bits);
    // SAFETY: To wake needs an address and nothing else.
    let others =
        unsafe { kernel(libc::SYS_futex, [word as _, operation.into(), rest, 0, 0, bits]) };
    woken + others.max(0)
}
