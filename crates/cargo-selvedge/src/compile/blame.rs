//! Whose fault it is that something does not build.
//!
//! There is one way to know: to have cargo build it without us. Nothing is concluded from the words
//! of an error.

use crate::memory_layer::MemoryLayer;
use cargo_metadata::CompilerMessage;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use std::collections::BTreeSet;

/// What a linker begins those lines with that say what is wrong.
const LINKERS_WORDS: [&str; 4] =
    ["undefined symbol", "undefined reference", "duplicate symbol", "multiple definition"];

/// Whether cargo builds the tests without us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Natively {
    Builds,
    Fails,
}

/// The errors of a build.
#[derive(Debug, Default)]
pub(super) struct Errors {
    /// What was said, with its place.
    said: BTreeSet<String>,
    /// The crates that have errors.
    crates: BTreeSet<String>,
}

impl Errors {
    /// Takes a message of the compiler, which may be an error.
    pub(super) fn add(&mut self, message: &CompilerMessage) {
        let Diagnostic { level, spans, message: text, children, .. } = &message.message;
        match level {
            DiagnosticLevel::Error | DiagnosticLevel::Ice => {}
            _ => return,
        }
        let notes = children.iter().flat_map(|child| child.message.lines());
        let linker = notes.filter(|line| LINKERS_WORDS.iter().any(|words| line.contains(words)));
        let linker: BTreeSet<_> = linker.map(|line| line.trim().to_owned()).collect();
        match spans.iter().find(|span| span.is_primary) {
            Some(span) => {
                self.said.insert(format!("{text} ({}:{})", span.file_name, span.line_start));
            }
            // The last error only counts the others.
            None if text.starts_with("aborting due to") => return,
            None => {
                self.said.insert(format!("{text} ({})", message.target.name));
            }
        }
        self.said.extend(linker.into_iter().take(3));
        self.crates.insert(message.target.name.replace('-', "_"));
    }

    /// Says what is wrong, and what to do if it is our fault.
    pub(super) fn explain(&self, natively: Natively, memory: &MemoryLayer) -> String {
        match natively {
            Natively::Fails => return "the tests do not compile".to_owned(),
            Natively::Builds => {}
        }
        let mut text =
            "`cargo test` builds these tests, but they do not build against the mirrors \
                        of std. This is Selvedge's fault, not yours:"
                .to_owned();
        for said in &self.said {
            text.push_str(&format!("\n  {said}"));
        }
        text.push_str("\nPlease report this. Until it is mended:");
        if memory.is_on() {
            text.push_str("\n- `--memory=off` builds without the memory layer;");
        }
        text.push_str("\n- crates can be compiled as they are, without being under control");
        if self.crates.is_empty() {
            text.push_str(" (`uninstrumented` below `[cargo]` in selvedge.toml).");
        } else {
            let crates: Vec<_> = self.crates.iter().collect();
            text.push_str(&format!(
                "; in selvedge.toml:\n    [cargo]\n    uninstrumented = {crates:?}"
            ));
        }
        text
    }
}
