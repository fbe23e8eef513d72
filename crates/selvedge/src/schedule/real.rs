//! Under plain `cargo test`: the threads are the operating system's.

use selvedge_spec::{Mode, Spec};
use std::panic::Location;

pub(super) use selvedge_real::{current, name_thread};

#[track_caller]
pub(super) fn event(name: &'static str) {
    selvedge_real::event(name, Location::caller());
}

/// How often the test is run.
pub(super) fn times(settings: &[(&str, &str)]) -> u64 {
    let asked = settings.iter().find(|(key, _)| *key == "executions");
    asked.map_or(1, |(_, value)| value.parse().expect("the attribute has checked its settings"))
}

/// Runs the test by the schedule, or says why that is not possible or not the case. A panic of the
/// test goes on.
pub(super) fn run(
    name: &str,
    text: &str,
    mode: Mode,
    test: impl FnOnce() + Send + 'static,
) -> Result<(), String> {
    let mistakes = |errors: selvedge_spec::Errors| {
        format!("mistakes in the schedule\n{}", errors.render(text, "schedule"))
    };
    let spec = Spec::parse(text).map_err(mistakes)?;
    if mode == Mode::Enforce {
        spec.enforceable().map_err(mistakes)?;
    }
    selvedge_real::run(&spec, name, mode, test).map_err(|failure| failure.to_string())
}
