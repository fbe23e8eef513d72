//! Mirror of the standard streams of `std::io`.
//!
//! The real handles share a lock that knows operating-system threads, of which all threads of an
//! execution are one. So the lock is the engine's here: it keeps threads apart, it orders them, and
//! who waits for it in vain is found. What is printed is kept with the execution.

mod input;
mod output;
mod terminal;

pub use input::{Stdin, StdinLock, stdin};
pub(crate) use output::printing;
pub use output::{Stderr, StderrLock, Stdout, StdoutLock, stderr, stdout};
pub use terminal::IsTerminal;
