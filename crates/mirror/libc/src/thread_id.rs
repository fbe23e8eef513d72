//! Who a thread is to the C library: `pthread_t`.
//!
//! All threads of an execution are one to the C library. The test's own thread has that one's identity;
//! each other one has an identity that is no address, and that nobody takes for another's. Functions that
//! are told such an identity stand here. What they ask or set of a thread (its stack, its processors,
//! its name) is that of the one thread that runs them all.
//!
//! Limits: a controlled thread can not be cancelled, nor joined by the C library with a deadline (`ENOSYS`).
//! Its number in the kernel (`gettid`) is that of all others.

use libc::{cpu_set_t, pthread_attr_t, pthread_t, sched_param, timespec as Timespec};
use selvedge_engine::{Controlled, ThreadRef};
use selvedge_model::Site;
use std::ffi::{c_char, c_int, c_void};

/// Who calls. Functions that are told an identity must not hand it on to the C library for anybody.
#[derive(Clone, Copy)]
pub(crate) struct Caller(pub(crate) Option<Controlled>);

#[expect(clippy::unnecessary_wraps, reason = "who calls is always asked for")]
pub(crate) fn caller() -> Option<Caller> {
    Some(Caller(Controlled::current()))
}

/// Whom an identity means.
pub(crate) enum Whose {
    /// A thread of the caller's execution.
    Controlled(Controlled, ThreadRef),
    /// A thread of the system's.
    System,
    /// A controlled thread, to whoever is not one of the same execution.
    Nobody,
}

/// What an identity begins with that is none of the C library's: no address has these bits.
const MARK: u64 = 0x5e1f_ed6e_0000_0000;

/// The number of the test's own thread.
const MAIN: u32 = 1;

/// The identity of a thread of an execution that is not the test's own, if there is room for such.
fn identity(number: u32) -> Option<pthread_t> {
    pthread_t::try_from(MARK | u64::from(number)).ok()
}

/// The number in an identity that is not the C library's.
#[expect(clippy::useless_conversion, reason = "not on all machines")]
fn number(thread: pthread_t) -> Option<u32> {
    let thread = u64::from(thread);
    (thread & !u64::from(u32::MAX) == MARK).then_some(thread as u32)
}

/// Whom an identity means to the caller.
pub(crate) fn whose(Caller(controlled): Caller, thread: pthread_t) -> Whose {
    match (number(thread), controlled) {
        (Some(number), Some(controlled)) => match controlled.thread_of_number(number) {
            Some(thread) => Whose::Controlled(controlled, thread),
            None => Whose::Nobody,
        },
        (Some(_), None) => Whose::Nobody,
        (None, Some(controlled)) if thread == own() => match controlled.thread_of_number(MAIN) {
            Some(thread) => Whose::Controlled(controlled, thread),
            None => Whose::Nobody,
        },
        (None, _) => Whose::System,
    }
}

/// The calling thread of the system.
pub(crate) fn own() -> pthread_t {
    // SAFETY: Has no preconditions.
    unsafe { real::pthread_self.get()() }
}

/// Functions of which a thread of an execution has nothing of its own: they are asked for the thread of the
/// system that runs it.
macro_rules! shared {
    ($($name:ident: $inside:ident($($argument:ident: $type:ty),*);)+) => {
        $(
            /// # Safety
            ///
            /// The arguments are as the C library's function has them.
            unsafe fn $inside(
                caller: Caller,
                thread: pthread_t,
                $($argument: $type),*
            ) -> Option<c_int> {
                match (whose(caller, thread), number(thread)) {
                    (Whose::System, _) | (Whose::Controlled(..), None) => None,
                    (Whose::Nobody, _) => Some(libc::ESRCH),
                    (Whose::Controlled(..), Some(_)) => {
                        // SAFETY: Passed on to the caller; the thread is the calling one.
                        Some(unsafe { real::$name.get()(own(), $($argument),*) })
                    }
                }
            }
        )+
    };
}

