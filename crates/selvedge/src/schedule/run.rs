//! Runs a test by its written schedule, on the threads there are.

use super::events::Listening;
use super::threads;
use crate::Builder;
use selvedge_spec::{Mode, Spec};
use selvedge_std::named;

/// A schedule of a test, as its attribute has it.
pub struct Written {
    /// Its name; empty if it has none.
    pub name: &'static str,
    /// What it says.
    pub text: &'static str,
    /// What it is for.
    pub mode: Mode,
}

/// Runs a test by a schedule on real threads, or on those of `cargo selvedge test`.
#[track_caller]
pub fn run_written(
    written: &Written,
    settings: &[(&str, &str)],
    test: impl Fn() + Clone + Send + 'static,
) {
    for _ in 0..threads::times(settings) {
        once_named(written.name, written.text, written.mode, test.clone());
    }
}

/// Runs a test by a schedule in many interleavings under the library's own control.
#[track_caller]
pub fn run_written_controlled(
    written: &Written,
    settings: &[(&str, &str)],
    test: impl Fn() + Send + Sync + 'static,
) {
    let builder = settings.iter().fold(Builder::new(), |b, (key, value)| b.set(key, value));
    builder.written(written.name, written.text, written.mode).check(test);
}

/// As [`once_named`], by a schedule without a name.
#[track_caller]
pub(super) fn once(text: &str, mode: Mode, test: impl FnOnce() + Send + 'static) {
    once_named("", text, mode, test);
}

#[track_caller]
fn once_named(name: &str, text: &str, mode: Mode, test: impl FnOnce() + Send + 'static) {
    let _listening = Listening::begin();
    if let Err(explanation) = threads::run(name, text, asked_for(mode), test) {
        panic!("selvedge: {}", explanation.trim_end());
    }
}

/// A test that keeps the schedule whenever it is run under control.
pub(crate) fn controlled(
    name: String,
    spec: Spec,
    mode: Mode,
    test: impl Fn() + Send + Sync + 'static,
) -> impl Fn() + Send + Sync + 'static {
    let listening = Listening::begin();
    let mode = asked_for(mode);
    move || {
        let _ = &listening;
        named::begin(&spec, &name, mode);
        test();
        if let Err(explanation) = named::finish() {
            panic!("selvedge: {}", explanation.trim_end());
        }
    }
}

/// What is done with the schedule, unless the environment asks for something else.
fn asked_for(mode: Mode) -> Mode {
    match std::env::var("SELVEDGE_SCHEDULES").as_deref() {
        Err(_) | Ok("") => mode,
        Ok("check") => Mode::Check,
        Ok(other) => panic!("SELVEDGE_SCHEDULES is '{other}'; expected check"),
    }
}
