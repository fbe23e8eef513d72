//! How functions of the C library say that they have failed.

use std::ffi::c_int;

/// Why the last function of the C library that the thread has called has failed.
pub(crate) fn errno() -> c_int {
    // SAFETY: The C library hands out the address of the calling thread's own variable.
    unsafe { *libc::__errno_location() }
}

/// The reason that the caller of the present function will see.
pub(crate) fn set_errno(reason: c_int) {
    // SAFETY: As above.
    unsafe { *libc::__errno_location() = reason };
}
