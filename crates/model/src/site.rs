//! Where in the source an operation stands.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::Location;

/// The place in the user's source that asked for an operation, as the compiler knows it.
///
/// Copied into every event, hence a bare reference. Two sites are the same if file, line and
/// column are, whatever codegen unit the compiler put them in.
#[derive(Clone, Copy)]
pub struct Site(&'static Location<'static>);

impl Site {
    /// The site of the caller (of the outermost `#[track_caller]` function).
    #[inline]
    #[track_caller]
    pub const fn caller() -> Self {
        Self(Location::caller())
    }

    /// The site at a location that the compiler gave.
    #[inline]
    pub const fn new(location: &'static Location<'static>) -> Self {
        Self(location)
    }

    /// The location as the compiler gave it.
    #[inline]
    pub const fn location(self) -> &'static Location<'static> {
        self.0
    }

    /// The site as owned data, for findings and schedules.
    pub fn source(self) -> Source {
        Source::from(self.0)
    }
}

impl PartialEq for Site {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0) || self.0 == other.0
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
        self.0.cmp(other.0)
    }
}

impl Hash for Site {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Line and column tell nearly all sites apart; the file decides only equality.
        state.write_u64((u64::from(self.0.line()) << 32) | u64::from(self.0.column()));
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
        self.line == site.0.line() && self.column == site.0.column() && self.file == site.0.file()
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
