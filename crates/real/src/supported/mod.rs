//! Where there is a C library that we can stand in front of.

mod clock;
mod errno;
mod front;
mod group;
mod hold;
mod keeper;
pub mod log;
mod logged;
mod looks;
mod member;
mod os;
mod outsiders;
mod run;
mod scheduled;
mod standstill;
mod wait;

pub use run::{current, event, name_thread, run};
