//! Under `cargo selvedge test`: the threads are those of the command's engine, which is linked in
//! beside this library.

use selvedge_kit::selvedge as kit;
use selvedge_spec::Mode;
use std::panic::Location;

/// How often the test is run is the command's business.
pub(super) fn times(_: &[(&str, &str)]) -> u64 {
    1
}

/// Runs the test by the schedule, or says why that is not possible or not the case.
pub(super) fn run(name: &str, text: &str, mode: Mode, test: impl FnOnce()) -> Result<(), String> {
    let mode = match mode {
        Mode::Enforce => kit::Mode::Enforce,
        Mode::Check => kit::Mode::Check,
    };
    kit::begin(text, name, mode)?;
    test();
    kit::finish()
}

pub(super) fn event(name: &'static str, at: &'static Location<'static>) {
    kit::event(name, at);
}

pub(super) fn name_thread(name: &str) {
    kit::name_thread(name);
}

pub(super) fn current() -> Option<String> {
    kit::current()
}
