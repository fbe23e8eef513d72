//! What the addresses in a finding mean: functions and lines, from the debug information of the
//! binary in which it was found.

use addr2line::Loader;
use selvedge_model::{CodeAddress, Source};
use selvedge_report::{SourceFiles, Sources};
use std::path::Path;

/// Sources, and the debug information of a binary.
pub(crate) struct Symbols<'a> {
    files: &'a SourceFiles,
    /// Files below this folder are named relative to it, as the compiler does elsewhere.
    root: &'a Path,
    binary: Option<Loader>,
}

impl<'a> Symbols<'a> {
    /// Without debug information, addresses are shown as they are.
    pub(crate) fn of(binary: &Path, files: &'a SourceFiles, root: &'a Path) -> Self {
        // A trace may name anything: a pipe would be waited for.
        let binary = binary.is_file().then(|| Loader::new(binary).ok()).flatten();
        Self { files, root, binary }
    }

    /// The calls of the user's own at an address, innermost first: several if some were inlined.
    fn calls(&self, address: CodeAddress) -> Option<Vec<String>> {
        // The address is where the call returns to; the call itself lies before it.
        let mut frames = self.binary.as_ref()?.find_frames(address.0.checked_sub(1)?).ok()?;
        let mut calls = Vec::new();
        while let Some(frame) = frames.next().ok()? {
            let Some(location) = frame.location else { continue };
            let (Some(file), Some(line)) = (location.file, location.line) else { continue };
            if is_machinery(file) {
                continue;
            }
            let function = frame.function.and_then(|name| Some(name.demangle().ok()?.into_owned()));
            let function = function.map(|name| format!("{} at ", without_hash(&name)));
            let file = self.name(file);
            calls.push(format!("{}{file}:{line}", function.unwrap_or_default()));
        }
        Some(calls)
    }

    /// The innermost place of the user's own at an address; the innermost of all if there is none, as
    /// in generic functions of std.
    pub(crate) fn source(&self, address: CodeAddress) -> Option<Source> {
        let mut frames = self.binary.as_ref()?.find_frames(address.0.checked_sub(1)?).ok()?;
        let mut first = None;
        while let Some(frame) = frames.next().ok()? {
            let Some(location) = frame.location else { continue };
            let (Some(file), Some(line)) = (location.file, location.line) else { continue };
            let column = location.column.unwrap_or(1);
            let source = Source { file: self.name(file), line, column };
            if !is_machinery(file) {
                return Some(source);
            }
            first.get_or_insert(source);
        }
        first
    }

    /// All places of the user's own at an address, innermost first: several if some were inlined.
    pub(crate) fn own_places(&self, address: CodeAddress) -> Vec<Source> {
        let places = || {
            let mut frames = self.binary.as_ref()?.find_frames(address.0.checked_sub(1)?).ok()?;
            let mut places = Vec::new();
            while let Some(frame) = frames.next().ok()? {
                let Some(location) = frame.location else { continue };
                let (Some(file), Some(line)) = (location.file, location.line) else { continue };
                if !is_machinery(file) {
                    let column = location.column.unwrap_or(1);
                    places.push(Source { file: self.name(file), line, column });
                }
            }
            Some(places)
        };
        places().unwrap_or_default()
    }

    /// A file as the compiler names it elsewhere.
    fn name(&self, file: &str) -> String {
        let file = Path::new(file);
        file.strip_prefix(self.root).unwrap_or(file).display().to_string()
    }
}

impl Sources for Symbols<'_> {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        self.files.line(file, line)
    }

    fn code(&self, address: CodeAddress) -> Vec<String> {
        self.calls(address).unwrap_or_default()
    }

    fn place(&self, address: CodeAddress) -> Option<Source> {
        self.source(address)
    }
}

/// Whether a file is the standard library's or ours, about which nobody wants to read.
fn is_machinery(file: &str) -> bool {
    let parts = ["/selvedge/kit/", "selvedge-kit/", "/rustlib/src/", "/corosensei-"];
    file.starts_with("/rustc/") || parts.iter().any(|part| file.contains(part))
}

/// A demangled name without the hash at its end.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((rest, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            rest
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::without_hash;

    #[test]
    fn the_hash_of_a_name_is_left_out() {
        assert_eq!(without_hash("queue::push::h0123456789abcdef"), "queue::push");
        assert_eq!(without_hash("queue::push::here"), "queue::push::here");
    }
}
