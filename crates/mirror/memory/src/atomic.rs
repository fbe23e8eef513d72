//! Atomic accesses, which are made here, and fences.
//!
//! All are made with the strongest ordering, whatever was asked for: what was asked for is told to
//! the engine, and what the machine does makes no difference to threads of one execution.

use selvedge_engine::heap::Caller;
use selvedge_engine::memory::{AtomicTouch, atomic, fence};
use std::ffi::c_int;
use std::sync::atomic::Ordering::{self, SeqCst};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

/// An ordering, as the pass numbers them: relaxed, consume, acquire, release, both, and total.
pub(crate) fn ordering(number: c_int) -> Ordering {
    match number {
        0 => Ordering::Relaxed,
        1 | 2 => Ordering::Acquire,
        3 => Ordering::Release,
        4 => Ordering::AcqRel,
        _ => SeqCst,
    }
}

/// Defines the read-modify-writes of a size.
macro_rules! modify {
    ($type:ident, $atomic:ident; $($name:ident, $ours:ident = $method:ident;)+) => {
        $(
            extern "C" fn $ours(
                place: *mut $type,
                value: $type,
                order: c_int,
                return_address: usize,
                frame: usize,
            ) -> $type {
                // SAFETY: The caller would have made this access itself.
                let before = unsafe { $atomic::from_ptr(place) }.$method(value, SeqCst);
                let caller = Caller { return_address, frame };
                let (address, size) = (place as usize, size_of::<$type>());
                atomic(AtomicTouch::Rmw, ordering(order), address, size, caller);
                before
            }

            selvedge_engine::with_caller! {
                #[doc = concat!("In the place of `", stringify!($method), "`.")]
                fn $name(place: *mut $type, value: $type, order: c_int) -> $type
                    = $ours, "rcx", "r8", "x3", "x4";
            }
        )+
    };
}

/// Defines all accesses of a size, in a module.
macro_rules! atomics {
    ($module:ident: $type:ident, $atomic:ident;
        $load:ident $store:ident $exchange:ident $add:ident $sub:ident $and:ident $or:ident
        $xor:ident $nand:ident $compare:ident) => {
        mod $module {
            use super::*;

            /// Makes the linker take the functions below along.
            pub(super) fn install() {
                std::hint::black_box(($load as *const (), $store as *const ()));
                std::hint::black_box(($exchange as *const (), $compare as *const ()));
                std::hint::black_box(($add as *const (), $sub as *const (), $and as *const ()));
                std::hint::black_box(($or as *const (), $xor as *const (), $nand as *const ()));
            }

            extern "C" fn load(
                place: *mut $type,
                order: c_int,
                return_address: usize,
                frame: usize,
            ) -> $type {
                // SAFETY: The caller would have made this access itself.
                let value = unsafe { $atomic::from_ptr(place) }.load(SeqCst);
                let caller = Caller { return_address, frame };
                let (address, size) = (place as usize, size_of::<$type>());
                atomic(AtomicTouch::Load, ordering(order), address, size, caller);
                value
            }

            extern "C" fn store(
                place: *mut $type,
                value: $type,
                order: c_int,
                return_address: usize,
                frame: usize,
            ) {
                // SAFETY: The caller would have made this access itself.
                unsafe { $atomic::from_ptr(place) }.store(value, SeqCst);
                let caller = Caller { return_address, frame };
                let (address, size) = (place as usize, size_of::<$type>());
                atomic(AtomicTouch::Store, ordering(order), address, size, caller);
            }

            extern "C" fn compare(
                place: *mut $type,
                expected: $type,
                new: $type,
                success: c_int,
                failure: c_int,
                return_address: usize,
            ) -> $type {
                // SAFETY: The caller would have made this access itself.
                let word = unsafe { $atomic::from_ptr(place) };
                let result = word.compare_exchange(expected, new, SeqCst, SeqCst);
                let (what, order) = match result {
                    Ok(_) => (AtomicTouch::Rmw, success),
                    Err(_) => (AtomicTouch::Load, failure),
                };
                // There is no room for the frame among the arguments.
                let caller = Caller { return_address, frame: 0 };
                atomic(what, ordering(order), place as usize, size_of::<$type>(), caller);
                result.unwrap_or_else(|found| found)
            }

            modify! { $type, $atomic;
                $exchange, exchange = swap;
                $add, add = fetch_add;
                $sub, sub = fetch_sub;
                $and, and = fetch_and;
                $or, or = fetch_or;
                $xor, xor = fetch_xor;
                $nand, nand = fetch_nand;
            }

            selvedge_engine::with_caller! {
                /// In the place of a load.
                fn $load(place: *mut $type, order: c_int) -> $type
                    = load, "rdx", "rcx", "x2", "x3";
                /// In the place of a store.
                fn $store(place: *mut $type, value: $type, order: c_int)
                    = store, "rcx", "r8", "x3", "x4";
                /// In the place of a compare-exchange; gives back what was found.
                fn $compare(
                    place: *mut $type,
                    expected: $type,
                    new: $type,
                    success: c_int,
                    failure: c_int
                ) -> $type = compare, "r9", "rax", "x5", "x6";
            }
        }
    };
}

