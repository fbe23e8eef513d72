//! The tables of a file are ours, word for word.
//!
//! A file from elsewhere may have whatever its author likes in the place of our tables: views and
//! triggers that run SQL, columns that are computed, other types. Such a file is refused before
//! anything of it is read.

use crate::open::MIGRATIONS;
use rusqlite::{Connection, Error, ffi};
use std::sync::OnceLock;

/// What is in a file, by type and name, with how it was made.
type Schema = Vec<[String; 4]>;

/// Refuses a file whose tables are not those of its format. `database` is the name of the file in the connection.
pub(crate) fn check(connection: &Connection, database: &str, format: i64) -> rusqlite::Result<()> {
    static OURS: OnceLock<Vec<Schema>> = OnceLock::new();
    let ours = match OURS.get() {
        Some(ours) => ours,
        None => {
            let made = (1..=MIGRATIONS.len()).map(make).collect::<rusqlite::Result<_>>()?;
            OURS.get_or_init(|| made)
        }
    };
    let ours = usize::try_from(format - 1).ok().and_then(|format| ours.get(format));
    match ours == Some(&read(connection, database)?) {
        true => Ok(()),
        false => Err(damaged("its tables are not those that Selvedge makes")),
    }
}

/// Something is wrong with a file as a whole.
pub(crate) fn damaged(why: &str) -> Error {
    Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), Some(why.to_owned()))
}

/// The names of the tables.
pub(crate) fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut query = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
    query.query_map([], |row| row.get(0))?.collect()
}

fn make(format: usize) -> rusqlite::Result<Schema> {
    let empty = Connection::open_in_memory()?;
    MIGRATIONS[..format].iter().try_for_each(|migration| empty.execute_batch(migration))?;
    read(&empty, "main")
}

fn read(connection: &Connection, database: &str) -> rusqlite::Result<Schema> {
    let query = format!(
        "SELECT type, name, tbl_name, coalesce(sql, '') FROM {database}.sqlite_schema \
         ORDER BY type, name"
    );
    let mut query = connection.prepare(&query)?;
    let entry = |row: &rusqlite::Row<'_>| {
        Ok([row.get(0)?, row.get(1)?, row.get(2)?, plain(&row.get::<_, String>(3)?)])
    };
    query.query_map([], entry)?.collect()
}

/// A statement without comments and spaces, which have been changed from version to version.
fn plain(sql: &str) -> String {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    lines.flat_map(str::split_whitespace).collect()
}
