//! What the pass may call that tells of no access.
//!
//! The command asks it not to. But the flags are of one call of the compiler, and a crate may come
//! with others.

use std::ffi::c_void;

/// At the beginning of a function.
// SAFETY: The name and signature are those that the pass calls.
#[unsafe(no_mangle)]
extern "C" fn __tsan_func_entry(_return_address: *const c_void) {}

/// At the end of a function.
// SAFETY: The name and signature are those that the pass calls.
#[unsafe(no_mangle)]
extern "C" fn __tsan_func_exit() {}

/// Before code whose accesses are nobody's business, for which nobody asks in Rust.
// SAFETY: The name and signature are those that the pass calls.
#[unsafe(no_mangle)]
extern "C" fn __tsan_ignore_thread_begin() {}

/// After such code.
// SAFETY: The name and signature are those that the pass calls.
#[unsafe(no_mangle)]
extern "C" fn __tsan_ignore_thread_end() {}
