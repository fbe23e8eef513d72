//! Where in the source an operation stands.

mod word;

use self::word::{Is, Word};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

/// The place in the user's source that asked for an operation, as the compiler knows it.
///
/// Copied into every event, hence one word. Two sites are the same if file, line and column are,
/// whatever codegen unit the compiler put them in, and whether they are the compiler's or were read
/// from a trace.
#[derive(Clone, Copy)]
pub struct Site(Word);

impl Site {
    /// The site of the caller (of the outermost `#[track_caller]` function).
    #[inline]
    #[track_caller]
    pub const fn caller() -> Self {
        Self(Word::compiled(Location::caller()))
    }

    /// The site at a location that the compiler gave.
    #[inline]
    pub const fn new(location: &'static Location<'static>) -> Self {
        Self(Word::compiled(location))
    }

    /// The site at a place that was read. Its memory is never given back, so each place is kept once.
    pub fn read(source: Source) -> Self {
        static KEPT: Mutex<BTreeSet<&'static Source>> = Mutex::new(BTreeSet::new());
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let source = match kept.get(&source) {
            Some(source) => source,
            None => {
                let new: &'static Source = Box::leak(Box::new(source));
                kept.insert(new);
                new
            }
        };
        Self(Word::stored(source))
    }

    /// The location as the compiler gave it; none if the site was read.
    #[inline]
    pub fn location(self) -> Option<&'static Location<'static>> {
        match self.0.is() {
            Is::Compiled(location) => Some(location),
            Is::Stored(_) => None,
        }
    }

    /// Where the site itself lies in memory. The same place of the source may lie at several
    /// addresses; one address is always the same place.
    #[inline]
    pub fn address(self) -> usize {
        self.0.address()
    }

    /// The file as the compiler names it.
    pub fn file(self) -> &'static str {
        match self.0.is() {
            Is::Compiled(location) => location.file(),
            Is::Stored(source) => &source.file,
        }
    }

    /// The line, from 1.
    #[inline]
    pub fn line(self) -> u32 {
        match self.0.is() {
            Is::Compiled(location) => location.line(),
            Is::Stored(source) => source.line,
        }
    }

    /// The column, from 1.
    #[inline]
    pub fn column(self) -> u32 {
        match self.0.is() {
            Is::Compiled(location) => location.column(),
            Is::Stored(source) => source.column,
        }
    }

    /// The site as owned data, for findings and schedules.
    pub fn source(self) -> Source {
        match self.0.is() {
            Is::Compiled(location) => Source::from(location),
            Is::Stored(source) => source.clone(),
        }
    }
}

impl PartialEq for Site {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.cmp(other).is_eq()
    }
}

impl Eq for Site {}

impl PartialOrd for Site {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Site {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let place = |site: &Self| (site.line(), site.column());
        self.file().cmp(other.file()).then_with(|| place(self).cmp(&place(other)))
    }
}

impl Hash for Site {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Line and column tell nearly all sites apart; the file decides only equality.
        state.write_u64((u64::from(self.line()) << 32) | u64::from(self.column()));
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file(), self.line(), self.column())
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A site as data that outlives the process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Source {
    /// The file as the compiler names it, usually relative to the workspace.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Source {
    /// Whether this is the place of the site.
    pub fn is_at(&self, site: Site) -> bool {
        self.line == site.line() && self.column == site.column() && self.file == site.file()
    }
}

impl Source {
    /// Whether this is a place of the workspace's own crates: their files are named relative to the workspace, and
    /// those of others by whole paths, or by package and version (`spin-0.10.0/src/lib.rs`).
    pub fn is_own(&self) -> bool {
        let is_whole = self.file.starts_with(['/', '\\', '<']) || self.file.get(1..2) == Some(":");
        let folder = self.file.split(['/', '\\']).next().unwrap_or_default();
        let is_version = |part: &str| {
            let numbers = part.split('.').map(|number| number.parse::<u32>().is_ok());
            part.starts_with(|c: char| c.is_ascii_digit()) && numbers.take(2).all(|is| is)
        };
        let is_package = folder.contains('.') && folder.split('-').skip(1).any(is_version);
        !is_whole && !is_package && folder != "selvedge-kit"
    }
}

impl From<&Location<'_>> for Source {
    fn from(location: &Location<'_>) -> Self {
        Self { file: location.file().to_owned(), line: location.line(), column: location.column() }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_that_was_read_is_the_one_that_was_written() {
        let (here, there) = (Site::caller(), Site::caller());
        let read = Site::read(here.source());
        assert_eq!((read, read.to_string()), (here, here.to_string()));
        assert_eq!(
            (read.file(), read.line(), read.column()),
            (file!(), here.line(), here.column())
        );
        assert_eq!(read.cmp(&there), here.cmp(&there));
        assert!(read != there && here.source().is_at(read));
        assert!(here.location().is_some() && read.location().is_none());
    }

    #[test]
    fn files_of_the_workspace_are_told_from_those_of_others() {
        let is_own = |file: &str| Source { file: file.to_owned(), line: 1, column: 1 }.is_own();
        assert!(is_own("src/lib.rs") && is_own("crates/a-2/src/lib.rs") && is_own("tests/1.2.rs"));
        assert!(!is_own("/rustc/5980/library/std/src/thread.rs") && !is_own("C:\\a.rs"));
        assert!(!is_own("spin-0.10.0/src/lib.rs") && !is_own("toml_edit-0.25.17+spec-1.1.0/a.rs"));
        assert!(!is_own("rand_core-0.9.0-rc.1/src/lib.rs") && !is_own("selvedge-kit/std/a.rs"));
    }

    #[test]
    fn sites_are_in_the_order_of_their_locations() {
        let (first, second) = (Site::caller(), Site::caller());
        assert_eq!(first.cmp(&second), first.location().cmp(&second.location()));
        assert!(first < second);
    }
}
