//! Where there is no C library that we can stand in front of.

use crate::{Failure, Mode};
use selvedge_spec::Spec;
use std::panic::Location;

/// Says that schedules on real threads are not available here.
///
/// # Errors
///
/// Always.
pub fn run(_: &Spec, _: &str, _: Mode, _: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    Err(Failure::Unavailable(
        if cfg!(selvedge_kit) {
            "this build is for `cargo selvedge`, whose engine carries out schedules itself"
        } else {
            "available with the GNU C library on Linux only, dynamically linked; with `threads = \"controlled\"` the test \
             runs under the engine everywhere"
        }
        .to_owned(),
    ))
}

/// Nothing happens: there is no schedule in force.
#[inline]
pub fn event(_: &'static str, _: &'static Location<'static>) {}

/// Nothing happens: there is no schedule in force.
pub fn name_thread(_: &str) {}

/// There is no schedule in force.
pub fn current() -> Option<String> {
    None
}

/// The log of a test with sleeps, which is not available here.
pub mod log {
    /// Nothing: there is no log.
    #[derive(Debug)]
    #[must_use = "as where there is one"]
    pub struct Guard(());

    /// Begins no log.
    ///
    /// # Panics
    ///
    /// If one is asked for.
    pub fn begin(_: &str) -> Guard {
        assert!(
            std::env::var_os("SELVEDGE_LOG").is_none_or(|folder| folder.is_empty()),
            "logs of tests are available with the GNU C library on Linux only, in ordinary builds"
        );
        Guard(())
    }

    /// Nothing happens: there is no log.
    #[inline]
    pub fn call(_: u32) {}

    /// Nothing happens: there is no log.
    #[inline]
    pub fn returned(_: u32) {}
}
