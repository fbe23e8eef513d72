//! Where lines of source come from.

use selvedge_model::{CodeAddress, Source};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Knows the text of source lines.
pub trait Sources {
    /// The line (from 1) of the file, without its end; `None` if it is not known. The file is
    /// named as the compiler named it.
    fn line(&self, file: &str, line: u32) -> Option<String>;

    /// The functions that an instruction of the program that was tested stands in, innermost
    /// first, with their places if they are known: `push at src/list.rs:12`. Several if functions
    /// were inlined. Who knows no debug information shows addresses.
    fn code(&self, _address: CodeAddress) -> Vec<String> {
        Vec::new()
    }

    /// The line that an instruction of the program belongs to, if debug information knows it.
    fn place(&self, _address: CodeAddress) -> Option<Source> {
        None
    }
}

/// No source is longer than this.
const LONGEST: u64 = 16 << 20;

/// No source text is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSources;

impl Sources for NoSources {
    fn line(&self, _file: &str, _line: u32) -> Option<String> {
        None
    }
}

/// Reads source files when they are first asked for, and keeps them.
///
/// The compiler names files relative to the workspace, while a test runs in the folder of its
/// package; so there are several folders to look in, and the first that has the file counts. A
/// file that can not be read has no lines.
#[derive(Debug, Default)]
pub struct SourceFiles {
    bases: Vec<PathBuf>,
    files: RefCell<BTreeMap<String, Vec<String>>>,
}

impl SourceFiles {
    /// Looks for files in these folders, in this order.
    pub fn new(bases: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { bases: bases.into_iter().collect(), files: RefCell::default() }
    }

    /// The text of a file; nothing if it can not be read.
    ///
    /// Names of files come with findings, and findings may come from elsewhere: a file outside of the
    /// folders is nobody's business, and one that is no source is too long.
    pub fn text(&self, file: &str) -> Option<String> {
        let found = self.bases.iter().find_map(|base| {
            let path = fs::canonicalize(base.join(file)).ok()?;
            let inside =
                |base: &PathBuf| fs::canonicalize(base).is_ok_and(|base| path.starts_with(base));
            let meta = fs::metadata(&path).ok()?;
            let readable = meta.is_file() && meta.len() <= LONGEST;
            (readable && self.bases.iter().any(inside)).then(|| fs::read(&path).ok())?
        })?;
        Some(String::from_utf8_lossy(&found).into_owned())
    }

    fn read(&self, file: &str) -> Vec<String> {
        let text = self.text(file).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

impl Sources for SourceFiles {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(file.to_owned()).or_insert_with(|| self.read(file));
        lines.get((line as usize).checked_sub(1)?).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_folder_that_has_the_file_counts() {
        let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let sources = SourceFiles::new([package.join("nowhere"), package.join("src"), package]);
        let line = |file, number| sources.line(file, number);
        assert_eq!(line("sources.rs", 1).as_deref(), Some("//! Where lines of source come from."));
        assert_eq!(line("src/lib.rs", 1).as_deref(), Some("//! Findings as text for people."));
        assert_eq!(
            line("sources.rs", 3).as_deref(),
            Some("use selvedge_model::{CodeAddress, Source};")
        );
    }

    #[test]
    fn files_outside_of_the_folders_are_not_read() {
        let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let sources = SourceFiles::new([package.join("src")]);
        let whole = |file: &str| package.join(file).display().to_string();
        assert!(sources.line(&whole("src/lib.rs"), 1).is_some(), "a whole name, but inside");
        assert_eq!(sources.line(&whole("Cargo.toml"), 1), None);
        assert_eq!(sources.line("../Cargo.toml", 1), None);
        assert_eq!(sources.line("/etc/passwd", 1), None);
    }

    #[test]
    fn what_is_not_there_is_not_known() {
        let sources = SourceFiles::new([PathBuf::from(env!("CARGO_MANIFEST_DIR"))]);
        assert_eq!(sources.line("src/missing.rs", 1), None);
        assert_eq!(sources.line("src/lib.rs", 0), None);
        assert_eq!(sources.line("src/lib.rs", 1_000_000), None);
        assert_eq!(sources.line("src", 1), None, "a folder has no lines");
    }
}
