//! A test that is run once, without control.

use crate::{TestDescAndFn, body};
use std::thread;

/// The test has failed.
pub(crate) struct Failed;

/// Runs the test on a thread of its own and says what came of it.
#[expect(clippy::print_stdout, reason = "it is a test runner")]
pub(crate) fn run(name: &str, test: TestDescAndFn) -> Result<(), Failed> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(move || body::run(&test));
    match thread.map(thread::JoinHandle::join) {
        Ok(Ok(())) => {
            println!("test {name} ... ok");
            Ok(())
        }
        Ok(Err(_)) | Err(_) => {
            println!("test {name} ... FAILED");
            Err(Failed)
        }
    }
}
