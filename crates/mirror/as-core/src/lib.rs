//! The crate that an instrumented build is given as `core`.
//!
//! Everything is the real `core`, except for what the mirrors replace; see `selvedge-as-std`. The
//! atomics are the same types there and here.

#![no_std]
#![forbid(unsafe_code)]

extern crate core as real;

use selvedge_memory as _;

pub use real::*;

/// `core::arch`.
pub mod arch {
    pub use real::arch::*;
    #[cfg(target_arch = "x86_64")]
    pub use selvedge_std::arch::x86_64;
}

/// `core::future`.
pub mod future {
    pub use real::future::*;
    pub use selvedge_std::future::{PollFn, poll_fn};
}

/// `core::hint`.
pub mod hint {
    pub use real::hint::*;
    pub use selvedge_std::hint::spin_loop;
}

/// `core::sync`.
pub mod sync {
    pub use real::sync::*;

    /// `core::sync::atomic`.
    pub mod atomic {
        pub use real::sync::atomic::*;
        #[expect(deprecated, reason = "core has them")]
        pub use selvedge_std::sync::atomic::{
            ATOMIC_BOOL_INIT, ATOMIC_ISIZE_INIT, ATOMIC_USIZE_INIT, spin_loop_hint,
        };
        pub use selvedge_std::sync::atomic::{
            AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr,
            AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, fence,
        };
    }
}
