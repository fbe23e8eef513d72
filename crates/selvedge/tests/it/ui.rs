//! What the attribute says about code that it can not take.

#[test]
fn mistakes_in_the_attribute_are_compile_errors_at_their_place() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
