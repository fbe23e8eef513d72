//! Files of several machines become one.
//!
//! Everything that is written belongs to a campaign or to a run, which one command writes at a time
//! and counts in `revision`: of two states of the same run the one with the higher number is the
//! later one and has all that is in the other. So a run is taken over as a whole if it is not there
//! or if the other file has a later state of it, and it does not matter in which order files are
//! merged, nor how often. Of several attempts of one shard the one that counts is kept (`attempts`).
//!
//! The other file is data: it is opened to be read, its tables have to be ours, and everything in it is
//! read once before anything is taken over.

use crate::attempts::OF_RUNS;
use crate::open::WITH_CORPUS;
use crate::{Access, Database, StoreError, attempts, schema};
use rusqlite::{Connection, params};
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What came of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// How many campaigns the other file has. None at all is what a file looks like that was copied
    /// while it was written.
    pub there: usize,
    /// What the shards in the other file have in common with others.
    pub families: BTreeSet<i64>,
    /// How many campaigns are new, or further than they were.
    pub campaigns: usize,
    /// How many runs are new, or further than they were.
    pub runs: usize,
    /// How many findings are new, or were found again since.
    pub findings: usize,
}

impl Database {
    /// Takes over what another file has and this one has not.
    pub fn merge(&mut self, other: &Path) -> Result<Merged, StoreError> {
        let path = other;
        let wrong = |error| crate::open::wrong(path, error);
        // Refuses what is no file of ours.
        let other = Self::open(path, Access::Read)?;
        let format = other.version()?;
        if format == 0 {
            return Ok(Merged::default());
        }
        other.check()?;
        let campaigns = other.campaigns()?;
        drop(other);
        let address =
            address(path).map_err(|source| StoreError::Folder { file: path.to_owned(), source })?;
        self.connection.execute("ATTACH DATABASE ?1 AS other", [address]).map_err(wrong)?;
        let merged = self.at_once(|file, _| take_over(file, format));
        let detached = self.connection.execute("DETACH DATABASE other", []).map_err(wrong);
        let merged = merged.map_err(|error| match error {
            // What is wrong is the other file, as far as one can tell.
            StoreError::Damaged { reason, .. } => {
                StoreError::Damaged { file: path.to_owned(), reason }
            }
            other => other,
        })?;
        detached?;
        let shards = campaigns.iter().filter(|campaign| campaign.shard.is_some());
        let families = shards.map(|campaign| campaign.family).collect();
        Ok(Merged { there: campaigns.len(), families, ..merged })
    }
}

/// A file as SQLite names one that is only read.
fn address(file: &Path) -> std::io::Result<String> {
    let file = std::path::absolute(file)?;
    let mut address = "file://".to_owned();
    for &byte in file.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => {
                address.push(char::from(byte));
            }
            _ => address.push_str(&format!("%{byte:02x}")),
        }
    }
    address.push_str("?mode=ro");
    Ok(address)
}

fn take_over(file: &Connection, format: i64) -> rusqlite::Result<Merged> {
    // Again, since the file may have been replaced meanwhile; from here on it is the same.
    schema::check(file, "other", format)?;
    let campaigns = file.execute(
        "INSERT INTO campaigns SELECT * FROM other.campaigns WHERE true \
         ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, revision = excluded.revision \
         WHERE excluded.revision > campaigns.revision",
        [],
    )?;
    for table in ["tests", "metrics", "files"] {
        file.execute(&format!("INSERT OR IGNORE INTO {table} SELECT * FROM other.{table}"), [])?;
    }
    let findings = file.execute(
        "INSERT INTO findings SELECT * FROM other.findings WHERE true ON CONFLICT (id) DO UPDATE \
         SET kind = excluded.kind, headline = excluded.headline, found = excluded.found, \
         json = excluded.json, explanation = excluded.explanation \
         WHERE (excluded.found, excluded.json) > (findings.found, findings.json)",
        [],
    )?;
    take_over_requirements(file)?;
    let mut further = file.prepare(
        "SELECT theirs.id FROM other.runs AS theirs LEFT JOIN main.runs AS ours \
         ON ours.id = theirs.id WHERE ours.id IS NULL OR theirs.revision > ours.revision",
    )?;
    let further: Vec<i64> =
        further.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for &run in &further {
        take_over_run(file, run, format)?;
    }
    attempts::forget_superseded(file)?;
    Ok(Merged { campaigns, runs: further.len(), findings, ..Merged::default() })
}

/// Elements and requirements have other numbers in each file; their keys are the same.
fn take_over_requirements(file: &Connection) -> rusqlite::Result<()> {
    file.execute_batch(
        "INSERT OR IGNORE INTO elements (key, role, kind, file, line, column, detail, text) \
         SELECT key, role, kind, file, line, column, detail, text FROM other.elements \
         ORDER BY id; \
         CREATE TEMP TABLE added AS SELECT key FROM other.requirements \
         WHERE key NOT IN (SELECT key FROM main.requirements); \
         INSERT INTO requirements (key, metric) SELECT key, metric FROM other.requirements \
         WHERE key IN (SELECT key FROM temp.added) ORDER BY id; \
         INSERT INTO parts (requirement, position, element) \
         SELECT ours.id, position, our_element.id FROM other.parts AS theirs \
         JOIN other.requirements AS their ON their.id = theirs.requirement \
         JOIN main.requirements AS ours ON ours.key = their.key \
         JOIN other.elements AS their_element ON their_element.id = theirs.element \
         JOIN main.elements AS our_element ON our_element.key = their_element.key \
         WHERE their.key IN (SELECT key FROM temp.added) \
         ORDER BY ours.id, position; \
         DROP TABLE temp.added;",
    )
}

fn take_over_run(file: &Connection, run: i64, format: i64) -> rusqlite::Result<()> {
    for table in OF_RUNS {
        file.execute(&format!("DELETE FROM main.{table} WHERE run = ?1"), params![run])?;
    }
    file.execute("DELETE FROM main.runs WHERE id = ?1", [run])?;
    file.execute("INSERT INTO main.runs SELECT * FROM other.runs WHERE id = ?1", [run])?;
    let with_corpus: &[_] = if format < WITH_CORPUS { &[] } else { &["corpus"] };
    for table in ["slices", "growth", "measured", "found"].iter().chain(with_corpus) {
        let copy = format!("INSERT INTO main.{table} SELECT * FROM other.{table} WHERE run = ?1");
        file.execute(&copy, [run])?;
    }
    let by_key = "JOIN other.requirements AS their ON their.id = requirement \
                  JOIN main.requirements AS ours ON ours.key = their.key WHERE run = ?1 \
                  ORDER BY ours.id";
    file.execute(
        &format!(
            "INSERT INTO main.covered SELECT run, ours.id, frequency, first FROM other.covered \
             {by_key}"
        ),
        [run],
    )?;
    file.execute(
        &format!("INSERT INTO main.uncovered SELECT run, ours.id FROM other.uncovered {by_key}"),
        [run],
    )?;
    Ok(())
}
