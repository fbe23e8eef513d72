//! What stopping at saturation loses and saves.
//!
//! Each bug is looked for with each seed, without stopping, and where the search would have stopped
//! is measured beside that. A bug is *lost* if the search would have stopped before it was found. What
//! is saved is counted on the corrected twins, where nothing is found.

mod args;
mod search;
mod table;

use crate::chapter::{renew, write};
use args::Options;
use search::{Row, Twin};
use selvedge_fixtures::{PROGRAMS, Program, SCT};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;

/// Does what the arguments say.
pub(crate) fn run(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    crate::hush::order_panic_hooks();
    let rows = measure(&options)?;
    let table = table::render(&rows, &options);
    println!("{table}");
    match &options.out {
        Some(file) => write(file, &table),
        None if options.is_whole() => renew("saturation.md", &table),
        None => Ok(()),
    }
}

/// The sets of programs, with what they are called.
const SETS: [(&str, &[Program]); 2] = [("fixtures", PROGRAMS), ("ports", SCT)];

/// What was measured before, and what was not.
fn measure(options: &Options) -> Result<Vec<Row>, String> {
    let trouble = |error| format!("failed to use {}: {error}", options.rows.display());
    let before = std::fs::read_to_string(&options.rows).unwrap_or_default();
    let mut rows: Vec<Row> = before.lines().filter_map(Row::read).collect();
    let key = |row: &Row| (row.program.clone(), row.twin, row.seed);
    let known: BTreeSet<_> = rows.iter().map(key).collect();
    let mut file: File =
        OpenOptions::new().create(true).append(true).open(&options.rows).map_err(trouble)?;
    // The end of a line that was never finished.
    writeln!(file).map_err(trouble)?;
    for (set, program) in SETS.iter().flat_map(|(set, all)| all.iter().map(move |one| (set, one))) {
        let name = format!("{set}/{}", program.name);
        if !options.programs.is_empty() && !options.programs.iter().any(|one| one == program.name) {
            continue;
        }
        let twins = [(Twin::Buggy, program.buggy), (Twin::Fixed, program.fixed)];
        for (twin, test) in twins {
            // What a correct program needs differs little from seed to seed.
            let seeds = if twin == Twin::Buggy { options.seeds } else { 1 };
            for seed in 1..=seeds {
                if !known.contains(&(name.clone(), twin, seed)) {
                    let row = Row::measure(&name, twin, test, seed, options.limit);
                    writeln!(file, "{}", row.write()).map_err(trouble)?;
                    rows.push(row);
                }
            }
        }
        eprintln!("saturation: {name}");
    }
    rows.sort_by_key(key);
    Ok(rows)
}
