//! Mirror of the atomic integers of `std::sync::atomic`.

use super::{Ordering, Value, exchanged, failing, is_for_loads, is_for_stores};
use real::fmt;
use selvedge_engine::{Controlled, Word};
use selvedge_model::Site;

/// Defines atomic integers: `Name: integer`.
macro_rules! integers {
    ($($name:ident: $integer:ident,)+) => {
        $(
            impl Value for $integer {
                /// Signed values keep their sign: it is repeated in the upper bits.
                #[inline]
                fn shown(self) -> u64 {
                    self as i64 as u64
                }
            }

            atomic! {
                /// An integer that threads can share; see
                #[doc = concat!("[`std::sync::atomic::", stringify!($name), "`].")]
                $name: $integer = 0
            }

            impl $name {
                modifications! { $integer:
                    /// Adds `val`, wrapping around on overflow, and returns the value before.
                    fetch_add($integer),
                    /// Subtracts `val`, wrapping around on overflow, and returns the value before.
                    fetch_sub($integer),
                    /// Keeps the bits that are set in `val` too, and returns the value before.
                    fetch_and($integer),
                    /// Clears the bits that are set in `val` too and sets all others, and returns
                    /// the value before.
                    fetch_nand($integer),
                    /// Sets the bits that are set in `val`, and returns the value before.
                    fetch_or($integer),
                    /// Flips the bits that are set in `val`, and returns the value before.
                    fetch_xor($integer),
                    /// Raises the value to `val` if it is less, and returns the value before.
                    fetch_max($integer),
                    /// Lowers the value to `val` if it is more, and returns the value before.
                    fetch_min($integer),
                }
            }
        )+
    };
}

integers! {
    AtomicI8: i8,
    AtomicI16: i16,
    AtomicI32: i32,
    AtomicI64: i64,
    AtomicIsize: isize,
    AtomicU8: u8,
    AtomicU16: u16,
    AtomicU32: u32,
    AtomicU64: u64,
    AtomicUsize: usize,
}
