//! The same for the library of test authors when it is linked beside the engine that runs the test:
//! it has another copy of our types, so places and schedules cross as what both have.

use super::Heard;
use real::panic::Location;
use selvedge_model::Site;
use selvedge_spec::{Errors, Spec};

pub use super::{current, finish};
pub use selvedge_spec::Mode;

/// The calling thread comes by a named event; see [`event`](super::event). A thread that is not under
/// control has no schedule to keep.
pub fn event(name: &str, at: &'static Location<'static>) {
    let _: Heard = super::event(name, Site::new(at));
}

/// Gives the calling thread a name; see [`name_thread`](super::name_thread).
pub fn name_thread(name: &str) {
    let _: Heard = super::name_thread(name);
}

/// Puts a schedule in force; see [`begin`](super::begin).
///
/// # Errors
///
/// What is wrong with the text, or that there is nobody who could see to it.
#[track_caller]
pub fn begin(schedule: &str, name: &str, mode: Mode) -> Result<(), String> {
    let mistakes = |errors: Errors| {
        format!("mistakes in the schedule\n{}", errors.render(schedule, "schedule"))
    };
    let spec = Spec::parse(schedule).map_err(mistakes)?;
    if mode == Mode::Enforce {
        spec.enforceable().map_err(mistakes)?;
    }
    match super::begin(&spec, name, mode) {
        Heard::ByEngine => Ok(()),
        Heard::ByNobody => {
            Err("the test has a schedule, and its threads are not under control: run \
                                it by `cargo selvedge test`, or by `cargo test`"
                .to_owned())
        }
    }
}
