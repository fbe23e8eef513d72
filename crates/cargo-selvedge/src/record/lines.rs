//! The lines of instructions, for the record.

use crate::symbols::Symbols;
use selvedge_model::{CodeAddress, Source};
use selvedge_report::SourceFiles;
use selvedge_store::Lines;
use std::cell::OnceCell;
use std::path::Path;

/// Knows the lines of a binary's instructions. Debug information is read when the first one comes.
pub(super) struct CodeLines<'a> {
    binary: &'a Path,
    sources: &'a SourceFiles,
    root: &'a Path,
    symbols: OnceCell<Symbols<'a>>,
}

impl<'a> CodeLines<'a> {
    pub(super) fn new(binary: &'a Path, sources: &'a SourceFiles, root: &'a Path) -> Self {
        Self { binary, sources, root, symbols: OnceCell::new() }
    }
}

impl Lines for CodeLines<'_> {
    fn line(&self, address: CodeAddress) -> Option<Source> {
        let symbols =
            self.symbols.get_or_init(|| Symbols::of(self.binary, self.sources, self.root));
        symbols.source(address)
    }
}
