//! Random bytes; which ones there are in an execution is in `engine/random.rs`.

use selvedge_engine::Controlled;
use std::ffi::{c_int, c_uint, c_void};
use std::slice;

in_front! {
    fn getrandom(buffer: *mut c_void, length: usize, flags: c_uint) -> isize => get;
    fn getentropy(buffer: *mut c_void, length: usize) -> c_int => get_entropy;
}

/// # Safety
///
/// The arguments are as getrandom(2) has them.
pub(crate) unsafe fn get(
    controlled: Controlled,
    buffer: *mut c_void,
    length: usize,
    _: c_uint,
) -> Option<isize> {
    if buffer.is_null() {
        return None;
    }
    // SAFETY: The caller has promised a buffer of that length. Zeroes make bytes of it that can be
    // referred to.
    let buffer = unsafe {
        buffer.cast::<u8>().write_bytes(0, length);
        slice::from_raw_parts_mut(buffer.cast::<u8>(), length)
    };
    controlled.fill_random(buffer);
    Some(length as isize)
}

/// # Safety
///
/// The arguments are as getentropy(3) has them.
unsafe fn get_entropy(controlled: Controlled, buffer: *mut c_void, length: usize) -> Option<c_int> {
    /// More than this is an error, which the C library reports.
    const MOST: usize = 256;
    if length > MOST {
        return None;
    }
    // SAFETY: Passed on to the caller.
    unsafe { get(controlled, buffer, length, 0) }.map(|_| 0)
}
