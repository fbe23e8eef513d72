//! `syscall`, through which everybody waits at futexes.
//!
//! It takes as many arguments as the system call has. We take all that there can be: on the
//! machines that Rust runs Linux on, arguments that the caller did not pass are registers, or a
//! place on its stack, with something in them that nobody looks at.

use crate::supported::clock;
use crate::supported::errno::set_errno;
use crate::supported::member::Inside;
use crate::supported::scheduled::WaitsAt;
use crate::supported::wait::{Asked, FutexWait};
use libc::{c_int, c_long};

selvedge_front::in_front! {
    Inside::enter;
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
    member: Inside,
    number: c_long,
    a: c_long,
    b: c_long,
    c: c_long,
    d: c_long,
    e: c_long,
    f: c_long,
) -> Option<c_long> {
    if number != libc::SYS_futex {
        return None;
    }
    let (operation, expected) = (b as c_int, c as u32);
    match operation & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME) {
        libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET => {}
        // Locks with priority inheritance, which nobody but C libraries' insides has.
        libc::FUTEX_LOCK_PI | libc::FUTEX_WAIT_REQUEUE_PI => {
            let asked = Asked { at: WaitsAt::World, timeout: None };
            return Some(member.group.wait(&member, asked, || {
                // SAFETY: Passed on to the caller.
                unsafe { kernel(number, [a, b, c, d, e, f]) }
            }));
        }
        _ => return None,
    }
    // SAFETY: The argument is null or points to a time, as the caller has promised.
    let timeout = match unsafe { (d as *const libc::timespec).as_ref() } {
        // What is no time is for the kernel to say.
        Some(time) => Some((operation, clock::duration(*time)?)),
        None => None,
    };
    let timeout = match timeout {
        None => None,
        // `FUTEX_WAIT` says how long to wait, everything else until when.
        Some((operation, time)) if operation & libc::FUTEX_CMD_MASK == libc::FUTEX_WAIT => {
            Some(time)
        }
        Some((operation, time)) if operation & libc::FUTEX_CLOCK_REALTIME != 0 => {
            Some(member.group.clock.until(libc::CLOCK_REALTIME, time)?)
        }
        Some((_, time)) => Some(member.group.clock.until(libc::CLOCK_MONOTONIC, time)?),
    };
    let has_bits = operation & libc::FUTEX_CMD_MASK == libc::FUTEX_WAIT_BITSET;
    let wait = FutexWait {
        word: a as *const u32,
        expected,
        private: operation & libc::FUTEX_PRIVATE_FLAG,
        bits: if has_bits { f as u32 } else { u32::MAX },
        timeout,
    };
    Some(match member.group.futex_wait(&member, wait) {
        Ok(()) => 0,
        Err(reason) => {
            set_errno(reason);
            -1
        }
    })
}
