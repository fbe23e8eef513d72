//! Where there is a C library that we can stand in front of.

mod clock;
mod errno;
mod front;
mod group;
mod hold;
mod keeper;
pub mod log;
mod logged;
mod member;
mod os;
mod run;
mod scheduled;
mod standstill;
mod wait;

pub use run::{current, event, name_thread, run};
