//! Mirror of `std::sync::atomic::AtomicBool`.

use super::{Ordering, Value, exchanged, failing, is_for_loads, is_for_stores};
use real::fmt;
use selvedge_engine::{Controlled, Word};
use selvedge_model::Site;

impl Value for bool {
    #[inline]
    fn shown(self) -> u64 {
        u64::from(self)
    }
}

atomic! {
    /// A boolean that threads can share; see [`std::sync::atomic::AtomicBool`].
    AtomicBool: bool = false
}

impl AtomicBool {
    modifications! { bool:
        /// Replaces the value by the logical "and" of itself and `val`.
        fetch_and(bool),
        /// Replaces the value by the negated "and" of itself and `val`.
        fetch_nand(bool),
        /// Replaces the value by the logical "or" of itself and `val`.
        fetch_or(bool),
        /// Replaces the value by the exclusive "or" of itself and `val`.
        fetch_xor(bool),
    }

    /// Negates the value and returns the one before.
    #[inline]
    #[track_caller]
    pub fn fetch_not(&self, order: Ordering) -> bool {
        self.modify(order, |real| real.fetch_not(order))
    }
}
