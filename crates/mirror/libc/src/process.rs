//! Threads and processes that do not come from the mirror, and the processors they would run on.
//!
//! A child process is not under control. It is made by `fork`, or by functions that need nothing of
//! ours (`posix_spawn`); a child of `vfork` may do next to nothing before it is another program.

use crate::errno::keeping_errno;
use libc::{cpu_set_t, pid_t, pthread_attr_t, pthread_t};
use selvedge_engine::{Carries, Controlled, ProcessPart};
use std::ffi::{CStr, c_int, c_long, c_void};
use std::slice;

/// What a thread runs.
type Start = extern "C" fn(*mut c_void) -> *mut c_void;

in_front! {
    fn pthread_create(
        thread: *mut pthread_t,
        attributes: *const pthread_attr_t,
        start: Start,
        argument: *mut c_void,
    ) -> c_int => inside_create;
    fn fork() -> pid_t => inside_fork;
    fn sysconf(name: c_int) -> c_long => inside_sysconf;
    fn sched_getaffinity(process: pid_t, size: usize, set: *mut cpu_set_t) -> c_int =>
        inside_affinity;
}

/// A variable that those have who were started from inside of a test process. Not one of the
/// settings, which have another beginning.
const INSIDE: &CStr = c"_SELVEDGE_INSIDE";

/// Whether the variable is set. Sets it for whomever this process starts.
pub(crate) fn is_started_from_inside() -> bool {
    // SAFETY: The name is a string, and so is the value; there is no other thread that could look
    // at the environment at the same time.
    unsafe {
        let inside = !libc::getenv(INSIDE.as_ptr()).is_null();
        libc::setenv(INSIDE.as_ptr(), c"1".as_ptr(), 1);
        inside
    }
}

/// Ends this process when the one that started it ends, whatever it is doing then.
pub(crate) fn end_with_parent() {
    // SAFETY: Changes nothing but what the kernel does when the parent is gone.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
}

/// The thread is made, and is not under control.
///
/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_create(
    controlled: Controlled,
    _: *mut pthread_t,
    _: *const pthread_attr_t,
    _: Start,
    _: *mut c_void,
) -> Option<c_int> {
    controlled.starts_outside_thread();
    #[cfg(target_pointer_width = "64")]
    crate::pthread::has_outsiders();
    None
}

/// # Safety
///
/// As fork(2) has it.
unsafe fn inside_fork(controlled: Controlled) -> Option<pid_t> {
    // Whoever gets to know of its end knows what was before its beginning.
    controlled.carries(Carries::Release);
    // SAFETY: Passed on to the caller.
    let child = unsafe { real::fork.get()() };
    match child {
        0 => controlled.leave(),
        -1 => {}
        _ => {
            let _errno = keeping_errno();
            controlled.made(ProcessPart::Child(child));
        }
    }
    Some(child)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_sysconf(controlled: Controlled, name: c_int) -> Option<c_long> {
    match name {
        libc::_SC_NPROCESSORS_ONLN | libc::_SC_NPROCESSORS_CONF => {
            Some(controlled.parallelism() as c_long)
        }
        _ => None,
    }
}

/// # Safety
///
/// The arguments are as sched_getaffinity(2) has them.
unsafe fn inside_affinity(
    controlled: Controlled,
    process: pid_t,
    size: usize,
    set: *mut cpu_set_t,
) -> Option<c_int> {
    let processors = controlled.parallelism();
    // Errors, and what concerns others, is left to the C library.
    if process != 0 || set.is_null() || processors > size * 8 {
        return None;
    }
    // SAFETY: The caller has promised a set of that size, in which each processor is a bit.
    let bytes = unsafe {
        set.cast::<u8>().write_bytes(0, size);
        slice::from_raw_parts_mut(set.cast::<u8>(), size)
    };
    for processor in 0..processors {
        bytes[processor / 8] |= 1 << (processor % 8);
    }
    Some(0)
}
