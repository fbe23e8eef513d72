//! Everything in a file is something that this version can read, and go on with.
//!
//! A file from elsewhere is checked as a whole, row by row, before anything of it is taken over: what is
//! wrong with a row that nobody asks for today would be met later, in a file of ours. What is made
//! sure of:
//!
//! - The file is whole: whichever way its rows are looked for, they are the same.
//! - Texts are texts, and those that many rows may name are short: a small file has no large answers.
//! - What is counted up has room for it.
//! - Campaigns, runs, findings and requirements mean something.

use crate::data::RunId;
use crate::names::{Elements, Places, size, unknown};
use crate::open::WITH_CORPUS;
use crate::read::read_corpus;
use crate::{Database, StoreError, schema};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use rustc_hash::FxHashMap;

/// Columns with numbers that were drawn, that are made of what they stand for, or that name a row:
/// they use all bits.
const ANY_NUMBER: [&str; 14] = [
    "id",
    "family",
    "campaign",
    "test",
    "build",
    "seed",
    "run",
    "key",
    "file",
    "metric",
    "requirement",
    "element",
    "weight",
    // Lines and columns, which are read with their elements.
    "line",
];

/// All other numbers are counts or moments. Nobody counts this far, and sums of many still fit.
const LARGEST: i64 = 1 << 48;

/// Texts that stand for themselves.
const LONG: [&str; 6] = ["message", "headline", "json", "explanation", "detail", "text"];

/// What is kept as JSON takes several times as much when it is read.
const AS_JSON: [&str; 4] = ["settings", "warnings", "conditions", "entry"];

/// The most bytes of these.
const LONGEST_AS_JSON: usize = 4 << 20;

/// The most bytes of all other texts, which are names. A path is no longer.
const LONGEST_NAME: usize = 4096;

/// The requirements of a run take no more bytes than this: a few rows may name a large element very
/// many times, and whoever compares runs has several of them.
const ROOM: usize = 64 << 20;

impl Database {
    /// Reads everything. What can not be read is an error: whoever takes a file over from elsewhere
    /// must not meet it later.
    pub fn check(&self) -> Result<(), StoreError> {
        self.look(|file| {
            check_whole(file)?;
            for table in schema::tables(file)? {
                check_values(file, &table)?;
            }
            let sizes = check_elements(file)?;
            check_answers(file, &sizes)
        })?;
        let format = self.version()?;
        for campaign in self.campaigns()? {
            for run in self.runs(campaign.id)? {
                self.slices(run.id)?;
                self.found(run.id)?;
                self.measured(run.id, Places::AsSeen)?;
                if format >= WITH_CORPUS {
                    self.look(|file| check_corpus(file, run.id))?;
                }
            }
        }
        for id in self.findings()? {
            self.finding(&id)?;
        }
        Ok(())
    }
}

/// The trees and indexes of a file agree.
fn check_whole(file: &Connection) -> rusqlite::Result<()> {
    let said: String = file.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    match said.as_str() {
        "ok" => Ok(()),
        said => Err(schema::damaged(said)),
    }
}

/// Every value of a table is one that its column may have.
fn check_values(file: &Connection, table: &str) -> rusqlite::Result<()> {
    let mut query = file.prepare(&format!("SELECT * FROM {table}"))?;
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        for (position, column) in columns.iter().enumerate() {
            check_value(row, position, column)
                .map_err(|what| unknown(&format!("{what} in {table}.{column}")))?;
        }
    }
    Ok(())
}

fn check_value(row: &Row<'_>, position: usize, column: &str) -> Result<(), String> {
    match row.get_ref(position).map_err(|error| error.to_string())? {
        ValueRef::Null | ValueRef::Real(_) => Ok(()),
        ValueRef::Integer(number) => {
            match ANY_NUMBER.contains(&column) || (0..=LARGEST).contains(&number) {
                true => Ok(()),
                false => Err(number.to_string()),
            }
        }
        ValueRef::Text(bytes) => {
            let longest = match column {
                _ if LONG.contains(&column) => usize::MAX,
                _ if AS_JSON.contains(&column) => LONGEST_AS_JSON,
                _ => LONGEST_NAME,
            };
            match std::str::from_utf8(bytes) {
                Ok(text) if text.len() <= longest => Ok(()),
                Ok(text) => Err(format!("a text of {} bytes", text.len())),
                Err(_) => Err("a text that is not UTF-8".to_owned()),
            }
        }
        ValueRef::Blob(_) => Err("a blob".to_owned()),
    }
}

/// Every element means something. Says how large each is.
fn check_elements(file: &Connection) -> rusqlite::Result<FxHashMap<i64, usize>> {
    let elements = Elements::new(file, Places::AsSeen);
    let mut sizes = FxHashMap::default();
    let mut query = file.prepare("SELECT id FROM elements")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        let part = elements.look_at(id)?;
        sizes.insert(id, part.role.len() + size(&part.is));
    }
    Ok(sizes)
}

/// The executions of a run that are worth going on from mean something, and fit into memory.
fn check_corpus(file: &Connection, run: RunId) -> rusqlite::Result<()> {
    let sizes = "SELECT coalesce(sum(length(entry)), 0) FROM corpus WHERE run = ?1";
    match file.query_row(sizes, [run.0], |row| row.get::<_, i64>(0))? > LONGEST_AS_JSON as i64 {
        true => Err(schema::damaged("the executions to go on from take too much memory")),
        false => read_corpus(file, run).map(drop),
    }
}

/// The requirements of each run fit into memory.
fn check_answers(file: &Connection, sizes: &FxHashMap<i64, usize>) -> rusqlite::Result<()> {
    let mut runs = file.prepare("SELECT id FROM runs")?;
    let mut parts = file.prepare(
        "SELECT element FROM covered JOIN parts USING (requirement) WHERE run = ?1 UNION ALL \
         SELECT element FROM uncovered JOIN parts USING (requirement) WHERE run = ?1",
    )?;
    let mut runs = runs.query([])?;
    while let Some(run) = runs.next()? {
        let mut rows = parts.query([run.get::<_, i64>(0)?])?;
        let mut room = ROOM;
        while let Some(row) = rows.next()? {
            let size = sizes.get(&row.get(0)?).copied().unwrap_or_default();
            room = room.checked_sub(size).ok_or_else(|| {
                schema::damaged("the requirements of a test take too much memory")
            })?;
        }
    }
    Ok(())
}
