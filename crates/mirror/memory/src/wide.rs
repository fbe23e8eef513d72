//! Atomic accesses of sixteen bytes: `core::arch::x86_64::cmpxchg16b` is one.
//!
//! They are made by compare-exchanges, as the processor has nothing else. Who called is not known:
//! the arguments leave no register free.

use super::atomic::ordering;
use selvedge_engine::heap::Caller;
use selvedge_engine::memory::{AtomicTouch, atomic};
use std::arch::asm;
use std::ffi::c_int;

const NOBODY: Caller = Caller { return_address: 0, frame: 0 };

/// Writes `new` if `expected` is there, and gives back what was there.
///
/// # Safety
///
/// `place` must be aligned and valid for an atomic access, and the processor must have the
/// instruction, which it has if it runs code that was compiled to make such accesses.
unsafe fn compare(place: *mut u128, expected: u128, new: u128) -> u128 {
    let (mut low, mut high) = (expected as u64, (expected >> 64) as u64);
    // The intrinsic would become a call of a library that nobody links, since the kit is compiled for
    // any processor.
    // SAFETY: As the caller promises. `rbx`, which the compiler keeps to itself, is put back.
    unsafe {
        asm!(
            "xchg {new}, rbx",
            "lock cmpxchg16b [{place}]",
            "mov rbx, {new}",
            place = in(reg) place,
            new = inout(reg) new as u64 => _,
            in("rcx") (new >> 64) as u64,
            inout("rax") low,
            inout("rdx") high,
            options(nostack),
        );
    }
    u128::from(high) << 64 | u128::from(low)
}

/// Replaces what is there by what `new` makes of it, and gives back what was there.
///
/// # Safety
///
/// As for [`compare`].
unsafe fn modify(place: *mut u128, new: impl Fn(u128) -> u128) -> u128 {
    let mut expected = 0;
    loop {
        // SAFETY: As the caller promises.
        let found = unsafe { compare(place, expected, new(expected)) };
        if found == expected {
            return found;
        }
        expected = found;
    }
}

fn tell(what: AtomicTouch, order: c_int, place: *mut u128) {
    atomic(what, ordering(order), place as usize, size_of::<u128>(), NOBODY);
}

/// In the place of a load.
// SAFETY: The name and signature are those that the pass calls.
#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic128_load(place: *mut u128, order: c_int) -> u128 {
    // SAFETY: The caller would have made this access itself.
    let value = unsafe { modify(place, |value| value) };
    tell(AtomicTouch::Load, order, place);
    value
}

/// In the place of a store.
// SAFETY: The name and signature are those that the pass calls.
#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic128_store(place: *mut u128, value: u128, order: c_int) {
    // SAFETY: The caller would have made this access itself.
    unsafe { modify(place, |_| value) };
    tell(AtomicTouch::Store, order, place);
}

/// In the place of a compare-exchange; gives back what was found.
// SAFETY: The name and signature are those that the pass calls.
#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_atomic128_compare_exchange_val(
    place: *mut u128,
    expected: u128,
    new: u128,
    success: c_int,
    failure: c_int,
) -> u128 {
    // SAFETY: The caller would have made this access itself.
    let found = unsafe { compare(place, expected, new) };
    match found == expected {
        true => tell(AtomicTouch::Rmw, success, place),
        false => tell(AtomicTouch::Load, failure, place),
    }
    found
}

/// Defines the read-modify-writes.
macro_rules! modify {
    ($($name:ident = |$before:ident, $value:ident| $new:expr;)+) => {$(
        /// In the place of a read-modify-write.
        // SAFETY: The name and signature are those that the pass calls.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(place: *mut u128, $value: u128, order: c_int) -> u128 {
            // SAFETY: The caller would have made this access itself.
            let before = unsafe { modify(place, |$before| $new) };
            tell(AtomicTouch::Rmw, order, place);
            before
        }
    )+};
}

modify! {
    __tsan_atomic128_exchange = |_before, value| value;
    __tsan_atomic128_fetch_add = |before, value| before.wrapping_add(value);
    __tsan_atomic128_fetch_sub = |before, value| before.wrapping_sub(value);
    __tsan_atomic128_fetch_and = |before, value| before & value;
    __tsan_atomic128_fetch_or = |before, value| before | value;
    __tsan_atomic128_fetch_xor = |before, value| before ^ value;
    __tsan_atomic128_fetch_nand = |before, value| !(before & value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_made() {
        if !std::arch::is_x86_feature_detected!("cmpxchg16b") {
            return;
        }
        const BIG: u128 = 7 << 64 | 9;
        let mut place = BIG;
        // SAFETY: The place is ours, and the processor has the instruction.
        unsafe {
            assert_eq!(__tsan_atomic128_load(&mut place, 5), BIG);
            assert_eq!(__tsan_atomic128_compare_exchange_val(&mut place, 1, 2, 5, 5), BIG);
            assert_eq!(__tsan_atomic128_compare_exchange_val(&mut place, BIG, 2, 5, 5), BIG);
            assert_eq!(__tsan_atomic128_exchange(&mut place, u128::MAX, 5), 2);
            assert_eq!(__tsan_atomic128_fetch_add(&mut place, BIG, 5), u128::MAX);
            assert_eq!(__tsan_atomic128_fetch_sub(&mut place, BIG, 5), BIG - 1);
            assert_eq!(__tsan_atomic128_fetch_and(&mut place, BIG, 5), u128::MAX);
            assert_eq!(__tsan_atomic128_fetch_xor(&mut place, 1, 5), BIG);
            assert_eq!(__tsan_atomic128_fetch_or(&mut place, 1, 5), BIG - 1);
            assert_eq!(__tsan_atomic128_fetch_nand(&mut place, 1, 5), BIG);
            __tsan_atomic128_store(&mut place, 3, 5);
        }
        assert_eq!(place, 3);
    }
}
