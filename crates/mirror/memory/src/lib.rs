//! The memory layer: accesses to memory, as compiled code tells of them.
//!
//! `cargo selvedge` has the compiler run the instrumentation pass of ThreadSanitizer over the code
//! of a test, without the sanitizer's runtime. The code then calls a function before each load and
//! store, and in the place of each atomic access. This crate defines those functions, and hands what
//! they are told to the engine (`engine/src/memory.rs`).
//!
//! The mirrors and the engine are compiled without the pass. Where their code is inlined into the
//! test's, the engine knows that it is not the test's.
//!
//! The pass is run over whatever is compiled against the mirrors, so the crates that stand for `std`
//! and `core` depend on this one: binaries, examples, and tests with a harness of their own link like
//! any other program, and their accesses are told to nobody.

#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod atomic;
mod behind;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod calls;
mod own;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod plain;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod range;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64", not(miri)))]
mod wide;

pub use behind::Behind;

/// Makes the linker take the functions along. To be called once by the program whose code may be
/// compiled with the memory layer.
pub fn install() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    {
        atomic::install();
        plain::install();
        range::install();
    }
}
