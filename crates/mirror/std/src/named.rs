//! What `std` does not have: named events and written schedules; what they mean to the engine is in
//! `engine/objects/named.rs`.
//!
//! All of this is about the calling thread's execution. On a thread that is not under control nothing
//! happens, and the caller is told.

use selvedge_engine::Controlled;
use selvedge_model::Site;
use selvedge_spec::{Mode, Spec};

/// Whether a thread that says something is under control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It is, and the engine has seen to it.
    ByEngine,
    /// It is an ordinary thread.
    ByNobody,
}

/// Has the engine see to something, if the caller is under control.
fn tell(engine: impl FnOnce(Controlled)) -> Heard {
    match Controlled::current() {
        Some(controlled) => {
            engine(controlled);
            Heard::ByEngine
        }
        None => Heard::ByNobody,
    }
}

/// Whether the calling thread is under control.
pub fn is_controlled() -> bool {
    Controlled::current().is_some()
}

/// The calling thread comes by a named event. If the schedule that is in force mentions it, the
/// thread stops here, and is held until the schedule permits the event.
pub fn event(name: &str, site: Site) -> Heard {
    tell(|controlled| controlled.named_event(name, site))
}

/// Gives the calling thread a name for schedules and explanations.
pub fn name_thread(name: &str) -> Heard {
    tell(|controlled| controlled.name_thread(name))
}

/// Puts a schedule in force for the execution of the calling thread, which runs the test's body.
///
/// # Panics
///
/// Panics if there is one already.
#[track_caller]
pub fn begin(spec: &Spec, name: &str, mode: Mode) -> Heard {
    let site = Site::caller();
    tell(|controlled| controlled.begin_written(spec, name, mode, site))
}

/// The test's body has come to its end: waits for what is still to happen, and takes the schedule out
/// of force.
///
/// # Errors
///
/// What was not as the schedule says, in words.
#[track_caller]
pub fn finish() -> Result<(), String> {
    let site = Site::caller();
    Controlled::current().map_or(Ok(()), |controlled| controlled.finish_written(site))
}

/// The name of the schedule that is in force for the calling thread.
pub fn current() -> Option<String> {
    Controlled::current()?.written_schedule()
}
