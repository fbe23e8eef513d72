//! What the addresses in a finding mean: functions and lines, from the debug information of the
//! binary in which it was found.

use addr2line::Loader;
use selvedge_model::{CodeAddress, Source};
use selvedge_report::{SourceFiles, Sources};
use std::fmt;
use std::path::Path;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The function in which it stands, if its name is known.
    pub(crate) function: Option<String>,
    /// Its line.
    pub(crate) at: Source,
    /// Whose code it is.
    pub(crate) whose: Whose,
}

/// Whose code a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The standard library's or ours, about which nobody wants to read.
    Machinery,
    /// That of the program, or of what it depends on.
    Program,
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "{function} at ")?;
        }
        write!(f, "{}:{}", self.at.file, self.at.line)
    }
}

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

    /// All calls at an address, innermost first: several if some were inlined.
    pub(crate) fn frames(&self, address: CodeAddress) -> Vec<Frame> {
        let frames = || {
            // The address is where the call returns to; the call itself lies before it.
            let mut found = self.binary.as_ref()?.find_frames(address.0.checked_sub(1)?).ok()?;
            let mut frames = Vec::new();
            while let Some(frame) = found.next().ok()? {
                let Some(location) = frame.location else { continue };
                let (Some(file), Some(line)) = (location.file, location.line) else { continue };
                let name = frame.function.and_then(|name| Some(name.demangle().ok()?.into_owned()));
                frames.push(Frame {
                    function: name.map(|name| without_hash(&name).to_owned()),
                    at: Source {
                        file: self.name(file),
                        line,
                        column: location.column.unwrap_or(1),
                    },
                    whose: if is_machinery(file) { Whose::Machinery } else { Whose::Program },
                });
            }
            Some(frames)
        };
        frames().unwrap_or_default()
    }

    /// The calls of the program at an address, innermost first.
    fn program_frames(&self, address: CodeAddress) -> impl Iterator<Item = Frame> {
        self.frames(address).into_iter().filter(|frame| frame.whose == Whose::Program)
    }

    /// The innermost place of the program at an address; the innermost of all if there is none, as
    /// in generic functions of std.
    pub(crate) fn source(&self, address: CodeAddress) -> Option<Source> {
        let program = self.program_frames(address).next();
        program.or_else(|| self.frames(address).into_iter().next()).map(|frame| frame.at)
    }

    /// All places of the program at an address, innermost first: several if some were inlined.
    pub(crate) fn own_places(&self, address: CodeAddress) -> Vec<Source> {
        self.program_frames(address).map(|frame| frame.at).collect()
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
        self.program_frames(address).map(|frame| frame.to_string()).collect()
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
