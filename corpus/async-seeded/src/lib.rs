//! Asynchronous tests with a bug each. `expected.toml` says which of them are found.
