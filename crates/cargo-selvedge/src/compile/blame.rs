//! Whose fault it is that something does not compile.

use cargo_metadata::CompilerMessage;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticLevel};
use std::collections::BTreeSet;

/// What the mirrors replace. An error that speaks of none of these is none of ours.
const MIRRORED: [&str; 16] = [
    "std::",
    "core::",
    "selvedge",
    "Mutex",
    "RwLock",
    "Condvar",
    "Once",
    "LazyLock",
    "Barrier",
    "mpsc",
    "Atomic",
    "atomic",
    "thread",
    "LocalKey",
    "spin_loop",
    "print",
];

/// The errors of a build.
#[derive(Debug, Default)]
pub(super) struct Errors {
    /// What may be missing in the mirrors, with its place.
    suspects: BTreeSet<String>,
    /// The crates that have such errors.
    crates: BTreeSet<String>,
}

impl Errors {
    /// Takes a message of the compiler, which may be an error.
    pub(super) fn add(&mut self, message: &CompilerMessage) {
        let Diagnostic { level, rendered, spans, message: text, .. } = &message.message;
        let rendered = rendered.as_deref().unwrap_or(text);
        let mirrored = MIRRORED.iter().any(|name| rendered.contains(name));
        // The last error only counts the others and has no place.
        let Some(span) = spans.iter().find(|span| span.is_primary) else { return };
        if *level == DiagnosticLevel::Error && mirrored {
            let (file, line) = (&span.file_name, span.line_start);
            self.suspects.insert(format!("{text} ({file}:{line})"));
            self.crates.insert(message.target.name.clone());
        }
    }

    /// Says what is wrong. Asks whether the project compiles without the mirrors only if that
    /// could be.
    pub(super) fn explain(&self, compiles_without_us: impl FnOnce() -> bool) -> String {
        if self.suspects.is_empty() || !compiles_without_us() {
            return "the tests do not compile".to_owned();
        }
        let mut text =
            "the tests compile with cargo, but not against the mirrors of std, in which \
                        something is missing:"
                .to_owned();
        for suspect in &self.suspects {
            text.push_str(&format!("\n  {suspect}"));
        }
        let crates: Vec<_> = self.crates.iter().collect();
        text.push_str(&format!(
            "\nPlease report this. Until it is there, crates can be compiled as they are, without \
             being under control;\nin selvedge.toml:\n  [cargo]\n  uninstrumented = {crates:?}"
        ));
        text
    }
}
