//! The table of what is lost and saved.

use super::SETS;
use super::args::Options;
use super::search::{Row, Twin, WINDOWS};
use crate::figures::plain;
use crate::report::table;
use selvedge_model::SATURATION;
use std::fmt::Write;

/// So many of a hundred bugs may be lost.
const BAR: f64 = 1.0;

/// The executions that a test has by default.
const USUAL: u64 = 1_000;

/// The table, and what it does not show.
pub(super) fn render(rows: &[Row], options: &Options) -> String {
    let of_twin = |twin| rows.iter().filter(move |row| row.twin == twin);
    let found: Vec<&Row> = of_twin(Twin::Buggy).filter(|row| row.found.is_some()).collect();
    let fixed: Vec<&Row> = of_twin(Twin::Fixed).collect();
    let mut text = format!(
        "{} programs, {} seeds each: {} searches, of which {} find the bug within {} executions. \
         *Lost* are those that would have stopped before. What is saved is that of the {} corrected twins, \
         of {} executions and of the {USUAL} that a test has by default. The command's window is \
         {SATURATION}.\n",
        SETS.iter().map(|(_, programs)| programs.len()).sum::<usize>(),
        options.seeds,
        of_twin(Twin::Buggy).count(),
        found.len(),
        options.limit,
        fixed.len(),
        options.limit,
    );
    let lines: Vec<Vec<String>> = WINDOWS
        .iter()
        .enumerate()
        .map(|(index, window)| {
            let lost = found.iter().filter(|row| row.stops[index].is_some()).count();
            let share = 100.0 * lost as f64 / found.len().max(1) as f64;
            let stopped = fixed.iter().filter(|row| row.stops[index].is_some()).count();
            vec![
                window.to_string(),
                format!("{lost} ({share:.2} %)"),
                if share <= BAR { "pass" } else { "**miss**" }.to_owned(),
                stopped.to_string(),
                saved(&fixed, index, options.limit),
                saved(&fixed, index, USUAL),
            ]
        })
        .collect();
    let whole = format!("of {}", options.limit);
    let usual = format!("of {USUAL}");
    let heads = ["window", "lost", "≤ 1 %", "stopped", &whole, &usual];
    text += &table(&heads, &lines);
    for (index, window) in WINDOWS.iter().enumerate() {
        let lost: Vec<String> = found.iter().filter_map(|row| loss(row, index)).collect();
        if !lost.is_empty() {
            write!(text, "\nLost with {window}: {}.\n", lost.join(", "))
                .expect("a string takes everything");
        }
    }
    text
}

/// How many of so many executions of correct programs are saved, and how much of the time.
fn saved(fixed: &[&Row], index: usize, limit: u64) -> String {
    let (mut ran, mut all, mut seconds, mut all_seconds) = (0, 0, 0.0, 0.0);
    for row in fixed {
        let stop = row.stops[index].unwrap_or(limit).min(limit);
        ran += stop;
        all += limit;
        seconds += stop as f64 * row.each;
        all_seconds += limit as f64 * row.each;
    }
    let percent =
        |part: f64, whole: f64| plain(100.0 * (1.0 - part / whole.max(f64::MIN_POSITIVE)));
    format!(
        "{} % of the executions, {} % of the time",
        percent(ran as f64, all as f64),
        percent(seconds, all_seconds)
    )
}

fn loss(row: &Row, index: usize) -> Option<String> {
    let (stop, found) = (row.stops[index]?, row.found?);
    Some(format!("{} (seed {}: {stop}, found {found})", row.program, row.seed))
}
