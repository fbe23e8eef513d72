//! What the tests share.

#![allow(dead_code, reason = "each test uses some of it")]

use selvedge_real::{Failure, Mode, run};
use selvedge_spec::Spec;
use std::panic::Location;
use std::thread::{self, JoinHandle};

pub(crate) fn schedule(text: &str) -> Spec {
    Spec::parse(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

pub(crate) fn enforce(text: &str, body: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    run(&schedule(text), "test", Mode::Enforce, body)
}

pub(crate) fn check(text: &str, body: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    run(&schedule(text), "test", Mode::Check, body)
}

#[track_caller]
pub(crate) fn event(name: &'static str) {
    selvedge_real::event(name, Location::caller());
}

pub(crate) fn spawn<T: Send + 'static>(
    name: &str,
    body: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    thread::Builder::new().name(name.to_owned()).spawn(body).unwrap()
}
