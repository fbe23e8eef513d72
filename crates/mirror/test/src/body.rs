//! What is run of a test: its function, with what is expected of it.

use crate::describe::{ShouldPanic, TestDescAndFn, TestFn};
use std::any::Any;
use std::panic::catch_unwind;

/// Runs the test once. Panics if it fails.
pub(crate) fn run(test: &TestDescAndFn) {
    let TestFn::StaticTestFn(function) = test.testfn;
    let wanted = match test.desc.should_panic {
        ShouldPanic::No => {
            return match function() {
                Ok(()) => {}
                Err(message) => panic!("{message}"),
            };
        }
        ShouldPanic::Yes => "",
        ShouldPanic::YesWithMessage(text) => text,
    };
    match catch_unwind(function) {
        Ok(_) => panic!("test did not panic as expected"),
        Err(payload) => match message(&*payload) {
            Some(message) if message.contains(wanted) => {}
            None if wanted.is_empty() => {}
            Some(message) => panic!(
                "panic did not contain expected string\n      panic message: {message:?}\n expected \
                 substring: {wanted:?}"
            ),
            None => panic!(
                "expected panic with string value, found non-string value\n     expected \
                 substring: {wanted:?}"
            ),
        },
    }
}

fn message(payload: &(dyn Any + Send)) -> Option<&str> {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}
