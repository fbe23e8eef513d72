//! Under `cargo selvedge test`: the threads are those of the command's engine, which is linked in
//! beside this library.

use selvedge_kit::selvedge_named as kit;
use selvedge_spec::Mode;

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
    match kit::begin_text(text, name, mode)? {
        kit::Heard::ByEngine => {}
        kit::Heard::ByNobody => {
            let why = "the test runs on a thread that `cargo selvedge test` does not control; a schedule \
                       can not be kept there";
            return Err(why.to_owned());
        }
    }
    test();
    kit::finish()
}

#[track_caller]
pub(super) fn event(name: &'static str) {
    // On a thread that is not under control there is no schedule to keep.
    let _ = kit::event(name);
}

pub(super) fn name_thread(name: &str) {
    let _ = kit::name_thread(name);
}

pub(super) fn current() -> Option<String> {
    kit::current()
}
