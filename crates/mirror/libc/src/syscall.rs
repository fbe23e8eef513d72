//! `syscall`, by which code reaches the kernel past all other functions.
//!
//! It takes as many arguments as the system call has. We take all that there can be: on the
//! machines that Rust runs Linux on, arguments that the caller did not pass are registers, or a
//! place on its stack, with something in them that nobody looks at.

use crate::errno::fail;
use crate::futex::futex;
use crate::{clock, random, thread};
use libc::c_long;
use selvedge_engine::Controlled;
use selvedge_model::{OperationKind, Site};

in_front! {
    fn syscall(
        number: c_long,
        a: c_long,
        b: c_long,
        c: c_long,
        d: c_long,
        e: c_long,
        f: c_long,
    ) -> c_long => inside;
}

/// What the kernel itself does.
///
/// # Safety
///
/// The arguments are as the system call has them.
pub(crate) unsafe fn kernel(number: c_long, [a, b, c, d, e, f]: [c_long; 6]) -> c_long {
    // SAFETY: Passed on to the caller.
    unsafe { real::syscall.get()(number, a, b, c, d, e, f) }
}

/// # Safety
///
/// The arguments are as the system call has them.
#[expect(clippy::too_many_arguments, reason = "as many as there are")]
unsafe fn inside(
    controlled: Controlled,
    number: c_long,
    a: c_long,
    b: c_long,
    c: c_long,
    d: c_long,
    e: c_long,
    f: c_long,
) -> Option<c_long> {
    match number {
        // SAFETY: Passed on to the caller.
        libc::SYS_futex => Some(unsafe { futex(controlled, [a, b, c, d, e, f]) }),
        libc::SYS_getrandom => {
            // SAFETY: Passed on to the caller.
            let drawn = unsafe { random::get(controlled, a as *mut _, b as usize, c as u32) };
            drawn.map(|count| count as c_long)
        }
        libc::SYS_sched_yield => {
            controlled.yield_now(OperationKind::Yield, Site::caller());
            Some(0)
        }
        libc::SYS_clock_gettime => {
            // SAFETY: Passed on to the caller.
            let result = unsafe { clock::get(controlled, a as _, b as *mut _) };
            result.map(c_long::from)
        }
        libc::SYS_nanosleep => {
            // SAFETY: Passed on to the caller.
            let result = unsafe { thread::sleep_nanos(controlled, a as *const _, b as *mut _) };
            result.map(c_long::from)
        }
        // The younger system calls for futexes; whoever uses them can do without.
        libc::SYS_futex_waitv | FUTEX_WAKE | FUTEX_WAIT | FUTEX_REQUEUE => Some(fail(libc::ENOSYS)),
        _ => None,
    }
}

/// Numbers that the `libc` crate does not have yet; they are the same on all machines.
const FUTEX_WAKE: c_long = 454;
const FUTEX_WAIT: c_long = 455;
const FUTEX_REQUEUE: c_long = 456;
