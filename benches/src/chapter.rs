//! Tables that a command writes into a chapter of the book, between two marks.

use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- measured: begin -->\n";
const END: &str = "<!-- measured: end -->\n";

/// Where a chapter is.
pub(crate) fn chapter(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../book/src")).join(name)
}

/// Puts these tables into a chapter, in the place of those that it has.
pub(crate) fn renew(name: &str, tables: &str) -> Result<(), String> {
    let file = chapter(name);
    let renewed = put_between(&read(&file)?, tables)?;
    write(&file, &renewed)
}

/// Replaces what stands between the marks.
fn put_between(text: &str, tables: &str) -> Result<String, String> {
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let (before, after) = parts.ok_or("the chapter has no marks between which tables stand")?;
    Ok(format!("{before}{BEGIN}{tables}{END}{after}"))
}

pub(crate) fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file)
        .map_err(|error| format!("failed to read {}: {error}", file.display()))
}

pub(crate) fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text)
        .map_err(|error| format!("failed to write {}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_replace_those_that_were_there() {
        let chapter = format!("before\n{BEGIN}old\n{END}after\n");
        let renewed = put_between(&chapter, "new\n").expect("the marks are there");
        assert_eq!(renewed, format!("before\n{BEGIN}new\n{END}after\n"));
        assert!(put_between("no marks", "new").is_err());
    }
}
