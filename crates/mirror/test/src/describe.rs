//! Tests as the compiler describes them.

use selvedge_harness::{Expected, TestInfo};
use selvedge_model::Source;

/// The name of a test, always a static one.
pub use TestName::StaticTestName;

/// The function of a test, always a static one.
pub use TestFn::StaticTestFn;

/// A test's name.
#[derive(Clone, Copy, Debug)]
pub enum TestName {
    /// The path within the crate.
    StaticTestName(&'static str),
}

/// A test's function.
#[derive(Clone, Copy, Debug)]
pub enum TestFn {
    /// A plain function that tells whether the test passed.
    StaticTestFn(fn() -> Result<(), String>),
}

/// Whether a test has to panic.
#[derive(Clone, Copy, Debug)]
pub enum ShouldPanic {
    /// It must not.
    No,
    /// It has to.
    Yes,
    /// It has to, with this text in its message.
    YesWithMessage(&'static str),
}

/// What the compiler knows of the kind of a test.
#[derive(Clone, Copy, Debug)]
pub enum TestType {
    /// In a module of the crate.
    UnitTest,
    /// In a crate of its own.
    IntegrationTest,
    /// In neither of cargo's places.
    Unknown,
}

/// All that the compiler says about a test.
#[derive(Clone, Copy, Debug)]
pub struct TestDesc {
    /// Its path within the crate.
    pub name: TestName,
    /// Whether it has `#[ignore]`.
    pub ignore: bool,
    /// The reason that `#[ignore]` gives.
    pub ignore_message: Option<&'static str>,
    /// The file that it stands in.
    pub source_file: &'static str,
    /// The line at which it begins.
    pub start_line: usize,
    /// The column at which it begins.
    pub start_col: usize,
    /// The line at which it ends.
    pub end_line: usize,
    /// The column at which it ends.
    pub end_col: usize,
    /// Whether it has to panic.
    pub should_panic: ShouldPanic,
    /// Of documentation tests only.
    pub compile_fail: bool,
    /// Of documentation tests only.
    pub no_run: bool,
    /// What kind of test it is.
    pub test_type: TestType,
}

/// A test: what is known of it, and its function.
#[derive(Clone, Copy, Debug)]
pub struct TestDescAndFn {
    /// What is known of it.
    pub desc: TestDesc,
    /// What runs.
    pub testfn: TestFn,
}

impl TestDescAndFn {
    pub(crate) fn info(&self) -> TestInfo {
        let desc = &self.desc;
        let StaticTestName(name) = desc.name;
        TestInfo {
            name: name.to_owned(),
            ignored: desc.ignore.then(|| desc.ignore_message.unwrap_or_default().to_owned()),
            expected: match desc.should_panic {
                ShouldPanic::No => Expected::Return,
                ShouldPanic::Yes => Expected::Panic,
                ShouldPanic::YesWithMessage(text) => Expected::PanicWith(text.to_owned()),
            },
            at: Source {
                file: desc.source_file.to_owned(),
                line: u32::try_from(desc.start_line).unwrap_or(u32::MAX),
                column: u32::try_from(desc.start_col).unwrap_or(u32::MAX),
            },
        }
    }
}
