//! What a controlled test sees as `std`.
//!
//! Each module mirrors the one of the same name in the standard library: the same items with the
//! same signatures. Inside a controlled execution their operations are announced to the engine,
//! which decides when they take place; outside of one they behave exactly like the real ones,
//! because they use the real ones.
//!
//! Every operation begins the same way: [`Controlled::current`] tells on which side it is.
//!
//! [`Controlled::current`]: selvedge_engine::Controlled::current

/// The standard library, by a name that stays right when these mirrors take its place.
extern crate std as real;

pub mod arch;
#[doc(hidden)]
pub mod declare;
pub mod future;
pub mod hint;
pub mod io;
#[doc(hidden)]
pub mod named;
pub mod noise;
pub mod panic;
mod print;
pub mod sync;
pub mod task;
pub mod thread;
pub mod time;

#[doc(hidden)]
pub use print::{Stream, print_to};
