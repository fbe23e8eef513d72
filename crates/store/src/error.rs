//! What can go wrong with a file.

use std::path::PathBuf;

/// A file can not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It is no database at all, or a damaged one.
    #[error(
        "{} is damaged, or no database: {reason}; move it away to begin with a new one",
        file.display()
    )]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What SQLite says.
        reason: String,
    },
    /// It is a database of some other program.
    #[error("{} is a database, but not one with campaigns of Selvedge", .0.display())]
    Foreign(PathBuf),
    /// It has a later format.
    #[error(
        "{} was written by a newer version of Selvedge (format {found}; this version reads up to \
         {known})",
        file.display()
    )]
    Newer {
        /// The file.
        file: PathBuf,
        /// Its format.
        found: i64,
        /// The last one that is known.
        known: i64,
    },
    /// It can not be opened, read or written.
    #[error("{}: {source}", file.display())]
    Sqlite {
        /// The file.
        file: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// The folder can not be made.
    #[error("{}: {source}", file.display())]
    Folder {
        /// The folder.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}
