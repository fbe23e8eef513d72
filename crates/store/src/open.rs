//! A file with campaigns: found, made, brought up to date.

use crate::error::StoreError;
use crate::names::Names;
use crate::schema;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is done to a file of each format to make it one of the next; the first makes an empty one.
pub(crate) const MIGRATIONS: [&str; 2] = [include_str!("schema.sql"), include_str!("corpus.sql")];

/// Files from this format on know which executions are worth going on from.
pub(crate) const WITH_CORPUS: i64 = 2;

/// Says in the file whose it is: `Slvd`.
const APPLICATION: i64 = 0x536c_7664;

/// So long is waited for another command that is writing.
const PATIENCE: Duration = Duration::from_secs(20);

/// No text and no row of a file is longer than this: what is, was not written here. A finding has room
/// in it.
const LONGEST: i32 = 36 << 20;

/// SQLite takes no more memory than this for all files together, whatever they say.
const HEAP: i64 = 192 << 20;

/// What is going to be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is read, and must exist.
    Read,
    /// It is written, and made if it does not exist.
    Write,
}

/// An open file.
#[derive(Debug)]
pub struct Database {
    pub(crate) connection: Connection,
    pub(crate) names: Names,
    file: PathBuf,
}

impl Database {
    /// Opens a file.
    pub fn open(file: &Path, access: Access) -> Result<Self, StoreError> {
        let wrong = |error| wrong(file, error);
        if access == Access::Write
            && let Some(folder) = file.parent()
        {
            std::fs::create_dir_all(folder)
                .map_err(|source| StoreError::Folder { file: folder.to_owned(), source })?;
        }
        let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let flags = match access {
            Access::Read => flags | OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => {
                flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE
            }
        };
        // From the top, so that no name is taken for an address.
        let whole = std::path::absolute(file)
            .map_err(|source| StoreError::Folder { file: file.to_owned(), source })?;
        let connection = Connection::open_with_flags(whole, flags).map_err(wrong)?;
        distrust(&connection).map_err(wrong)?;
        connection.busy_timeout(PATIENCE).map_err(wrong)?;
        let mut database = Self { connection, names: Names::default(), file: file.to_owned() };
        let version = database.version()?;
        if version != 0 {
            database.look(|connection| schema::check(connection, "main", version))?;
        }
        if access == Access::Write {
            database.prepare(version)?;
        }
        Ok(database)
    }

    /// Closes the file, after which all of it is in one: it can be copied.
    pub fn close(self) -> Result<(), StoreError> {
        let Self { connection, file, .. } = self;
        let wrong = |error| wrong(&file, error);
        connection.pragma_update(None, "journal_mode", "DELETE").map_err(wrong)?;
        connection.close().map_err(|(_, error)| wrong(error))
    }

    /// Where it is.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The format of the file; 0 if it is empty.
    pub(crate) fn version(&self) -> Result<i64, StoreError> {
        // At one moment: another command may be about to make the tables.
        let (application, found, tables) = self.look(|file| {
            let number = |query: &str| file.query_row(query, [], |row| row.get::<_, i64>(0));
            Ok((
                number("PRAGMA application_id")?,
                number("PRAGMA user_version")?,
                number("SELECT count(*) FROM sqlite_schema")?,
            ))
        })?;
        let known = MIGRATIONS.len() as i64;
        match application {
            0 if found == 0 && tables == 0 => Ok(0),
            APPLICATION if found > known => {
                Err(StoreError::Newer { file: self.file.clone(), found, known })
            }
            APPLICATION => Ok(found),
            _ => Err(StoreError::Foreign(self.file.clone())),
        }
    }

    /// Makes the file ready to be written.
    fn prepare(&mut self, version: i64) -> Result<(), StoreError> {
        let Self { connection, file, .. } = self;
        let wrong = |error| wrong(file, error);
        // Whoever is killed in the middle loses nothing that was committed, and a commit does not
        // wait for the disk. Waiting for others is up to us here.
        let began = std::time::Instant::now();
        loop {
            match connection.pragma_update(None, "journal_mode", "WAL") {
                Err(error) if is_busy(&error) && began.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                other => break other.map_err(wrong)?,
            }
        }
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(wrong)?;
        connection.pragma_update(None, "journal_size_limit", 16 << 20).map_err(wrong)?;
        if version == MIGRATIONS.len() as i64 {
            return Ok(());
        }
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrong)?;
        // Somebody else may have been faster.
        let version: i64 =
            transaction.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(wrong)?;
        for migration in MIGRATIONS.iter().skip(usize::try_from(version).unwrap_or(0)) {
            transaction.execute_batch(migration).map_err(wrong)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION).map_err(wrong)?;
        transaction.pragma_update(None, "user_version", MIGRATIONS.len() as i64).map_err(wrong)?;
        transaction.commit().map_err(wrong)
    }

    /// Does something in one go: all of it or nothing is there afterwards.
    pub(crate) fn at_once<R>(
        &mut self,
        f: impl FnOnce(&Connection, &mut Names) -> rusqlite::Result<R>,
    ) -> Result<R, StoreError> {
        let Self { connection, names, file } = self;
        let behavior = TransactionBehavior::Immediate;
        let done = connection.transaction_with_behavior(behavior).and_then(|transaction| {
            let result = f(&transaction, names)?;
            transaction.commit()?;
            Ok(result)
        });
        if done.is_err() {
            // Numbers that were given out in between mean nothing.
            *names = Names::default();
        }
        done.map_err(|error| wrong(file, error))
    }

    /// Reads, with a view that does not change meanwhile.
    pub(crate) fn look<R>(
        &self,
        f: impl FnOnce(&Connection) -> rusqlite::Result<R>,
    ) -> Result<R, StoreError> {
        let looked = self.connection.unchecked_transaction().and_then(|view| f(&view));
        looked.map_err(|error| wrong(&self.file, error))
    }
}

/// A file may come from elsewhere: whatever SQL stands in it is not run, and nothing that it says makes
/// us take much memory.
fn distrust(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 1)?;
    connection.pragma_update(None, "hard_heap_limit", HEAP)?;
    connection.pragma_update(None, "cell_size_check", true)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// An error with the file in which it was met.
pub(crate) fn wrong(file: &Path, error: rusqlite::Error) -> StoreError {
    let file = file.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            StoreError::Damaged { file, reason: error.to_string() }
        }
        _ => match error {
            // What was read is nothing that this version writes.
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::Utf8Error(..)
            | rusqlite::Error::InvalidColumnType(..) => {
                StoreError::Damaged { file, reason: error.to_string() }
            }
            source => StoreError::Sqlite { file, source },
        },
    }
}
