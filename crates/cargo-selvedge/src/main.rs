//! `cargo selvedge`.
fn main() {}
