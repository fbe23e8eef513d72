//! Where an event stands.

use std::fmt;

/// The place of an event in a published file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// In front of the statement that begins in this line.
    Before(String, u32),
    /// At the end of the block that is closed in this line. The end of a thread is that of its body.
    EndOf(String, u32),
    /// In no gap of a file; this is how the schedule calls it. No two of these are the same place.
    None(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(file, line) => write!(f, "{file}:{line}"),
            Self::EndOf(file, line) => write!(f, "{file}:{line} (end of block)"),
            Self::None(name) => f.write_str(name),
        }
    }
}