selvedge_front::in_front! {
    caller;
    fn pthread_self() -> pthread_t => inside_self;
    fn pthread_join(thread: pthread_t, result: *mut *mut c_void) -> c_int => inside_join;
    fn pthread_tryjoin_np(thread: pthread_t, result: *mut *mut c_void) -> c_int => inside_try_join;
    fn pthread_timedjoin_np(
        thread: pthread_t,
        result: *mut *mut c_void,
        moment: *const Timespec,
    ) -> c_int => inside_timed_join;
    fn pthread_detach(thread: pthread_t) -> c_int => inside_detach;
    fn pthread_cancel(thread: pthread_t) -> c_int => inside_cancel;
    fn pthread_getattr_np(thread: pthread_t, attributes: *mut pthread_attr_t) -> c_int =>
        inside_attributes;
    fn pthread_getcpuclockid(thread: pthread_t, clock: *mut libc::clockid_t) -> c_int =>
        inside_clock;
    fn pthread_getname_np(thread: pthread_t, name: *mut c_char, size: usize) -> c_int =>
        inside_get_name;
    fn pthread_setname_np(thread: pthread_t, name: *const c_char) -> c_int => inside_set_name;
    fn pthread_getschedparam(
        thread: pthread_t,
        policy: *mut c_int,
        parameters: *mut sched_param,
    ) -> c_int => inside_get_schedule;
    fn pthread_setschedparam(
        thread: pthread_t,
        policy: c_int,
        parameters: *const sched_param,
    ) -> c_int => inside_set_schedule;
    fn pthread_setschedprio(thread: pthread_t, priority: c_int) -> c_int => inside_set_priority;
    fn pthread_getaffinity_np(thread: pthread_t, size: usize, set: *mut cpu_set_t) -> c_int =>
        inside_get_affinity;
    fn pthread_setaffinity_np(thread: pthread_t, size: usize, set: *const cpu_set_t) -> c_int =>
        inside_set_affinity;
}

shared! {
    pthread_getattr_np: inside_attributes(attributes: *mut pthread_attr_t);
    pthread_getcpuclockid: inside_clock(clock: *mut libc::clockid_t);
    pthread_getname_np: inside_get_name(name: *mut c_char, size: usize);
    pthread_setname_np: inside_set_name(name: *const c_char);
    pthread_getschedparam: inside_get_schedule(policy: *mut c_int, parameters: *mut sched_param);
    pthread_setschedparam: inside_set_schedule(policy: c_int, parameters: *const sched_param);
    pthread_setschedprio: inside_set_priority(priority: c_int);
    pthread_getaffinity_np: inside_get_affinity(size: usize, set: *mut cpu_set_t);
    pthread_setaffinity_np: inside_set_affinity(size: usize, set: *const cpu_set_t);
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_self(Caller(controlled): Caller) -> Option<pthread_t> {
    match controlled?.this_thread().number() {
        MAIN => None,
        number => identity(number),
    }
}

/// # Safety
///
/// The arguments are as pthread_join(3) has them.
unsafe fn inside_join(
    caller: Caller,
    thread: pthread_t,
    result: *mut *mut c_void,
) -> Option<c_int> {
    match whose(caller, thread) {
        Whose::System => None,
        Whose::Nobody => Some(libc::ESRCH),
        Whose::Controlled(controlled, thread) if thread == controlled.this_thread() => {
            Some(libc::EDEADLK)
        }
        Whose::Controlled(controlled, thread) => {
            controlled.join(thread, Site::caller());
            // SAFETY: Passed on to the caller.
            unsafe { no_result(result) };
            Some(0)
        }
    }
}

/// Threads of the mirror leave their results elsewhere.
///
/// # Safety
///
/// The pointer is null or one to a place for a pointer.
unsafe fn no_result(result: *mut *mut c_void) {
    if !result.is_null() {
        // SAFETY: Passed on to the caller.
        unsafe { result.write(std::ptr::null_mut()) };
    }
}

/// # Safety
///
/// The arguments are as pthread_tryjoin_np(3) has them.
unsafe fn inside_try_join(
    caller: Caller,
    thread: pthread_t,
    result: *mut *mut c_void,
) -> Option<c_int> {
    match whose(caller, thread) {
        Whose::System => None,
        Whose::Nobody => Some(libc::ESRCH),
        Whose::Controlled(controlled, thread) => {
            if !controlled.is_finished(thread, Site::caller()) {
                return Some(libc::EBUSY);
            }
            // SAFETY: Passed on to the caller.
            unsafe { no_result(result) };
            Some(0)
        }
    }
}

/// What is not done to a controlled thread.
fn unsupported(caller: Caller, thread: pthread_t) -> Option<c_int> {
    match whose(caller, thread) {
        Whose::System => None,
        Whose::Nobody => Some(libc::ESRCH),
        Whose::Controlled(..) => Some(libc::ENOSYS),
    }
}

/// # Safety
///
/// The arguments are as pthread_timedjoin_np(3) has them.
unsafe fn inside_timed_join(
    caller: Caller,
    thread: pthread_t,
    _: *mut *mut c_void,
    _: *const Timespec,
) -> Option<c_int> {
    unsupported(caller, thread)
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_cancel(caller: Caller, thread: pthread_t) -> Option<c_int> {
    unsupported(caller, thread)
}

/// Nothing is kept of a thread that nobody waits for.
///
/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_detach(caller: Caller, thread: pthread_t) -> Option<c_int> {
    match whose(caller, thread) {
        Whose::System => None,
        Whose::Nobody => Some(libc::ESRCH),
        Whose::Controlled(..) => Some(0),
    }
}
