//! The memory layer: accesses to memory, as compiled code tells of them.
//!
//! `cargo selvedge` has the compiler run the instrumentation pass of ThreadSanitizer over the code
//! of a test, without the sanitizer's runtime. The code then calls a function before each load and
//! store, and in the place of each atomic access. This crate defines those functions, and hands what
//! they are told to the engine (`engine/src/memory.rs`).
//!
//! The mirrors and the engine are compiled without the pass. Where their code is inlined into the
//! test's, the engine knows that it is not the test's.

#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod atomic;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod plain;
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod range;

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
