//! What a test has to do to pass, as under libtest.

use crate::support::{Project, Ran};
use std::sync::LazyLock;

const SOURCE: &str = r#"
#[derive(Debug)]
pub struct Odd(pub u32);

pub struct Verdict(pub bool);

impl std::process::Termination for Verdict {
    fn report(self) -> std::process::ExitCode {
        if self.0 { 0.into() } else { 3.into() }
    }
}

mod passes {
    #[test] #[should_panic]
    fn panic() { panic!("as it should") }

    #[test] #[should_panic(expected = "as it sh")]
    fn panic_with_text() { panic!("as it should: {}", 1) }

    #[test] #[should_panic]
    fn panic_with_a_value() { std::panic::panic_any(7) }

    #[test]
    fn result() -> Result<(), super::Odd> { Ok(()) }

    #[test]
    fn boxed() -> Result<(), Box<dyn std::error::Error>> { let _: u8 = "7".parse()?; Ok(()) }

    #[test]
    fn own_termination() -> super::Verdict { super::Verdict(true) }

    #[test]
    fn has_its_name_as_the_name_of_its_thread() {
        let name = "passes::has_its_name_as_the_name_of_its_thread";
        assert_eq!(std::thread::current().name(), Some(name));
        std::thread::scope(|scope| { scope.spawn(|| assert_eq!(std::thread::current().name(), None)); });
    }

    #[test]
    fn runs_itself() {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        let output = again.args(["--exact", "passes::result"]).output().unwrap();
        assert!(output.status.success() && output.stdout.starts_with(b"\nrunning 1 test"), "{output:?}");
    }

    #[test]
    fn in_its_package() {
        assert!(std::path::Path::new("Cargo.toml").exists());
        assert_eq!(std::env::var("CARGO_PKG_NAME").unwrap(), "verdicts");
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    }
}

mod fails {
    #[test] #[should_panic]
    fn no_panic() {}

    #[test] #[should_panic(expected = "this")]
    fn another_panic() { panic!("that") }

    #[test]
    fn result() -> Result<(), super::Odd> { Err(super::Odd(41)) }

    #[test]
    fn boxed() -> Result<(), Box<dyn std::error::Error>> { let _: u8 = "x".parse()?; Ok(()) }

    #[test]
    fn result_after_output() -> Result<(), String> { println!("on the way"); Err("two\nlines".into()) }

    #[test]
    fn own_termination() -> super::Verdict { super::Verdict(false) }
}
"#;

static RAN: LazyLock<Ran> = LazyLock::new(|| {
    let project = Project::new("verdicts", &[("src/lib.rs", SOURCE)]);
    project.run(["test"])
});

#[test]
fn what_passes_under_libtest_passes() {
    RAN.left_with(1).says(&["6 findings, 9 sequential and passed"]);
    RAN.is_silent_about(" passes::no");
    assert!(!RAN.stderr.contains("FOUND verdicts passes"), "{}", *RAN);
}

#[test]
fn a_test_that_does_not_panic_as_it_should_fails_where_it_stands() {
    RAN.says(&["fails::no_panic", "test did not panic as expected"]);
    RAN.says(&["fails::another_panic", "panic did not contain expected string"]);
    RAN.says(&["panic message: \"that\""]);
    RAN.says(&["expected substring: \"this\""]);
    let at = 1 + SOURCE.lines().position(|line| line.contains("fn no_panic()")).unwrap();
    RAN.says(&["panicked", &format!("src/lib.rs:{at}:")]);
    RAN.is_silent_about("body.rs");
}

#[test]
fn the_error_that_a_test_returns_is_shown() {
    RAN.says(&["fails::result ", "the test returned Err: Odd(41)"]);
    RAN.says(&["fails::boxed ", "the test returned Err: ParseIntError { kind: InvalidDigit }"]);
    RAN.says(&["fails::result_after_output ", r#"the test returned Err: "two\nlines""#]);
    RAN.says(&["fails::own_termination ", "a termination value that says that it failed"]);
}
