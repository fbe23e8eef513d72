//! The same for the library of test authors when it is linked beside the engine that runs the test:
//! it has another copy of our types, so schedules cross as text and places as callers.

use selvedge_model::Site;
use selvedge_spec::{Errors, Spec};

pub use super::{Heard, current, finish, name_thread};
pub use selvedge_spec::Mode;

/// The calling thread comes by a named event; see [`event`](super::event).
#[track_caller]
pub fn event(name: &str) -> Heard {
    super::event(name, Site::caller())
}

/// Puts a schedule in force; see [`begin`](super::begin).
///
/// # Errors
///
/// What is wrong with the text.
#[track_caller]
pub fn begin_text(schedule: &str, name: &str, mode: Mode) -> Result<Heard, String> {
    let mistakes = |errors: Errors| {
        format!("mistakes in the schedule\n{}", errors.render(schedule, "schedule"))
    };
    let spec = Spec::parse(schedule).map_err(mistakes)?;
    if mode == Mode::Enforce {
        spec.enforceable().map_err(mistakes)?;
    }
    Ok(super::begin(&spec, name, mode))
}
