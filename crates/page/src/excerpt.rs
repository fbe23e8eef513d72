//! Lines of source around the places of a report, each file once.

use crate::data::{Excerpt, File, Place};
use selvedge_report::{Sources, shortened};
use std::collections::{BTreeMap, BTreeSet};

/// So many lines are shown above and below a place.
const AROUND: u32 = 7;
/// Longer lines are cut: nobody wrote them for people.
const WIDEST: usize = 400;

/// The files with the lines around these places.
pub(crate) fn files(names: Vec<String>, places: &[Place], sources: &dyn Sources) -> Vec<File> {
    let mut wanted: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    for place in places {
        let lines = place.line.saturating_sub(AROUND).max(1)..=place.line.saturating_add(AROUND);
        wanted.entry(place.file).or_default().extend(lines);
    }
    let all: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let short: Vec<_> = names.iter().map(|name| shortened(name, &all).to_owned()).collect();
    let file = |(number, (name, short)): (usize, (&String, String))| {
        let mut excerpts: Vec<Excerpt> = Vec::new();
        for &number in wanted.get(&number).into_iter().flatten() {
            // The lines beyond the end of a file are not there.
            let Some(text) = sources.line(name, number) else { continue };
            let text = text.chars().take(WIDEST).collect();
            match excerpts.last_mut() {
                Some(last) if last.first + last.lines.len() as u32 == number => {
                    last.lines.push(text);
                }
                _ => excerpts.push(Excerpt { first: number, lines: vec![text] }),
            }
        }
        File { name: name.clone(), short, excerpts }
    };
    names.iter().zip(short).enumerate().map(file).collect()
}
