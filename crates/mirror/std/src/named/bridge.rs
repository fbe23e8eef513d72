//! The same for callers that have another copy of our types: everything is text.

use super::tell;
use selvedge_engine::Controlled;
use selvedge_model::Site;
use selvedge_spec::Spec;

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
    let site = Site::caller();
    let spec = Spec::parse(schedule).map_err(|errors| errors.to_string())?;
    Ok(tell(|controlled: Controlled| controlled.begin_written(&spec, name, mode, site)))
}
