//! `syscall`, by which code reaches the kernel past all other functions.
//!
//! It takes as many arguments as the system call has. We take all that there can be: on the
//! machines that Rust runs Linux on, arguments that the caller did not pass are registers, or a
//! place on its stack, with something in them that nobody looks at.

use crate::carried::unknown;
use crate::errno::fail;
use crate::futex::futex;
use crate::{clock, process_state, random, thread};
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
        libc::SYS_clock_nanosleep => {
            // SAFETY: Passed on to the caller.
            let error =
                unsafe { libc::clock_nanosleep(a as _, b as _, c as *const _, d as *mut _) };
            Some(if error == 0 { 0 } else { fail(error) })
        }
        // The younger system calls for futexes; whoever uses them can do without.
        libc::SYS_futex_waitv | FUTEX_WAKE | FUTEX_WAIT | FUTEX_REQUEUE => Some(fail(libc::ENOSYS)),
        // SAFETY: Passed on to the caller.
        _ => unsafe {
            let arguments = [a, b, c, d, e];
            process_state::by_number(controlled, number, arguments)
                .or_else(|| by_name(number, arguments))
        },
    }
}

/// System calls that have a function of their own, in front of which we stand. What it has to say
/// goes for the system call as well.
///
/// # Safety
///
/// The arguments are as the system call has them.
unsafe fn by_name(number: c_long, [a, b, c, d, e]: [c_long; 5]) -> Option<c_long> {
    // SAFETY: Passed on to the caller; the functions take the arguments of the system calls.
    Some(unsafe {
        match number {
            libc::SYS_read => libc::read(a as _, b as _, c as _) as c_long,
            libc::SYS_write => libc::write(a as _, b as _, c as _) as c_long,
            libc::SYS_readv => libc::readv(a as _, b as _, c as _) as c_long,
            libc::SYS_writev => libc::writev(a as _, b as _, c as _) as c_long,
            libc::SYS_close => libc::close(a as _).into(),
            libc::SYS_eventfd2 => libc::eventfd(a as _, b as _).into(),
            libc::SYS_epoll_create1 => libc::epoll_create1(a as _).into(),
            libc::SYS_pipe2 => libc::pipe2(a as _, b as _).into(),
            libc::SYS_socketpair => libc::socketpair(a as _, b as _, c as _, d as _).into(),
            libc::SYS_dup => libc::dup(a as _).into(),
            libc::SYS_dup3 => libc::dup3(a as _, b as _, c as _).into(),
            libc::SYS_openat => libc::openat(a as _, b as _, c as _, d as libc::mode_t).into(),
            libc::SYS_memfd_create => libc::memfd_create(a as _, b as _).into(),
            libc::SYS_ppoll => libc::ppoll(a as _, b as _, c as _, d as _).into(),
            libc::SYS_epoll_pwait => {
                libc::epoll_pwait(a as _, b as _, c as _, d as _, e as _).into()
            }
            libc::SYS_epoll_pwait2 => {
                libc::epoll_pwait2(a as _, b as _, c as _, d as _, e as _).into()
            }
            libc::SYS_timerfd_create => libc::timerfd_create(a as _, b as _).into(),
            libc::SYS_timerfd_settime => {
                libc::timerfd_settime(a as _, b as _, c as _, d as _).into()
            }
            libc::SYS_timerfd_gettime => libc::timerfd_gettime(a as _, b as _).into(),
            libc::SYS_epoll_ctl => libc::epoll_ctl(a as _, b as _, c as _, d as _).into(),
            libc::SYS_flock => libc::flock(a as _, b as _).into(),
            _ => {
                if let Some(controlled) = Controlled::current() {
                    unknown(controlled, number);
                }
                return None;
            }
        }
    })
}

/// Numbers that the `libc` crate does not have yet; they are the same on all machines.
const FUTEX_WAKE: c_long = 454;
const FUTEX_WAIT: c_long = 455;
const FUTEX_REQUEUE: c_long = 456;
