//! Signals for one thread; how a controlled one comes to handle them is in `engine/signals.rs`.
//!
//! What is sent to a process (`kill`, `alarm`) goes to whichever thread the kernel chooses, and what is sent
//! by the numbers that the kernel has for threads (`tgkill`) to the one that runs.

use crate::errno::{fail, keeping_errno};
use crate::thread_id::{Caller, Whose, caller, own, whose};
use libc::{pthread_t, sigaction as Action, sigset_t, sigval};
use selvedge_engine::{AfterHandler, Controlled, Reached, Signal, ThreadRef};
use selvedge_model::Site;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;

selvedge_front::in_front! {
    caller;
    fn pthread_kill(thread: pthread_t, signal: c_int) -> c_int => inside_kill;
    fn pthread_sigqueue(thread: pthread_t, signal: c_int, value: sigval) -> c_int => inside_queue;
    fn raise(signal: c_int) -> c_int => inside_raise;
}

/// # Safety
///
/// The arguments are as pthread_kill(3) has them.
unsafe fn inside_kill(caller: Caller, thread: pthread_t, signal: c_int) -> Option<c_int> {
    send(caller, thread, signal, None)
}

/// # Safety
///
/// The arguments are as pthread_sigqueue(3) has them.
unsafe fn inside_queue(
    caller: Caller,
    thread: pthread_t,
    signal: c_int,
    value: sigval,
) -> Option<c_int> {
    send(caller, thread, signal, Some(value.sival_ptr as usize))
}

/// # Safety
///
/// None is needed; the function is like the others.
unsafe fn inside_raise(Caller(controlled): Caller, signal: c_int) -> Option<c_int> {
    let controlled = controlled?;
    Some(match reach(controlled, controlled.this_thread(), signal, None) {
        0 => 0,
        error => fail(error),
    })
}

/// Sends a signal to whom an identity means. Nothing if that is a matter of the C library's.
fn send(caller: Caller, thread: pthread_t, signal: c_int, value: Option<usize>) -> Option<c_int> {
    match whose(caller, thread) {
        Whose::Controlled(controlled, thread) => Some(reach(controlled, thread, signal, value)),
        Whose::Nobody => Some(libc::ESRCH),
        Whose::System => {
            if let Caller(Some(controlled)) = caller {
                controlled.signals();
            }
            None
        }
    }
}

/// Sends a signal to a controlled thread; zero, or why that is not possible.
fn reach(controlled: Controlled, thread: ThreadRef, number: c_int, value: Option<usize>) -> c_int {
    // Two of them are the C library's own.
    let is_signal = (1..32).contains(&number) || (34..=libc::SIGRTMAX()).contains(&number);
    if number != 0 && !is_signal {
        return libc::EINVAL;
    }
    if number == 0 {
        return 0;
    }
    let _errno = keeping_errno();
    // What a thread blocks is blocked for all of them, and so the kernel keeps it.
    let signal = Signal { number, value, raise: run_handler, keep: raise_here };
    match controlled.send_signal(thread, signal, Site::caller()) {
        Reached::Thread => 0,
        Reached::Nobody => libc::ESRCH,
    }
}

/// Has the kernel run the handler here and now, also if another thread of the execution has blocked it.
fn run_handler(signal: Signal) -> AfterHandler {
    let mut action = MaybeUninit::<Action>::zeroed();
    let mut set = MaybeUninit::<sigset_t>::zeroed();
    let mut before = MaybeUninit::<sigset_t>::zeroed();
    // SAFETY: All structures live as long as the calls, and all zeroes are a value of each.
    let (handler, flags, was_blocked) = unsafe {
        libc::sigaction(signal.number, ptr::null(), action.as_mut_ptr());
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), signal.number);
        crate::signal_mask::set(libc::SIG_UNBLOCK, set.as_ptr(), before.as_mut_ptr());
        let action = action.assume_init();
        let was_blocked = libc::sigismember(before.as_ptr(), signal.number) == 1;
        (action.sa_sigaction, action.sa_flags, was_blocked)
    };
    raise_here(signal);
    if was_blocked {
        // SAFETY: The set lives as long as the call.
        unsafe { crate::signal_mask::set(libc::SIG_BLOCK, set.as_ptr(), ptr::null_mut()) };
    }
    match handler {
        libc::SIG_DFL | libc::SIG_IGN => AfterHandler::NoHandler,
        _ if flags & libc::SA_RESTART != 0 => AfterHandler::StartAgain,
        _ => AfterHandler::Interrupted,
    }
}

/// Sends a signal to the calling thread of the system.
fn raise_here(signal: Signal) {
    // SAFETY: The thread is the calling one, and the signal one that it can be sent.
    unsafe {
        match signal.value {
            None => real::pthread_kill.get()(own(), signal.number),
            Some(value) => {
                let value = sigval { sival_ptr: value as *mut c_void };
                real::pthread_sigqueue.get()(own(), signal.number, value)
            }
        }
    };
}
