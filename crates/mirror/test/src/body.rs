//! What is run of a test: its function, with what is expected of it.

use crate::describe::{ShouldPanic, TestDescAndFn, TestFn};
use selvedge_model::{FindingKind, Report, Source};
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

/// Names no places of ours: a test that we have failed, because it did not do what it was to,
/// stands where the user wrote it.
pub(crate) fn place(report: &mut Report, at: &Source) {
    let Some(finding) = &mut report.finding else { return };
    let kind = match &mut finding.kind {
        FindingKind::Panic(panic) => Some(panic),
        FindingKind::Stalled { after, .. } => {
            after.take_if(|after| is_ours(&after.file));
            None
        }
        _ => None,
    };
    for panic in finding.panics.iter_mut().chain(kind) {
        if panic.at.as_ref().is_some_and(|place| is_ours(&place.file)) {
            panic.at = Some(at.clone());
        }
    }
}

/// Whether a file is one of the kit, of which this is another.
fn is_ours(file: &str) -> bool {
    let kit = file!().strip_suffix("mirror/test/src/body.rs");
    kit.is_some_and(|kit| file.starts_with(kit))
}

fn message(payload: &(dyn Any + Send)) -> Option<&str> {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}
