//! What a controlled test process sees as the C library.
//!
//! What code asks of the kernel behind the mirrors' back (a lock of its own on a futex, the clock,
//! a sleep, memory) goes through functions of the C library. This crate defines functions of the
//! same names, which the linker prefers. On a controlled thread they ask the engine; for everybody
//! else they do what the C library does, by way of its own definitions.

#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64"),
    not(miri)
))]
mod heap;

/// Makes sure that the functions of this crate are linked into the process, and tells the engine.
/// Must be called before an engine is made that relies on them.
pub fn link() {
    #[cfg(all(
        target_os = "linux",
        target_env = "gnu",
        any(target_arch = "x86_64", target_arch = "aarch64"),
        not(miri)
    ))]
    heap::link();
}
