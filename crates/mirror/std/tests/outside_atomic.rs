//! Outside of a controlled execution the mirrors of the atomics behave like the real ones.
//!
//! Each operation is carried out on the real atomic and on the mirror, and both what it returns
//! and what it leaves behind are compared.

use selvedge_std::sync::atomic as mirror;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic as real;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

const ORDERINGS: [Ordering; 5] = [Relaxed, Acquire, Release, AcqRel, SeqCst];

/// The text that `f` panics with, if it does.
fn panic_of<R>(f: impl FnOnce() -> R) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(f)).err()?;
    Some(match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast::<&str>().map_or("?".to_owned(), |text| text.to_string()),
    })
}

/// Compares an operation on an atomic that holds `$start`, with every ordering.
macro_rules! same {
    ($atomic:ident, $start:expr, |$it:ident, $order:ident| $operation:expr) => {
        for $order in ORDERINGS {
            let run_real = || {
                let mut atomic = real::$atomic::new($start);
                let $it = &mut atomic;
                let result = $operation;
                (result, atomic.into_inner())
            };
            let run_mirror = || {
                let mut atomic = mirror::$atomic::new($start);
                let $it = &mut atomic;
                let result = $operation;
                (result, atomic.into_inner())
            };
            let what = stringify!($atomic, $operation, $start);
            assert_eq!(panic_of(run_mirror), panic_of(run_real), "{what} {:?}", $order);
            if panic_of(run_real).is_none() {
                assert_eq!(run_mirror(), run_real(), "{what} {:?}", $order);
            }
        }
    };
}

/// Compares what every atomic has, for two values.
macro_rules! same_basics {
    ($atomic:ident, $a:expr, $b:expr) => {
        same!($atomic, $a, |it, order| it.load(order));
        same!($atomic, $a, |it, order| it.store($b, order));
        same!($atomic, $a, |it, order| it.swap($b, order));
        same!($atomic, $a, |it, order| {
            #[allow(deprecated, reason = "std has it")]
            (it.compare_and_swap($a, $b, order), it.compare_and_swap($a, $b, order))
        });
        for failure in ORDERINGS {
            same!($atomic, $a, |it, order| it.compare_exchange($a, $b, order, failure));
            same!($atomic, $a, |it, order| it.compare_exchange($b, $a, order, failure));
            same!($atomic, $a, |it, order| it.compare_exchange_weak($b, $a, order, failure));
            same!($atomic, $a, |it, order| {
                while it.compare_exchange_weak($a, $b, order, failure).is_err() {}
            });
            same!($atomic, $a, |it, order| it.fetch_update(order, failure, |_| Some($b)));
            same!($atomic, $a, |it, order| it.fetch_update(order, failure, |_| None));
            same!($atomic, $a, |it, order| it.try_update(order, failure, |_| Some($b)));
            same!($atomic, $a, |it, order| it.update(order, failure, |_| $b));
        }
        same!($atomic, $a, |it, _order| format!("{it:?}"));
        same!($atomic, $a, |it, order| {
            *it.get_mut() = $b;
            it.swap($a, order)
        });
        let mut place = $a;
        // SAFETY: The place lives as long as the atomic is used and is not used otherwise; it is
        // aligned, as the sizes and alignments of all these types agree on this platform.
        unsafe { mirror::$atomic::from_ptr(&raw mut place) }.store($b, Relaxed);
        assert_eq!(place, $b);
        assert_eq!(mirror::$atomic::from($a).into_inner(), $a);
        let defaults = (mirror::$atomic::default(), real::$atomic::default());
        place = defaults.0.into_inner();
        assert_eq!(place, defaults.1.into_inner());
    };
}

macro_rules! same_modifications {
    ($atomic:ident, $a:expr, $b:expr, $($method:ident)+) => {
        $(same!($atomic, $a, |it, order| it.$method($b, order));)+
    };
}

macro_rules! integers {
    ($($test:ident $atomic:ident: $integer:ident;)+) => {
        $(
            #[test]
            fn $test() {
                const VALUES: [$integer; 6] =
                    [0, 1, 6, $integer::MAX, $integer::MIN, $integer::MAX - 5];
                for a in VALUES {
                    for b in VALUES {
                        same_modifications!($atomic, a, b,
                            fetch_add fetch_sub fetch_and fetch_nand fetch_or fetch_xor
                            fetch_max fetch_min swap
                        );
                    }
                }
                same_basics!($atomic, 1, $integer::MAX);
                same_basics!($atomic, $integer::MIN, 7);
                let it = mirror::$atomic::new(5);
                // SAFETY: Nobody else uses the atomic.
                assert_eq!(unsafe { *it.as_ptr() }, 5);
            }
        )+
    };
}

integers! {
    an_i8_is_the_same AtomicI8: i8;
    an_i16_is_the_same AtomicI16: i16;
    an_i32_is_the_same AtomicI32: i32;
    an_i64_is_the_same AtomicI64: i64;
    an_isize_is_the_same AtomicIsize: isize;
    a_u8_is_the_same AtomicU8: u8;
    a_u16_is_the_same AtomicU16: u16;
    a_u32_is_the_same AtomicU32: u32;
    a_u64_is_the_same AtomicU64: u64;
    a_usize_is_the_same AtomicUsize: usize;
}

#[test]
fn a_bool_is_the_same() {
    for a in [false, true] {
        for b in [false, true] {
            same_modifications!(AtomicBool, a, b, fetch_and fetch_nand fetch_or fetch_xor swap);
        }
        same!(AtomicBool, a, |it, order| it.fetch_not(order));
    }
    same_basics!(AtomicBool, false, true);
}

#[test]
fn a_pointer_is_the_same() {
    let mut numbers = [0_u32; 8];
    let [first, second] = [&raw mut numbers[0], &raw mut numbers[1]];
    for a in [ptr::null_mut(), first, second] {
        for b in [0, 1, 3, usize::MAX] {
            same_modifications!(AtomicPtr, a, b,
                fetch_ptr_add fetch_ptr_sub fetch_byte_add fetch_byte_sub
                fetch_or fetch_and fetch_xor
            );
        }
    }
    same_basics!(AtomicPtr, first, second);
    same!(AtomicPtr, first, |it, _order| format!("{it:p}"));
}

#[test]
fn fences_are_the_same() {
    for order in ORDERINGS {
        assert_eq!(panic_of(|| mirror::fence(order)), panic_of(|| real::fence(order)));
        assert_eq!(
            panic_of(|| mirror::compiler_fence(order)),
            panic_of(|| real::compiler_fence(order)),
        );
    }
}

#[test]
#[allow(deprecated, reason = "std has them")]
fn the_old_constants_are_zero() {
    fn shown(it: impl Debug) -> String {
        format!("{it:?}")
    }
    assert_eq!(shown(mirror::ATOMIC_BOOL_INIT), "false");
    assert_eq!(shown(mirror::ATOMIC_ISIZE_INIT), "0");
    assert_eq!(shown(mirror::ATOMIC_USIZE_INIT), "0");
    mirror::spin_loop_hint();
}
