//! What a test says of itself by the value that it returns.

use selvedge_engine::Controlled;
use std::process::{ExitCode, Termination};

/// What std's `Termination` of a `Result` prints before the error.
const PREFIX: &str = "Error: ";

/// What the compiler wraps around the value that a test returns.
pub fn assert_test_result<T: Termination>(result: T) -> Result<(), String> {
    // All that is known of the value is that it can be reported, which prints it.
    let before = Controlled::current().map(Controlled::printed);
    if result.report() == ExitCode::SUCCESS {
        return Ok(());
    }
    let printed = Controlled::current().zip(before);
    let printed = printed.map(|(controlled, before)| controlled.printed_since(before));
    Err(describe(printed.as_deref().unwrap_or_default()))
}

/// What is wrong with a test whose value, while being reported, printed this.
fn describe(printed: &str) -> String {
    match printed.trim_end().strip_prefix(PREFIX) {
        Some(error) => format!("the test returned Err: {error}"),
        None => "the test returned a termination value that says that it failed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_shown_as_it_was_printed_and_other_values_are_only_said_to_have_failed() {
        assert_eq!(describe("Error: \"no\nroom\"\n"), "the test returned Err: \"no\nroom\"");
        assert_eq!(describe(""), "the test returned a termination value that says that it failed");
    }

    #[test]
    fn what_returns_well_has_passed() {
        assert_eq!(assert_test_result(()), Ok(()));
        assert_eq!(assert_test_result(Ok::<(), String>(())), Ok(()));
        assert!(assert_test_result(ExitCode::FAILURE).is_err());
    }
}
