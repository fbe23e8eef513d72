//! The crate that an instrumented build is given as `std`.
//!
//! Everything is the real standard library, except for what the mirrors replace. A name that is
//! listed here shadows the one that comes with the glob beside it, so a family of types is
//! replaced by listing all of it.
//!
//! `Instant` and `SystemTime` stay the real ones: the clock behind them is virtual on a controlled
//! thread, because `selvedge-libc` stands in front of it.
//!
//! What code calls that is compiled with the memory layer comes along, so that every program links,
//! whether it has our test runner in it or not.

#![no_std]
#![forbid(unsafe_code)]

extern crate std as real;

use selvedge_memory as _;

pub use real::*;
pub use selvedge_std::{dbg, eprint, eprintln, print, println, thread_local};

/// What `#[global_allocator]` makes of an allocator.
#[doc(hidden)]
pub mod __selvedge_allocator {
    pub use real::prelude::v1::global_allocator;
    pub use selvedge_memory::Behind;
}

/// `std::arch`.
pub mod arch {
    pub use real::arch::*;
    #[cfg(target_arch = "x86_64")]
    pub use selvedge_std::arch::x86_64;
}

/// `std::future`.
pub mod future {
    pub use real::future::*;
    pub use selvedge_std::future::{PollFn, poll_fn};
}

/// `std::hint`.
pub mod hint {
    pub use real::hint::*;
    pub use selvedge_std::hint::spin_loop;
}

/// `std::io`.
pub mod io {
    pub use real::io::*;
    pub use selvedge_std::io::{
        IsTerminal, Stderr, StderrLock, Stdin, StdinLock, Stdout, StdoutLock, stderr, stdin, stdout,
    };
}

/// `std::panic`.
pub mod panic {
    pub use real::panic::*;
    pub use selvedge_std::panic::{catch_unwind, resume_unwind, set_hook, take_hook};
}

/// `std::sync`.
pub mod sync {
    pub use real::sync::*;
    #[expect(deprecated, reason = "std has it")]
    pub use selvedge_std::sync::ONCE_INIT;
    pub use selvedge_std::sync::{
        Barrier, BarrierWaitResult, Condvar, LazyLock, Mutex, MutexGuard, Once, OnceLock,
        OnceState, RwLock, RwLockReadGuard, RwLockWriteGuard, WaitTimeoutResult, mpsc,
    };

    /// `std::sync::atomic`.
    pub mod atomic {
        pub use real::sync::atomic::*;
        #[expect(deprecated, reason = "std has them")]
        pub use selvedge_std::sync::atomic::{
            ATOMIC_BOOL_INIT, ATOMIC_ISIZE_INIT, ATOMIC_USIZE_INIT, spin_loop_hint,
        };
        pub use selvedge_std::sync::atomic::{
            AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr,
            AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, fence,
        };
    }
}

/// `std::thread`.
pub mod thread {
    pub use real::thread::*;
    pub use selvedge_std::thread::{
        AccessError, Builder, JoinHandle, LocalKey, Scope, ScopedJoinHandle, Thread, ThreadId,
        available_parallelism, current, panicking, park, park_timeout, scope, sleep, spawn,
        yield_now,
    };
    #[expect(deprecated, reason = "std still has them")]
    pub use selvedge_std::thread::{park_timeout_ms, sleep_ms};
}

/// `std::prelude`. Since Rust 1.95 this is where the compiler takes the macros from.
pub mod prelude {
    pub use real::prelude::*;

    macro_rules! preludes {
        ($($(#[doc = $doc:literal])+ $edition:ident,)+) => {$(
            $(#[doc = $doc])+
            pub mod $edition {
                pub use real::prelude::$edition::*;
                pub use selvedge_allocator::global_allocator;
                pub use selvedge_std::{dbg, eprint, eprintln, print, println, thread_local};
            }
        )+};
    }

    preludes! {
        /// `std::prelude::v1`.
        v1,
        /// `std::prelude::rust_2015`.
        rust_2015,
        /// `std::prelude::rust_2018`.
        rust_2018,
        /// `std::prelude::rust_2021`.
        rust_2021,
        /// `std::prelude::rust_2024`.
        rust_2024,
    }
}
