//! Locks on files. They belong to an open file and not to a process, so threads of an execution can
//! wait for each other with them.
//!
//! A thread that would have to wait tries again after others have run. Locks of `fcntl` that belong
//! to a process never keep its own threads apart; they are left to the C library.

use crate::errno::keeping_errno;
use selvedge_engine::{Carries, Controlled};
use selvedge_model::{OperationKind, Site};
use std::ffi::c_int;

in_front! {
    fn flock(file: c_int, operation: c_int) -> c_int => inside_flock;
}

/// Takes a lock, or gives it back, by asking again and again without waiting.
pub(crate) fn ask_again(controlled: Controlled, site: Site, ask: impl Fn() -> c_int) -> c_int {
    loop {
        controlled.carries(Carries::Both);
        let result = ask();
        let errno = keeping_errno();
        controlled.files_changed();
        drop(errno);
        let refused = || {
            let reason = std::io::Error::last_os_error().raw_os_error();
            matches!(reason, Some(libc::EWOULDBLOCK | libc::EACCES))
        };
        if result != -1 || !refused() {
            return result;
        }
        controlled.yield_now(OperationKind::Yield, site);
    }
}

/// # Safety
///
/// The arguments are as flock(2) has them.
unsafe fn inside_flock(controlled: Controlled, file: c_int, operation: c_int) -> Option<c_int> {
    if operation & libc::LOCK_NB != 0 || operation & libc::LOCK_UN != 0 {
        controlled.carries(Carries::Both);
        return None;
    }
    Some(ask_again(controlled, Site::caller(), || {
        // SAFETY: Passed on to the caller.
        unsafe { real::flock.get()(file, operation | libc::LOCK_NB) }
    }))
}
