//! Ordinary asynchronous tests over the executors and primitives that people use. Those in
//! `tests/planted.rs` have a bug each; all others are correct. `expected.toml` says which is which.
