//! What a controlled test process sees as the C library.
//!
//! What code asks of the kernel behind the mirrors' back (a lock of its own on a futex, the clock,
//! a sleep, memory) goes through functions of the C library. This crate defines functions of the
//! same names, which the linker prefers. On a controlled thread they ask the engine; for everybody
//! else they do what the C library does, by way of its own definitions.

/// Makes the linker take the functions of this crate along.
pub fn install() {}
