//! Loads and stores of one to sixteen bytes.

use selvedge_engine::heap::Caller;
use selvedge_engine::memory::{Touch, touch};
use selvedge_model::{AccessKind, AccessMode};
use std::ffi::c_void;

/// Defines, for each size, the function that code calls before such an access, and the one of ours
/// behind it.
macro_rules! accesses {
    ($($name:ident, $ours:ident = $kind:ident $mode:ident $size:literal;)+) => {
        $(
            extern "C" fn $ours(address: *const c_void, return_address: usize, frame: usize) {
                let address = address as usize;
                let (kind, mode) = (AccessKind::$kind, AccessMode::$mode);
                let caller = Caller { return_address, frame };
                touch(Touch { kind, mode, address, size: $size }, caller);
            }

            selvedge_engine::with_caller! {
                #[doc = concat!("Before ", stringify!($mode), " ", stringify!($kind), " of ",
                    stringify!($size), " bytes.")]
                fn $name(address: *const c_void) = $ours, "rsi", "rdx", "x1", "x2";
            }
        )+

        /// Makes the linker take the functions above along.
        pub(crate) fn install() {
            $(std::hint::black_box($name as *const ());)+
            std::hint::black_box((__tsan_init as *const (), __tsan_vptr_update as *const ()));
        }
    };
}

accesses! {
    __tsan_read1, read1 = Read Plain 1;
    __tsan_read2, read2 = Read Plain 2;
    __tsan_read4, read4 = Read Plain 4;
    __tsan_read8, read8 = Read Plain 8;
    __tsan_read16, read16 = Read Plain 16;
    __tsan_unaligned_read2, unaligned_read2 = Read Plain 2;
    __tsan_unaligned_read4, unaligned_read4 = Read Plain 4;
    __tsan_unaligned_read8, unaligned_read8 = Read Plain 8;
    __tsan_unaligned_read16, unaligned_read16 = Read Plain 16;
    __tsan_volatile_read1, volatile_read1 = Read Volatile 1;
    __tsan_volatile_read2, volatile_read2 = Read Volatile 2;
    __tsan_volatile_read4, volatile_read4 = Read Volatile 4;
    __tsan_volatile_read8, volatile_read8 = Read Volatile 8;
    __tsan_volatile_read16, volatile_read16 = Read Volatile 16;
    __tsan_unaligned_volatile_read2, unaligned_volatile_read2 = Read Volatile 2;
    __tsan_unaligned_volatile_read4, unaligned_volatile_read4 = Read Volatile 4;
    __tsan_unaligned_volatile_read8, unaligned_volatile_read8 = Read Volatile 8;
    __tsan_unaligned_volatile_read16, unaligned_volatile_read16 = Read Volatile 16;
    __tsan_write1, write1 = Write Plain 1;
    __tsan_write2, write2 = Write Plain 2;
    __tsan_write4, write4 = Write Plain 4;
    __tsan_write8, write8 = Write Plain 8;
    __tsan_write16, write16 = Write Plain 16;
    __tsan_unaligned_write2, unaligned_write2 = Write Plain 2;
    __tsan_unaligned_write4, unaligned_write4 = Write Plain 4;
    __tsan_unaligned_write8, unaligned_write8 = Write Plain 8;
    __tsan_unaligned_write16, unaligned_write16 = Write Plain 16;
    __tsan_volatile_write1, volatile_write1 = Write Volatile 1;
    __tsan_volatile_write2, volatile_write2 = Write Volatile 2;
    __tsan_volatile_write4, volatile_write4 = Write Volatile 4;
    __tsan_volatile_write8, volatile_write8 = Write Volatile 8;
    __tsan_volatile_write16, volatile_write16 = Write Volatile 16;
    __tsan_unaligned_volatile_write2, unaligned_volatile_write2 = Write Volatile 2;
    __tsan_unaligned_volatile_write4, unaligned_volatile_write4 = Write Volatile 4;
    __tsan_unaligned_volatile_write8, unaligned_volatile_write8 = Write Volatile 8;
    __tsan_unaligned_volatile_write16, unaligned_volatile_write16 = Write Volatile 16;
    __tsan_read_write1, read_write1 = Write Plain 1;
    __tsan_read_write2, read_write2 = Write Plain 2;
    __tsan_read_write4, read_write4 = Write Plain 4;
    __tsan_read_write8, read_write8 = Write Plain 8;
    __tsan_read_write16, read_write16 = Write Plain 16;
    __tsan_unaligned_read_write2, unaligned_read_write2 = Write Plain 2;
    __tsan_unaligned_read_write4, unaligned_read_write4 = Write Plain 4;
    __tsan_unaligned_read_write8, unaligned_read_write8 = Write Plain 8;
    __tsan_unaligned_read_write16, unaligned_read_write16 = Write Plain 16;
    __tsan_vptr_read, vptr_read = Read Plain 8;
}

/// Before a pointer to a table of functions is replaced.
extern "C" fn vptr_update(
    address: *mut c_void,
    _: *mut c_void,
    return_address: usize,
    frame: usize,
) {
    let (kind, mode, address) = (AccessKind::Write, AccessMode::Plain, address as usize);
    touch(Touch { kind, mode, address, size: 8 }, Caller { return_address, frame });
}

selvedge_engine::with_caller! {
    /// Before a pointer to a table of functions is replaced by `new`.
    fn __tsan_vptr_update(address: *mut c_void, new: *mut c_void)
        = vptr_update, "rdx", "rcx", "x2", "x3";
}

/// Called by each module at the start of the program. There is nothing to do.
// SAFETY: The name and signature are those that the pass calls.
#[unsafe(no_mangle)]
extern "C" fn __tsan_init() {}
