//! `cargo selvedge`: finds, explains and reproduces concurrency bugs in unmodified projects.
//!
//! The way of a test: `commands/test.rs` has the project compiled against the mirrors
//! (`compile.rs`, with the kit of `kit/` and this very program as the compiler's wrapper,
//! `wrapper.rs`), starts the test binaries as workers (`run/`), keeps what they find
//! (`findings/`, `record/`) and tells people (`output/`).
#![forbid(unsafe_code)]

mod calls;
mod cargo_args;
mod cli;
mod commands;
mod compile;
mod doc_tests;
#[cfg(test)]
mod documents;
mod exit;
mod findings;
mod gather;
mod generate;
mod kit;
mod memory_layer;
mod migrate;
mod output;
mod project;
mod record;
mod run;
mod settings;
mod symbols;
mod unit;
mod whole;
mod wrapper;

use crate::exit::Exit;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = wrapper::run_if_asked() {
        return code;
    }
    let cli::Cargo::Selvedge(selvedge) = cli::Cargo::parse();
    output::colour::choose(selvedge.color);
    match commands::run(selvedge) {
        Ok(exit) => exit.into(),
        Err(error) => {
            output::error(&format!("{error:#}"));
            Exit::of(&error).into()
        }
    }
}
