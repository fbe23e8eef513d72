//! Generated tests: a crate is documented (`document.rs`), a harness of each type is compiled (`build.rs`) and run
//! (`process.rs`), people are told (`tell.rs`), and tests are written
//! (`write.rs`).

mod build;
mod document;
mod json;
mod matrix;
mod process;
mod tell;
mod write;

pub(crate) use build::{Built, build};
pub(crate) use document::document;
pub(crate) use json::Lines;
pub(crate) use matrix::matrix;
pub(crate) use process::{Came, run};
pub(crate) use tell::{tell_summary, tell_violation};
pub(crate) use write::write_tests;
