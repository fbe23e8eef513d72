//! Runs a test by its written schedule, on the threads there are.

use super::events::Listening;
use crate::Builder;
use selvedge_spec::{Mode, Spec};
use selvedge_std::named::{self, Heard};

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
    // Under the control of `cargo selvedge test`, how often is the command's business.
    let times = if named::is_controlled() { 1 } else { executions(settings) };
    for _ in 0..times {
        once_named(written.name, written.text, written.mode, test.clone());
    }
}

/// How often a test is run on real threads: once, if neither its attribute nor the environment says
/// otherwise.
fn executions(settings: &[(&str, &str)]) -> u64 {
    if let Some((_, value)) = settings.iter().find(|(key, _)| *key == "executions") {
        return value.parse().expect("the attribute has checked its settings");
    }
    match std::env::var("SELVEDGE_EXECUTIONS") {
        Ok(value) => {
            let number = value.parse().ok().filter(|number| *number > 0);
            number.unwrap_or_else(|| panic!("SELVEDGE_EXECUTIONS is '{value}'; expected a number"))
        }
        Err(_) => 1,
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
    let mode = asked_for(mode);
    let spec = match read(text, mode) {
        Ok(spec) => spec,
        Err(mistakes) => panic!("selvedge: mistakes in the schedule\n{mistakes}"),
    };
    let _listening = Listening::begin();
    let kept = if named::is_controlled() {
        keep(name, &spec, mode, test)
    } else {
        selvedge_real::run(&spec, name, mode, test).map_err(|failure| failure.to_string())
    };
    expect_kept(kept);
}

/// The schedule that a text says, if it can be used in that way; otherwise what is wrong with it.
pub(crate) fn read(text: &str, mode: Mode) -> Result<Spec, String> {
    let spec = Spec::parse(text).and_then(|spec| match mode {
        Mode::Enforce => spec.enforceable().map(|()| spec),
        Mode::Check => Ok(spec),
    });
    spec.map_err(|errors| errors.render(text, "schedule"))
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
        expect_kept(keep(&name, &spec, mode, &test));
    }
}

/// Runs a test under control by a schedule. Says in words what was not as it says.
#[track_caller]
fn keep(name: &str, spec: &Spec, mode: Mode, test: impl FnOnce()) -> Result<(), String> {
    let heard = named::begin(spec, name, mode);
    assert_eq!(heard, Heard::ByEngine, "the caller has made sure that it is under control");
    test();
    named::finish()
}

#[track_caller]
fn expect_kept(kept: Result<(), String>) {
    if let Err(explanation) = kept {
        panic!("selvedge: {}", explanation.trim_end());
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
