//! Written schedules on real threads.
//!
//! An ordinary build, an ordinary `cargo test`, nothing instrumented: a thread that is about to
//! perform a named event too early is *held* until its turn has come. Which threads belong to a
//! test, and which of them are blocked, is seen by functions in front of the C library's: threads
//! begin in `pthread_create`, and whatever waits does so through a few functions that everybody
//! shares (`std`, `parking_lot` and `crossbeam` all wait by `syscall(SYS_futex, …)`).
//!
//! [`run`] runs a test by a schedule, or checks one; [`log`] writes down what a test with sleeps
//! does, for its migration. [`event`] and [`name_thread`] are what tests say.
//!
//! One file an idea: `front` are the functions in front of the C library's, `member` a thread of a
//! group, `group` what threads have in common, `scheduled` what is known of each, `hold` how a letter
//! waits for its turn, `wait` how a thread waits and sleeps, `clock` the time of a group, `looks` and `os` what
//! can be seen of threads, `keeper` who decides when nobody else can, `standstill` and `failure` what
//! is said then.
//!
//! With the GNU C library on Linux only, dynamically linked. Elsewhere, and in the kit of `cargo selvedge`, which stands
//! in front of the C library itself, nothing is defined and [`run`] says so.

#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    not(target_feature = "crt-static"),
    not(miri),
    not(selvedge_kit)
))]
mod supported;
#[cfg(not(all(
    target_os = "linux",
    target_env = "gnu",
    not(target_feature = "crt-static"),
    not(miri),
    not(selvedge_kit)
)))]
#[path = "unsupported.rs"]
mod supported;

mod failure;

pub use failure::Failure;
pub use selvedge_spec::Mode;
pub use supported::{current, event, log, name_thread, run};
