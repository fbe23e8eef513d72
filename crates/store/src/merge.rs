//! Files of several machines become one.
//!
//! Everything that is written belongs to a campaign or to a run, which one command writes at a time
//! and counts in `revision`: of two states of the same run the one with the higher number is the
//! later one and has all that is in the other. So a run is taken over as a whole if it is not there
//! or if the other file has a later state of it, and it does not matter in which order files are
//! merged, nor how often.

use crate::{Database, StoreError};
use rusqlite::{Connection, params};
use std::path::Path;

/// What came of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
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
        // Refuses what is no file of ours, and sees what a killed command has left beside it.
        let other = Self::open(other, crate::Access::Write)?;
        let name = other.file().display().to_string();
        drop(other);
        let wrong = |error| crate::open::wrong(Path::new(&name), error);
        self.connection.execute("ATTACH DATABASE ?1 AS other", [&name]).map_err(wrong)?;
        let merged = self.at_once(|file, _| take_over(file));
        let detached = self.connection.execute("DETACH DATABASE other", []).map_err(wrong);
        let merged = merged?;
        detached?;
        Ok(merged)
    }
}

fn take_over(file: &Connection) -> rusqlite::Result<Merged> {
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
        take_over_run(file, run)?;
    }
    Ok(Merged { campaigns, runs: further.len(), findings })
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

fn take_over_run(file: &Connection, run: i64) -> rusqlite::Result<()> {
    for table in ["slices", "covered", "uncovered", "growth", "measured", "found"] {
        file.execute(&format!("DELETE FROM main.{table} WHERE run = ?1"), params![run])?;
    }
    file.execute("DELETE FROM main.runs WHERE id = ?1", [run])?;
    file.execute("INSERT INTO main.runs SELECT * FROM other.runs WHERE id = ?1", [run])?;
    for table in ["slices", "growth", "measured", "found"] {
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