atomics! { bits8: u8, AtomicU8;
    __tsan_atomic8_load __tsan_atomic8_store __tsan_atomic8_exchange __tsan_atomic8_fetch_add
    __tsan_atomic8_fetch_sub __tsan_atomic8_fetch_and __tsan_atomic8_fetch_or
    __tsan_atomic8_fetch_xor __tsan_atomic8_fetch_nand __tsan_atomic8_compare_exchange_val
}
atomics! { bits16: u16, AtomicU16;
    __tsan_atomic16_load __tsan_atomic16_store __tsan_atomic16_exchange __tsan_atomic16_fetch_add
    __tsan_atomic16_fetch_sub __tsan_atomic16_fetch_and __tsan_atomic16_fetch_or
    __tsan_atomic16_fetch_xor __tsan_atomic16_fetch_nand __tsan_atomic16_compare_exchange_val
}
atomics! { bits32: u32, AtomicU32;
    __tsan_atomic32_load __tsan_atomic32_store __tsan_atomic32_exchange __tsan_atomic32_fetch_add
    __tsan_atomic32_fetch_sub __tsan_atomic32_fetch_and __tsan_atomic32_fetch_or
    __tsan_atomic32_fetch_xor __tsan_atomic32_fetch_nand __tsan_atomic32_compare_exchange_val
}
atomics! { bits64: u64, AtomicU64;
    __tsan_atomic64_load __tsan_atomic64_store __tsan_atomic64_exchange __tsan_atomic64_fetch_add
    __tsan_atomic64_fetch_sub __tsan_atomic64_fetch_and __tsan_atomic64_fetch_or
    __tsan_atomic64_fetch_xor __tsan_atomic64_fetch_nand __tsan_atomic64_compare_exchange_val
}

/// Makes the linker take the functions of this file along.
pub(crate) fn install() {
    bits8::install();
    bits16::install();
    bits32::install();
    bits64::install();
    std::hint::black_box(__tsan_atomic_thread_fence as *const ());
    std::hint::black_box(__tsan_atomic_signal_fence as *const ());
}

/// In the place of a fence.
// SAFETY: The name and signature are those that the pass calls.
#[unsafe(no_mangle)]
extern "C" fn __tsan_atomic_thread_fence(order: c_int) {
    std::sync::atomic::fence(SeqCst);
    fence(ordering(order));
}

/// In the place of a fence for the compiler, which orders nothing between threads.
// SAFETY: The name and signature are those that the pass calls.
#[unsafe(no_mangle)]
extern "C" fn __tsan_atomic_signal_fence(_order: c_int) {
    std::sync::atomic::compiler_fence(SeqCst);
}
