//! `pthread_once_t`.

use libc::pthread_once_t;
use selvedge_engine::{Controlled, ForeignKind, OnceEntry, OnceExit};
use selvedge_model::Site;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

in_front! {
    fn pthread_once(once: *mut pthread_once_t, run: Run) -> c_int => inside_once;
}

unsafe extern "C" {
    fn _Unwind_Backtrace(
        step: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        to: *mut c_void,
    ) -> c_int;
}

/// Stands in front of the C library's, and has the unwinder do what it does once in a process: it is
/// nothing of the test's that panics first.
pub(crate) fn install_and_warm_up() {
    extern "C" fn stop(_: *mut c_void, _: *mut c_void) -> c_int {
        1
    }
    install();
    // SAFETY: The function walks up the stack that it is called on, and is told to stop at once.
    unsafe { _Unwind_Backtrace(stop, ptr::null_mut()) };
}

/// What is to be done once.
type Run = extern "C" fn();

/// What the C library leaves there when it is done; it is part of its interface, since compilers look
/// at it.
const DONE: i32 = 2;

/// # Safety
///
/// As pthread_once(3) has it.
unsafe fn inside_once(
    controlled: Controlled,
    once: *mut pthread_once_t,
    run: Run,
) -> Option<c_int> {
    let site = Site::caller();
    let object = controlled.object_at(once as usize, ForeignKind::Once, site);
    // SAFETY: Passed on to the caller: it can be read and written for as long as it is used, and others
    // do so by atomic operations.
    let state = unsafe { AtomicI32::from_ptr(once) };
    let is_done = || state.load(Ordering::Acquire) == DONE;
    // That is all that the C library's does. Every panic does so, for tables of the unwinder.
    if is_done() {
        controlled.once_was_done(&object);
        return Some(0);
    }
    if controlled.once_enter(&object, site, is_done) == OnceEntry::Entered {
        run();
        controlled.once_done(&object, site, || {
            state.store(DONE, Ordering::Release);
            OnceExit::Done
        });
    }
    Some(0)
}
