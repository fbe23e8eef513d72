//! Copies, fills, and other accesses to many bytes. The former are made here.

use selvedge_engine::heap::Caller;
use selvedge_engine::memory::{Touch, touch};
use selvedge_model::{AccessKind, AccessMode};
use std::ffi::{c_int, c_void};
use std::ptr;

/// Makes the linker take the functions below along.
pub(crate) fn install() {
    std::hint::black_box((__tsan_memcpy as *const (), __tsan_memmove as *const ()));
    std::hint::black_box((__tsan_memset as *const (), __tsan_read_range as *const ()));
    std::hint::black_box(__tsan_write_range as *const ());
}

fn read(address: *const c_void, size: usize, caller: Caller) {
    let (kind, mode, address) = (AccessKind::Read, AccessMode::Plain, address as usize);
    touch(Touch { kind, mode, address, size }, caller);
}

fn write(address: *mut c_void, size: usize, caller: Caller) {
    let (kind, mode, address) = (AccessKind::Write, AccessMode::Plain, address as usize);
    touch(Touch { kind, mode, address, size }, caller);
}

extern "C" fn memcpy(
    to: *mut c_void,
    from: *const c_void,
    size: usize,
    return_address: usize,
    frame: usize,
) -> *mut c_void {
    let caller = Caller { return_address, frame };
    read(from, size, caller);
    write(to, size, caller);
    // SAFETY: What the caller asked for. Copies of what overlaps are refused by nobody.
    unsafe { ptr::copy::<u8>(from.cast(), to.cast(), size) };
    to
}

extern "C" fn memset(
    to: *mut c_void,
    byte: c_int,
    size: usize,
    return_address: usize,
    frame: usize,
) -> *mut c_void {
    write(to, size, Caller { return_address, frame });
    // SAFETY: What the caller asked for.
    unsafe { ptr::write_bytes::<u8>(to.cast(), byte as u8, size) };
    to
}

extern "C" fn read_range(address: *const c_void, size: usize, return_address: usize, frame: usize) {
    read(address, size, Caller { return_address, frame });
}

extern "C" fn write_range(address: *mut c_void, size: usize, return_address: usize, frame: usize) {
    write(address, size, Caller { return_address, frame });
}

selvedge_engine::with_caller! {
    /// Copies bytes.
    fn __tsan_memcpy(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void
        = memcpy, "rcx", "r8", "x3", "x4";
    /// Copies bytes that may overlap.
    fn __tsan_memmove(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void
        = memcpy, "rcx", "r8", "x3", "x4";
    /// Fills with a byte.
    fn __tsan_memset(to: *mut c_void, byte: c_int, size: usize) -> *mut c_void
        = memset, "rcx", "r8", "x3", "x4";
    /// Before many bytes are read.
    fn __tsan_read_range(address: *const c_void, size: usize) = read_range, "rdx", "rcx", "x2", "x3";
    /// Before many bytes are written.
    fn __tsan_write_range(address: *mut c_void, size: usize) = write_range, "rdx", "rcx", "x2", "x3";
}
