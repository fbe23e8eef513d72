//! The crate that an instrumented build is given as `test`.
//!
//! The compiler turns `#[test]` functions into a list of [`TestDescAndFn`] and a `main` that
//! hands it to [`test_main_static`]. Those are its names, and the fields are what it writes
//! there; see `rustc_builtin_macros/src/test_harness.rs` and `test.rs` of rustc 1.95.
#![forbid(unsafe_code)]

mod body;
mod describe;
mod noisy;
mod plain;
mod settings;
mod standalone;
mod verdict;
mod worker;

pub use describe::{ShouldPanic, StaticTestFn, StaticTestName, TestDesc, TestDescAndFn, TestType};
pub use verdict::assert_test_result;

use standalone::Runner;
use std::process::ExitCode;

/// By this the command knows the binary.
static MARK: [u8; selvedge_harness::MARK.len()] = selvedge_harness::MARK;

/// What `main` of a test binary calls.
pub fn test_main_static(tests: &[&TestDescAndFn]) {
    std::hint::black_box(&MARK);
    selvedge_libc::install();
    selvedge_memory::install();
    let code = match selvedge_libc::take_variable(selvedge_harness::WORKER) {
        // A test that starts its own binary again wants to see what becomes of it, which may well
        // be that it dies.
        _ if selvedge_libc::is_started_from_inside() => {
            standalone::run(tests, std::env::args().skip(1), Runner::Plain)
        }
        Some(socket) => worker::serve(&socket, tests),
        None if let Ok(series) = std::env::var(noisy::VARIABLE) => {
            noisy::run(tests, std::env::args().skip(1), &series)
        }
        None => standalone::run(tests, std::env::args().skip(1), Runner::Controlled),
    };
    if code != ExitCode::SUCCESS {
        std::process::exit(standalone::FAILED);
    }
}
