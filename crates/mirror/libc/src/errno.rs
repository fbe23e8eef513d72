//! How functions of the C library say that they have failed.
//!
//! All threads of an execution share the `errno` of one operating-system thread. That is right as
//! long as it is set last, right before the function returns: nobody else runs before the caller
//! has had the opportunity to look.

use std::ffi::c_int;

/// The result of a function that has failed for the given reason.
pub(crate) fn fail<R: From<i8>>(reason: c_int) -> R {
    // SAFETY: The C library hands out the address of the calling thread's own variable.
    unsafe { *libc::__errno_location() = reason };
    R::from(-1)
}

/// Keeps the reason of a failure, and puts it back when it is dropped.
pub(crate) struct KeptErrno(c_int);

/// Keeps the present reason of a failure from what the engine does before the caller can look.
pub(crate) fn keeping_errno() -> KeptErrno {
    // SAFETY: The C library hands out the address of the calling thread's own variable.
    KeptErrno(unsafe { *libc::__errno_location() })
}

impl Drop for KeptErrno {
    fn drop(&mut self) {
        // SAFETY: As above.
        unsafe { *libc::__errno_location() = self.0 };
    }
}
